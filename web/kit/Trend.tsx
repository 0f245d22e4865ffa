const [WIDTH, HEIGHT, BASE, ROOM] = [200, 36, 32, 28]

interface Props {
  /** Null where nothing was kept: the line has a gap there. */
  values: readonly (number | null)[]
  label: string
  /** The last value is of a day that is not over: it is drawn apart. */
  running?: boolean
}

/** A small line over days, zero-based. */
export function Trend({ values, label, running = false }: Props) {
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
  return (
    <svg
      className="trend"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}，近 ${values.length} 天：${values.map((v) => v ?? '没有记录').join('、')}`}
    >
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
    </svg>
  )
}
