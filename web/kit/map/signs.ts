import type { Colours } from '../chart/colours.ts'
import type { Tone } from '../State.tsx'

export type Shape = 'diamond' | 'alert' | 'triangle' | 'circle' | 'ring' | 'square'
/** A kind of point: never by colour alone, always by shape too (docs/looks.md). */
export interface Kind {
  label: string
  tone: Tone
  shape: Shape
}
const POINT = 9
const TURN = 2 * Math.PI

function outline(c: CanvasRenderingContext2D, shape: Shape, r: number): void {
  c.beginPath()
  if (shape === 'diamond')
    [
      [0, -r - 1],
      [r + 1, 0],
      [0, r + 1],
      [-r - 1, 0],
    ].forEach(([x, y]) => c.lineTo(x!, y!))
  else if (shape === 'triangle')
    [
      [0, -r],
      [r, r * 0.8],
      [-r, r * 0.8],
    ].forEach(([x, y]) => c.lineTo(x!, y!))
  else if (shape === 'square') c.rect(-r * 0.75, -r * 0.75, r * 1.5, r * 1.5)
  else c.arc(0, 0, r * 0.85, 0, TURN)
  c.closePath()
}

export function drawPoint(
  c: CanvasRenderingContext2D,
  { shape, tone }: Kind,
  colours: Colours,
  r = POINT,
): void {
  outline(c, shape, r)
  c.fillStyle = shape === 'ring' ? colours.card : colours.of({ tone }, 0)
  c.strokeStyle = shape === 'ring' ? colours.of({ tone }, 0) : colours.card
  c.lineWidth = shape === 'ring' ? 3 : 1.5
  c.fill()
  c.stroke()
  if (shape === 'diamond' || shape === 'alert') {
    c.fillStyle = '#fff'
    c.font = `700 ${r + 3}px sans-serif`
    c.textAlign = 'center'
    c.textBaseline = 'middle'
    c.fillText('!', 0, 1)
  }
}

const clusterRadius = (count: number): number => Math.min(30, 13 + 4 * Math.log10(count))
export const markRadius = (count: number): number => (count === 1 ? POINT : clusterRadius(count))
const many = (n: number): string => (n < 10_000 ? String(n) : `${(n / 10_000).toFixed(1)}万`)

/** A ring whose parts say what is in it, and how many. */
export function drawCluster(
  c: CanvasRenderingContext2D,
  count: number,
  of: readonly number[],
  kinds: readonly Kind[],
  colours: Colours,
): void {
  const r = clusterRadius(count)
  c.beginPath()
  c.arc(0, 0, r, 0, TURN)
  c.fillStyle = colours.card
  c.fill()
  let from = -TURN / 4
  of.forEach((n, k) => {
    if (!n) return
    c.beginPath()
    c.arc(0, 0, r - 2, from, (from += (n / count) * TURN))
    c.lineWidth = 4
    c.strokeStyle = colours.of({ tone: kinds[k]!.tone }, 0)
    if (kinds[k]!.shape === 'ring') c.setLineDash([2, 2])
    c.stroke()
    c.setLineDash([])
  })
  c.fillStyle = colours.ink
  c.font = '600 12px sans-serif'
  c.textAlign = 'center'
  c.textBaseline = 'middle'
  c.fillText(many(count), 0, 0.5)
}
