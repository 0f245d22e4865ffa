/** A small line over days, zero-based; the last point is today. */
export function Trend({ values, label }: { values: number[]; label: string }) {
  const max = Math.max(...values, 1)
  const step = 200 / Math.max(1, values.length - 1)
  const at = (v: number, i: number) => `${(i * step).toFixed(1)},${(32 - (v / max) * 28).toFixed(1)}`
  const line = values.map(at).join(' ')
  return (
    <svg
      className="trend"
      viewBox="0 0 200 36"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}，近 ${values.length} 天：${values.join('、')}`}
    >
      <polygon points={`0,34 ${line} 200,34`} fill="#409eff" opacity=".13" />
      <polyline
        points={line}
        fill="none"
        stroke="#409eff"
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
