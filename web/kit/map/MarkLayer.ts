import { fromLonLat } from 'ol/proj.js'

import { coloursOf } from '../chart/colours.ts'
import { CLUSTER_PX, type Mark } from './clusters.ts'
import { NAME_FONT, NAME_PX, spaces } from './labels.ts'
import { drawCluster, drawPoint, type Kind, markRadius } from './signs.ts'
import { type Sheet, StillLayer } from './StillLayer.ts'

interface Placed extends Mark {
  at: number[]
}
const REACH = 6
const BESIDE = 40

/** The more, the higher; clusters say of what they are. */
const urgency = (m: Mark) => (m.count > 1 ? 0 : -m.kinds[0]!)

/** Points and clusters; finds what is under the pointer by arithmetic. */
export class MarkLayer extends StillLayer {
  private marks: Placed[] = []
  private names = new Map<number, string>()
  private chosen = new Set<number>()
  private readonly kinds: readonly Kind[]
  private readonly dark: boolean

  constructor(kinds: readonly Kind[], dark: boolean) {
    super(5)
    this.kinds = kinds
    this.dark = dark
  }
  show(marks: Mark[]): void {
    this.marks = marks.map((m) => ({ ...m, at: fromLonLat([m.lng, m.lat]) }))
    this.renew()
  }
  name(names: Map<number, string>): void {
    this.names = names
    this.renew()
  }
  choose(points: readonly number[]): void {
    this.chosen = new Set(points)
    this.renew()
  }
  /** The mark nearest to a coordinate, within its own size. */
  under(at: number[], resolution: number): Mark | undefined {
    return this.nearest(at, resolution, (m) => markRadius(m.count) + REACH)
  }
  /** The mark that a point has gone into. */
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

  protected override paint(c: CanvasRenderingContext2D, { spot, width, height }: Sheet): void {
    const colours = coloursOf(this.dark)
    const space = spaces()
    const seen = this.marks
      .map((m) => ({ m, xy: spot(m.at) }))
      .filter(({ xy: [x, y] }) => x > -BESIDE && y > -BESIDE && x < width + BESIDE && y < height + BESIDE)
      // What needs a person most is drawn last, so nothing covers it.
      .toSorted((a, b) => urgency(a.m) - urgency(b.m))
    for (const {
      m,
      xy: [x, y],
    } of seen) {
      c.save()
      c.translate(x, y)
      if (m.count > 1) drawCluster(c, m.count, m.kinds, this.kinds, colours)
      else drawPoint(c, this.kinds[m.kinds[0]!]!, colours)
      if (m.count === 1 && this.chosen.has(m.i)) {
        c.beginPath()
        c.arc(0, 0, 14, 0, 7)
        c.strokeStyle = '#409eff'
        c.lineWidth = 3
        c.stroke()
      }
      c.restore()
      const r = markRadius(m.count)
      space.take([x - r, y - r, x + r, y + r])
    }
    c.font = NAME_FONT
    c.textAlign = 'center'
    c.textBaseline = 'top'
    c.lineWidth = 3
    c.lineJoin = 'round'
    c.strokeStyle = colours.card
    c.fillStyle = colours.ink
    const labels: { text: string; x: number; y: number; more: number }[] = []
    const crowded: (readonly [x: number, y: number])[] = []
    for (const { m, xy } of seen) {
      const text = m.count === 1 ? this.names.get(m.i) : undefined
      if (!text) continue
      const half = c.measureText(text).width / 2
      // Below, above, to the right, to the left.
      const places = [
        [xy[0], xy[1] + 12],
        [xy[0], xy[1] - 14 - NAME_PX],
        [xy[0] + half + 14, xy[1] - NAME_PX / 2],
        [xy[0] - half - 14, xy[1] - NAME_PX / 2],
      ] as const
      const isInside = (x: number, y: number) =>
        x >= half && x <= width - half && y >= 0 && y <= height - NAME_PX
      const free = places.find(([x, y]) => isInside(x, y) && space.free([x - half, y, x + half, y + NAME_PX]))
      if (free) labels.push({ text, x: free[0], y: free[1], more: 0 })
      else crowded.push(xy)
    }
    // A name that found no room is counted at the nearest one that did.
    for (const [x, y] of crowded) {
      const away = (label: { x: number; y: number }) => Math.hypot(label.x - x, label.y - y)
      const nearest = labels.toSorted((a, b) => away(a) - away(b))[0]
      if (nearest) nearest.more += 1
    }
    for (const { text, x, y, more } of labels) {
      const said = more ? `${text} +${more}` : text
      c.strokeText(said, x, y)
      c.fillText(said, x, y)
    }
  }
}
