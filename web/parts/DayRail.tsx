import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { type ReactNode, useState } from 'react'

import type { Frame } from './frames.ts'

import './dayRail.css'

const titleOf = (f: Frame) => [f.day, f.stage && siteStage.label(f.stage)].filter(Boolean).join(' ')

/** The beginning of each stage; a name stands where there is room for it. */
const ROOM = 11
const WHOLE = 100
const LATE = 90
function marksOf(frames: readonly Frame[]) {
  let named = -ROOM
  return frames.flatMap((f, i) => {
    if (f.stage === null || f.stage === frames[i - 1]?.stage) return []
    const left = (i / (frames.length - 1)) * WHOLE
    const hasRoom = left - named >= ROOM
    if (hasRoom) named = left
    return [{ i, left, name: siteStage.label(f.stage), hasRoom }]
  })
}

/** Pictures lie upon each other, so that none has to be fetched while the rail is dragged. */
function Reel({
  frames,
  at,
  all,
  label,
  onAt,
  picture,
}: {
  frames: readonly Frame[]
  at: number
  all: boolean
  label: string
  onAt: (at: number) => void
  picture: (key: string, title: string) => ReactNode
}) {
  const shown = frames[at]!
  return (
    <figure className="day-reel">
      <div className="day-frames">
        {frames.map(
          (f, i) =>
            (all || Math.abs(i - at) <= 1) && (
              <div key={f.key} className={i === at ? 'on' : undefined} aria-hidden={i !== at}>
                {picture(f.key, titleOf(f))}
              </div>
            ),
        )}
      </div>
      <figcaption>
        <b>{titleOf(shown)}</b>
        <span>
          第 {at + 1} 张，共 {frames.length} 天
        </span>
      </figcaption>
      <div className="day-track">
        <input
          type="range"
          min={0}
          max={frames.length - 1}
          step={1}
          value={at}
          aria-label={label}
          aria-valuetext={titleOf(shown)}
          onChange={(e) => onAt(Number(e.target.value))}
        />
        <div className="day-marks">
          {marksOf(frames).map((m) => (
            <button
              key={m.i}
              type="button"
              className={`${m.hasRoom ? '' : 'bare'} ${m.left > LATE ? 'late' : ''}`}
              style={{ left: `${m.left}%` }}
              title={m.name}
              aria-label={`到${m.name}`}
              onClick={() => onAt(m.i)}
            >
              {m.hasRoom && m.name}
            </button>
          ))}
        </div>
      </div>
    </figure>
  )
}

/**
 * A home from one place at one hour, a picture a day, dragged like a film; or two of its days side by side. What is not
 * masked and released is not among its pictures.
 */
export function DayRail({
  frames,
  at,
  onAt,
  picture,
}: {
  frames: readonly Frame[]
  at: number
  onAt: (at: number) => void
  picture: (key: string, title: string) => ReactNode
}) {
  const [begun] = useState(at)
  const [touched, setTouched] = useState(false)
  const [other, setOther] = useState<number | null>(null)
  const last = frames.length - 1
  // Of those that are there now: one may have been taken back meanwhile.
  const inside = (i: number) => Math.min(last, Math.max(0, i))
  /** The first day beside the one that is shown; on the first day itself beside the last. */
  function compare() {
    if (inside(at) === 0) onAt(last)
    setOther(0)
  }
  const reel = { frames, picture, all: touched || at !== begun || other !== null }
  return (
    <div className="day-rail" onPointerDown={() => setTouched(true)} onFocus={() => setTouched(true)}>
      <div className={other === null ? undefined : 'two'}>
        {other !== null && <Reel {...reel} label="时间轴，对照的一天" at={inside(other)} onAt={setOther} />}
        <Reel {...reel} label="时间轴" at={inside(at)} onAt={onAt} />
      </div>
      <button
        type="button"
        className="button"
        aria-pressed={other !== null}
        onClick={() => (other === null ? compare() : setOther(null))}
      >
        {other === null ? '两天对照' : '只看一天'}
      </button>
    </div>
  )
}
