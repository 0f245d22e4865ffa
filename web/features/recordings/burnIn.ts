import { full, nowSeconds } from '../../kit/time.ts'

/** The words on every picture that leaves the page: what it shows, and who took it when. */
export interface Burnt {
  shows: string
  taken: string
}
export const burnt = (second: number, sn: string, who: string, does: string, at = nowSeconds()): Burnt => ({
  shows: `回放 ${full(Math.floor(second))} ${sn}`,
  taken: `${who} ${does}于 ${full(at)}`,
})

type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D
/** Writes it over the lower edge: what goes round can be traced. */
export function burnIn(pen: Pen, { shows, taken }: Burnt): void {
  const { width, height } = pen.canvas
  const size = Math.max(10, Math.round(width / 50))
  pen.font = `${size}px sans-serif`
  pen.fillStyle = '#000000a6'
  pen.fillRect(0, height - size * 3.2, width, size * 3.2)
  pen.fillStyle = '#fff'
  for (const [i, line] of [shows, taken].entries())
    pen.fillText(line, size / 2, height - size * (1.9 - i * 1.4), width - size)
}
