import type { WallSite } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import { useState } from 'react'

import { hrefOf } from '../../kit/LinkTo.tsx'
import { message } from '../../kit/notices.ts'
import { short } from '../../kit/time.ts'
import { seenToday } from './useRound.ts'

const { excellent, good, poor, skewed } = tidinessResult.code
const VERDICTS = [
  [String(excellent), '优'],
  [String(good), '良'],
  [String(poor), '差'],
  [String(skewed), '偏移'],
] as const
/** The commands that need a keyboard. */
const KEYS = [
  ['[ ]', '画面数'],
  ['F', '全屏'],
] as const

/** The site that the round is at: what is known of it, what was noted, and what may be done with it. */
export function WallFoot({
  site,
  at,
  count,
  why,
  isSeen,
  noted,
  writing,
  busy,
  onNoted,
  onWritten,
  onDo,
}: {
  site: WallSite
  /** Its place in the round, and how many there are. */
  at: number
  count: number
  /** The reason why it cannot be judged now. */
  why: string | undefined
  /** Its camera shows something. */
  isSeen: boolean
  noted: readonly string[]
  writing: boolean
  busy: boolean
  onNoted: (texts: string[]) => void
  onWritten: () => void
  /** As if that key had been pressed. */
  onDo: (key: string) => void
}) {
  return (
    <footer>
      <span className="wall-at">
        <b>{site.ws_name}</b>
        <a href={hrefOf('SiteInfo', { id: site.id })} target="_blank" rel="noreferrer">
          工地信息
        </a>
        <small>
          {at + 1}/{count}
          {site.managerName && ` · 项目经理 ${site.managerName}`}
          {site.lastRemote
            ? ` · 上次远程 ${short(site.lastRemote)}${seenToday(site) ? '（今天已看）' : ''}`
            : ' · 还没有远程巡检过'}
        </small>
        {why && <small className="wall-not">{why}</small>}
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
        <>
          <span className="wall-acts" aria-busy={busy}>
            <span className="wall-judge" role="group" aria-label="整洁度">
              {VERDICTS.map(([key, label]) => (
                <Act key={key} onDo={onDo} does={key} hint={key} label={label} why={why} />
              ))}
            </span>
            <Act onDo={onDo} does="p" hint="P" label="问题" why={why} />
            <Act
              onDo={onDo}
              does="ArrowLeft"
              hint="←"
              label="上一个"
              why={at === 0 ? '已经是第一个工地' : undefined}
            />
            <Act
              onDo={onDo}
              does="ArrowRight"
              hint="→"
              label="下一个"
              why={at === count - 1 ? '已经是最后一个工地' : undefined}
            />
            <Act
              onDo={onDo}
              does="c"
              hint="C"
              label="换摄像头"
              why={site.cameras.length > 1 ? undefined : '这个工地没有别的摄像头'}
            />
            <Act onDo={onDo} does="s" hint="S" label="截图" why={isSeen ? undefined : '没有画面可以保存'} />
          </span>
          <span className="wall-keys">
            {KEYS.map(([keys, what]) => (
              <span key={keys}>
                <kbd>{keys}</kbd> {what}
              </span>
            ))}
          </span>
        </>
      )}
    </footer>
  )
}

/** A key as a button. One that cannot be used now says why when it is pressed, since a finger hovers over nothing. */
function Act({
  does,
  hint,
  label,
  why,
  onDo,
}: {
  does: string
  hint: string
  label: string
  why: string | undefined
  onDo: (key: string) => void
}) {
  return (
    <button
      type="button"
      title={why}
      aria-disabled={!!why}
      onClick={() => (why ? message.info(why) : onDo(does))}
    >
      {label} <kbd aria-hidden="true">{hint}</kbd>
    </button>
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
        placeholder="写明问题，回车记下，判定时一起提交"
        onChange={(e) => setText(e.target.value)}
        onKeyDown={(e) => {
          if (e.nativeEvent.isComposing) return
          if (e.key === 'Enter' && !isShort) onDone(text.trim())
          if (e.key === 'Escape') onDone('')
        }}
      />
      {isShort && <small>至少 2 个字</small>}
      <button
        type="button"
        aria-disabled={text.trim().length < 2}
        onClick={() => !isShort && onDone(text.trim())}
      >
        记下
      </button>
      <button type="button" onClick={() => onDone('')}>
        取消
      </button>
    </span>
  )
}
