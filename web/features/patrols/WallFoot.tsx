import type { WallSite } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { useState } from 'react'

import { hrefOf } from '../../kit/LinkTo.tsx'
import { short } from '../../kit/time.ts'
import { seenToday } from './useRound.ts'

const LEGEND = [
  ['1 2 3', '优 良 差'],
  ['4', '摄像头偏移'],
  ['P', '记问题'],
  ['→ ←', '下一个、上一个'],
  ['C', '换摄像头'],
  ['S', '存画面'],
  ['[ ]', '画面数'],
  ['F', '全屏'],
] as const

/** The site that the keyboard is at: what is known of it, what was noted, and which key does what. */
export function WallFoot({
  site,
  place,
  noted,
  writing,
  busy,
  onNoted,
  onWritten,
}: {
  site: WallSite
  /** Its place in the round. */
  place: string
  noted: readonly string[]
  writing: boolean
  busy: boolean
  onNoted: (texts: string[]) => void
  onWritten: () => void
}) {
  return (
    <footer>
      <span className="wall-at">
        <b>{site.ws_name}</b>
        <a href={hrefOf('SiteInfo', { id: site.id })} target="_blank" rel="noreferrer">
          工地信息
        </a>
        <small>
          {place}
          {site.managerName && ` · 项目经理 ${site.managerName}`}
          {site.lastRemote
            ? ` · 上次远程 ${short(site.lastRemote)}${seenToday(site) ? '（今天已看）' : ''}`
            : ' · 还没有远程巡检过'}
        </small>
      </span>
      {noted.map((text, i) => (
        <span key={i} className="wall-noted">
          {text}
          <button aria-label={`去掉问题 ${text}`} onClick={() => onNoted(noted.filter((_, n) => n !== i))}>
            ×
          </button>
        </span>
      ))}
      {writing ? (
        <ProblemInput
          onDone={(text) => {
            onWritten()
            if (text) onNoted([...noted, text])
          }}
        />
      ) : (
        <span className="wall-keys" aria-busy={busy}>
          {LEGEND.map(([keys, what]) => (
            <span key={keys}>
              <kbd>{keys}</kbd> {what}
            </span>
          ))}
        </span>
      )}
    </footer>
  )
}

/** Enter keeps it with the verdict that follows, Esc leaves. */
function ProblemInput({ onDone }: { onDone: (text: string) => void }) {
  const [text, setText] = useState('')
  const isShort = text.trim().length === 1
  return (
    <span className="wall-write">
      <input
        autoFocus
        maxLength={200}
        value={text}
        aria-label="问题"
        placeholder="写明问题，回车记下，再按 1–4 一起提交"
        onChange={(e) => setText(e.target.value)}
        onKeyDown={(e) => {
          if (e.nativeEvent.isComposing) return
          if (e.key === 'Enter' && !isShort) onDone(text.trim())
          if (e.key === 'Escape') onDone('')
        }}
      />
      {isShort && <small>至少 2 个字</small>}
    </span>
  )
}
