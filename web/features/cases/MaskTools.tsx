import type { CasePicture } from '@zhuguan/contract/features/cases/cases.record.ts'
import { useState } from 'react'

import { type Masks, NEW } from './useMasks.ts'

interface Tools {
  of: CasePicture
  masks: Masks
  busy: boolean
  /** The chosen rectangle is the camera's from now on; without one: the camera has none any more. */
  onFix: () => void
  onUnfix: () => void
  onSave: (clear: boolean) => Promise<void>
}
/** The commands for a picture that is being masked; each with its key. */
export function MaskTools({
  of: { camera, fixed, proposed },
  busy,
  masks: m,
  onFix,
  onUnfix,
  onSave,
}: Tools) {
  const n = m.masks.length + fixed.length
  return (
    <>
      <button onClick={() => m.add(NEW)}>加一处（N）</button>
      {proposed.length > 0 && <button onClick={m.take}>用同一机位的 {proposed.length} 处（Y）</button>}
      <button disabled={m.chosen < 0} onClick={m.drop}>
        去掉（Del）
      </button>
      <button disabled={m.chosen < 0 && !m.crop} onClick={m.toggleCrop}>
        {m.crop ? '不裁剪（C）' : '只留这一块（C）'}
      </button>
      {camera && (
        <button disabled={m.chosen < 0 || busy} onClick={onFix}>
          这个机位都遮这里（F）
        </button>
      )}
      {fixed.length > 0 && (
        <button disabled={busy} onClick={onUnfix}>
          取消机位固定的 {fixed.length} 处
        </button>
      )}
      {n === 0 && (
        <button disabled={busy} onClick={() => void onSave(true)}>
          没有要打码的
        </button>
      )}
      <button className="on" disabled={busy || n === 0} onClick={() => void onSave(false)}>
        {busy ? '正在打码…' : `打码 ${n} 处，下一张（Enter）`}
      </button>
    </>
  )
}

interface Hands {
  may: { mayMask: boolean; mayRelease: boolean }
  edits: boolean
  busy: boolean
  onAgain: () => void
  onPull: () => void
  onRelease: () => void
}
/** The commands for a picture that was masked; one that is shown no more is asked about twice. */
export function ReleaseTools({
  may: { mayMask, mayRelease },
  edits,
  busy,
  onAgain,
  onPull,
  onRelease,
}: Hands) {
  const [sure, setSure] = useState(false)
  return (
    <>
      {!edits && mayMask && <button onClick={onAgain}>重新打码</button>}
      {(mayMask || mayRelease) && (
        <button disabled={busy} onClick={() => (sure ? onPull() : setSure(true))}>
          {sure ? '确定撤下，不再公开' : '撤下'}
        </button>
      )}
      {!edits && mayRelease && (
        <button className="on" disabled={busy} onClick={onRelease}>
          看清楚了，放行（Enter）
        </button>
      )}
    </>
  )
}
