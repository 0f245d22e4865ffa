import './placedBox.css'

const HUNDREDTHS = 100

/** A rectangle over a picture, in ten-thousandths of it, that can be chosen. */
export function PlacedBox({
  at: { h, w, x, y },
  label,
  on,
  onChoose,
}: {
  at: { x: number; y: number; w: number; h: number }
  label: string
  on: boolean
  onChoose: () => void
}) {
  const part = (value: number) => `${value / HUNDREDTHS}%`
  return (
    <button
      className="placed-box"
      aria-label={label}
      aria-pressed={on}
      style={{ left: part(x), top: part(y), width: part(w), height: part(h) }}
      onPointerDown={(e) => {
        e.stopPropagation()
        onChoose()
      }}
    />
  )
}
