import { apply } from 'ol/transform.js'
import Layer from 'ol/layer/Layer.js'
import type { FrameState } from 'ol/Map.js'
import { fromLonLat } from 'ol/proj.js'
import { coloursOf } from '../chart/colours.ts'
import { CLUSTER_PX, type Mark } from './clusters.ts'
import { type Kind, markRadius, spritesOf } from './sprites.ts'

interface Placed extends Mark {
  at: number[]
}
const REACH = 6
const LABEL_PX = 12

/** All marks on one canvas, copied from sprites; finds what is under the pointer by arithmetic. */
export class MarkLayer extends Layer {
  private marks: Placed[] = []
  private labels = new Map<number, string>()
  private chosen = new Set<number>()
  private readonly canvas = document.createElement('canvas')
  private sprite: ReturnType<typeof spritesOf>
  private readonly dark: boolean

  constructor(kinds: readonly Kind[], dark: boolean) {
    super({ zIndex: 5 })
    this.dark = dark
    this.sprite = spritesOf(kinds, dark, devicePixelRatio)
    this.canvas.style.position = 'absolute'
    this.canvas.style.pointerEvents = 'none'
  }
  override getSourceState() {
    return 'ready' as const
  }
  show(marks: Mark[]): void {
    this.marks = marks.map((m) => ({ ...m, at: fromLonLat([m.lng, m.lat]) }))
    this.changed()
  }
  name(labels: Map<number, string>): void {
    this.labels = labels
    this.changed()
  }
  choose(points: readonly number[]): void {
    this.chosen = new Set(points)
    this.changed()
  }
  /** The mark nearest to a coordinate, within its own size. */
  under(at: number[], resolution: number): Mark | undefined {
    return this.nearest(at, resolution, (m) => markRadius(m.count) + REACH)
  }
  /** Where the mark stands that a point has gone into. */
  holding(at: number[], resolution: number): number[] | undefined {
    return this.nearest(at, resolution, (m) => (m.count === 1 ? 1 : CLUSTER_PX))?.at
  }
  private nearest(at: number[], resolution: number, within: (m: Mark) => number): Placed | undefined {
    let best: Placed | undefined
    let least = Infinity
    for (const m of this.marks) {
      const away = Math.hypot(m.at[0]! - at[0]!, m.at[1]! - at[1]!) / resolution
      if (away < within(m) && away < least) [best, least] = [m, away]
    }
    return best
  }

  override render(frame: FrameState): HTMLElement {
    const [width, height] = frame.size as [number, number]
    const ratio = frame.pixelRatio
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio)
      this.canvas.height = Math.round(height * ratio)
      this.canvas.style.width = `${width}px`
      this.canvas.style.height = `${height}px`
    }
    const c = this.canvas.getContext('2d')!
    c.setTransform(1, 0, 0, 1, 0, 0)
    c.clearRect(0, 0, this.canvas.width, this.canvas.height)
    const colours = coloursOf(this.dark)
    const taken: [number, number, number, number][] = []
    const spots = this.marks.map((m) => apply(frame.coordinateToPixelTransform, [...m.at]))
    this.marks.forEach((m, k) => {
      const [x, y] = spots[k] as [number, number]
      if (x < -40 || y < -40 || x > width + 40 || y > height + 40) return
      const image = this.sprite(m.count, m.kinds)
      c.drawImage(image, Math.round(x * ratio - image.width / 2), Math.round(y * ratio - image.height / 2))
      if (m.count === 1 && this.chosen.has(m.i)) {
        c.beginPath()
        c.arc(x * ratio, y * ratio, 14 * ratio, 0, 7)
        c.strokeStyle = '#409eff'
        c.lineWidth = 3 * ratio
        c.stroke()
      }
      const r = markRadius(m.count)
      if (this.labels.size) taken.push([x - r, y - r, x + r, y + r])
    })
    if (this.labels.size) {
      c.setTransform(ratio, 0, 0, ratio, 0, 0)
      c.font = `${LABEL_PX}px "PingFang SC","Microsoft YaHei","Noto Sans SC",sans-serif`
      c.textAlign = 'center'
      c.textBaseline = 'top'
      c.lineWidth = 3
      c.lineJoin = 'round'
      this.marks.forEach((m, k) => {
        const text = m.count === 1 ? this.labels.get(m.i) : undefined
        const [x, y] = spots[k] as [number, number]
        if (!text) return
        const half = c.measureText(text).width / 2
        const box: (typeof taken)[number] = [x - half, y + 12, x + half, y + 12 + LABEL_PX]
        if (taken.some((t) => t[0] < box[2] && t[2] > box[0] && t[1] < box[3] && t[3] > box[1])) return
        taken.push(box)
        c.strokeStyle = colours.card
        c.strokeText(text, x, box[1])
        c.fillStyle = colours.ink
        c.fillText(text, x, box[1])
      })
    }
    return this.canvas
  }
}
