import './placedBox.css'

const HUNDREDTHS = 100
interface Place {
  x: number
  y: number
  w: number
  h: number
}
const part = (value: number) => `${value / HUNDREDTHS}%`
const styleOf = ({ h, w, x, y }: Place) => ({ left: part(x), top: part(y), width: part(w), height: part(h) })

/** A rectangle that is only seen. */
export const PlacedMark = ({ as, at }: { as: string; at: Place }) => (
  <span className={as} style={styleOf(at)} />
)

/** A rectangle over a picture, in ten-thousandths of it, that can be chosen. */
export function PlacedBox({
  at,
  label,
  on,
  onChoose,
}: {
  at: Place
  label: string
  on: boolean
  onChoose: () => void
}) {
  return (
    <button
      className="placed-box"
      aria-label={label}
      aria-pressed={on}
      style={styleOf(at)}
      onPointerDown={(e) => {
        e.stopPropagation()
        onChoose()
      }}
    />
  )
}
