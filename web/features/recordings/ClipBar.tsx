import type { RecordingDay } from '@zhuguan/contract/features/recordings/recordings.record.ts'
import { useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { full } from '../../kit/time.ts'
import { Granted } from '../../parts/granted.tsx'
import { type Clip, lastingOf } from './useClip.ts'

const HoldDrawer = lazyPart(() => import('./HoldDrawer.tsx'))
const clock = (second: number | undefined) => (second === undefined ? '—' : full(second).slice(11))

/** The marked stretch and what can be done with it. */
export function ClipBar({ clip, day, onHeld }: { clip: Clip; day: RecordingDay; onHeld: () => void }) {
  const [holding, setHolding] = useState(false)
  const { cut, part } = clip
  const { from, to } = cut
  if (from === undefined && to === undefined) return null
  const isWhole = from !== undefined && to !== undefined
  return (
    <div className="video-buttons video-clip" role="group" aria-label="片段">
      <span>
        片段 {clock(from)} – {clock(to)}
        {isWhole && `（${lastingOf(to - from)}）`}
      </span>
      {!isWhole && <span className="video-none">{from === undefined ? '按 I 定开始' : '按 O 定结束'}</span>}
      {part === null ? (
        <>
          <Granted needs="recording:clip">
            <button disabled={!isWhole} onClick={() => void clip.download()}>
              下载片段
            </button>
          </Granted>
          <Granted needs="recording:hold">
            <button disabled={!isWhole} onClick={() => setHolding(true)}>
              留存片段
            </button>
          </Granted>
          <button onClick={clip.clear}>清除</button>
        </>
      ) : (
        <>
          <progress value={part} aria-label="下载进度" />
          <span>正在制作 {Math.round(part * 100)}%</span>
          <button onClick={clip.cancel}>取消下载</button>
        </>
      )}
      {holding && isWhole && (
        <HoldDrawer
          device={day.device_id}
          sn={day.deviceSn}
          stretch={{ from, to }}
          onClose={() => setHolding(false)}
          onDone={() => {
            setHolding(false)
            clip.clear()
            onHeld()
          }}
        />
      )}
    </div>
  )
}
