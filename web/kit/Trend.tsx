import { type PointerEvent, useState } from 'react'

const [WIDTH, HEIGHT, BASE, ROOM] = [200, 36, 32, 28]

interface Props {
  /** Null where nothing was kept: the line has a gap there. */
  values: readonly (number | null)[]
  /** The day of each value. */
  days: readonly string[]
  label: string
  unit?: string
  /** The last value is of a day that is not over: it is drawn apart. */
  running?: boolean
  onPick?: () => void
}

/** A small line over days, zero-based; the pointer or the arrow keys ask it for single days. */
export function Trend({ values, days, label, unit = '', running = false, onPick }: Props) {
  const [asked, setAsked] = useState<number | null>(null)
  const max = Math.max(...values.map((v) => v ?? 0), 1)
  const step = WIDTH / Math.max(1, values.length - 1)
  const points = values.map((v, i) => (v === null ? null : { x: i * step, y: BASE - (v / max) * ROOM, i }))
  const last = running ? values.length - 1 : values.length
  const runs: { x: number; y: number }[][] = [[]]
  for (const p of points.slice(0, last))
    if (p) runs.at(-1)!.push(p)
    else runs.push([])
  const text = (run: readonly { x: number; y: number }[]) =>
    run.map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(' ')
  const [before, now] = [points[last - 1], running ? points[last] : null]
  const end = values.length - 1
  const dayOf = (i: number) => `${days[i]?.slice(5) ?? ''}${running && i === end ? '（进行中）' : ''}`
  const said = (i: number) => `${dayOf(i)}：${values[i] === null ? '没有记录' : `${values[i]} ${unit}`}`
  const follow = (e: PointerEvent<HTMLElement>) => {
    const box = e.currentTarget.getBoundingClientRect()
    setAsked(Math.max(0, Math.min(end, Math.round(((e.clientX - box.left) / box.width) * end))))
  }
  return (
    <span
      className="trend-box"
      role="img"
      tabIndex={0}
      aria-label={`${label}，近 ${values.length} 天：${values.map((_, i) => said(i)).join('、')}`}
      onPointerMove={follow}
      onPointerLeave={() => setAsked(null)}
      onFocus={() => setAsked((old) => old ?? end)}
      onBlur={() => setAsked(null)}
      onKeyDown={(e) => {
        const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key]
        if (!by) return
        e.preventDefault()
        setAsked((old) => Math.max(0, Math.min(end, (old ?? end) + by)))
      }}
      onClick={onPick}
    >
      <svg className="trend" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {runs
          .filter((run) => run.length)
          .map((run) => (
            <g key={run[0]!.x}>
              <polygon points={`${run[0]!.x},34 ${text(run)} ${run.at(-1)!.x},34`} className="area" />
              <polyline points={text(run)} className="line" vectorEffect="non-scaling-stroke" />
            </g>
          ))}
        {before && now && (
          <polyline points={text([before, now])} className="line running" vectorEffect="non-scaling-stroke" />
        )}
        {asked !== null && (
          <line
            x1={asked * step}
            x2={asked * step}
            y1={0}
            y2={HEIGHT}
            className="asked"
            vectorEffect="non-scaling-stroke"
          />
        )}
      </svg>
      {asked !== null && (
        <span className="trend-said" role="status">
          {said(asked)}
        </span>
      )}
    </span>
  )
}
