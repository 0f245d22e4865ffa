import { containsCoordinate, type Extent, getHeight, getWidth, intersects } from 'ol/extent.js'
import type Feature from 'ol/Feature.js'
import TopoJSON from 'ol/format/TopoJSON.js'
import MultiPolygon from 'ol/geom/MultiPolygon.js'
import type Polygon from 'ol/geom/Polygon.js'
import { fromLonLat } from 'ol/proj.js'

import boundaries from './boundaries.json?url'
import { DISTRICTS } from './districts.ts'
import { NAME_FONT, NAME_PX, spaces } from './labels.ts'
import { type Sheet, StillLayer } from './StillLayer.ts'

/** Up to here (metres a pixel) cities are drawn and named, above it provinces. */
const CITIES_TO = 1_600
/** Up to here districts are named. */
const DISTRICTS_TO = 150
/** Up to here a city whose middle is outside the picture is named where it is seen. */
const SEEN_TO = 400
/** Islands and steps that nobody could see are not drawn. */
const SPECK_PX = 1.5
const STEP_PX = 1
const LOOKS = {
  light: { land: '#fbfcfd', city: '#dfe4ec', province: '#b9c4d2', name: '#68758a' },
  dark: { land: '#1b222c', city: '#2c3542', province: '#46536a', name: '#8996a6' },
}

interface Place {
  name: string
  shape: MultiPolygon | Polygon
  extent: Extent
  /** Flat x, y, x, y … of each ring, with its width or height, whichever is more. */
  rings: { line: number[]; span: number }[]
  middle: number[]
  size: number
}
interface Land {
  cities: Place[]
  provinces: Place[]
}

function placeOf(feature: Feature): Place {
  const shape = feature.getGeometry() as Polygon | MultiPolygon
  const parts = shape instanceof MultiPolygon ? shape.getPolygons() : [shape]
  const largest = parts.reduce((a, b) => (b.getArea() > a.getArea() ? b : a))
  const rings = parts.flatMap((part) =>
    part.getLinearRings().map((ring) => ({
      line: ring.getFlatCoordinates(),
      span: Math.max(getWidth(ring.getExtent()), getHeight(ring.getExtent())),
    })),
  )
  // A name stands in the largest part of what it names.
  return {
    name: feature.get('name') as string,
    shape,
    extent: shape.getExtent(),
    rings,
    middle: largest.getInteriorPoint().getCoordinates(),
    size: largest.getArea(),
  }
}

const SEATS = DISTRICTS.map(([name, lng, lat]) => ({ name, at: fromLonLat([lng, lat]) }))
/** Tried from the middle of the picture outward, in shares of its size. */
const SPOTS = [0.5, 0.35, 0.65, 0.2, 0.8]
/**
 * The point where a place is named: in its middle, or, when that is outside, where it is seen nearest to the
 * picture's.
 */
function namedAt({ shape, middle }: Place, { extent, resolution }: Sheet): number[] {
  if (resolution > SEEN_TO || containsCoordinate(extent, middle)) return middle
  const [west, south, east, north] = extent as [number, number, number, number]
  const spots = SPOTS.flatMap((x) =>
    SPOTS.map((y) => [west + x * (east - west), south + y * (north - south)]),
  )
  const away = ([x, y]: number[]) => Math.hypot(x! - (west + east) / 2, y! - (south + north) / 2)
  return spots.toSorted((a, b) => away(a) - away(b)).find((at) => shape.intersectsCoordinate(at)) ?? middle
}

let land: Promise<Land> | undefined
/** The shipped boundaries, read once (docs/decisions/0020). */
function readLand(): Promise<Land> {
  land ??= fetch(boundaries).then(async (answer) => {
    // Read in one go: reading unpacks the arcs in place, and both layers share them.
    const all = new TopoJSON({ layerName: 'layer' }).readFeatures(await answer.json(), {
      dataProjection: 'EPSG:4326',
      featureProjection: 'EPSG:3857',
    }) as Feature[]
    const read = (name: string) =>
      all
        .filter((f) => f.get('layer') === name)
        .map(placeOf)
        .sort((a, b) => b.size - a.size)
    return { cities: read('cities'), provinces: read('provinces') }
  })
  land.catch(() => (land = undefined))
  return land
}

/** Land, borders and names without a network. */
export class LandLayer extends StillLayer {
  private land: Land | undefined
  private readonly look: (typeof LOOKS)['light']
  private named = true

  constructor(dark: boolean) {
    super(0)
    this.look = LOOKS[dark ? 'dark' : 'light']
    readLand().then(
      (read) => {
        this.land = read
        this.renew()
      },
      () => {},
    )
  }
  /** Tiles have names of their own. */
  hideNames(): void {
    this.named = false
    this.renew()
  }

  protected override paint(c: CanvasRenderingContext2D, sheet: Sheet): void {
    if (!this.land) return
    const { extent, resolution } = sheet
    const shown = (places: Place[]) => places.filter((p) => intersects(p.extent, extent))
    const trace = (places: Place[]) => {
      c.beginPath()
      for (const { rings } of places)
        for (const { line, span } of rings) {
          if (span < resolution * SPECK_PX) continue
          let [px, py] = [Infinity, Infinity]
          for (let i = 0; i < line.length; i += 2) {
            const [x, y] = [(line[i]! - extent[0]!) / resolution, (extent[3]! - line[i + 1]!) / resolution]
            if (i > 0 && Math.abs(x - px) < STEP_PX && Math.abs(y - py) < STEP_PX) continue
            if (i === 0) c.moveTo(x, y)
            else c.lineTo(x, y)
            ;[px, py] = [x, y]
          }
        }
    }
    const outline = (colour: string, wide: number) => {
      c.strokeStyle = colour
      c.lineWidth = wide
      c.stroke()
    }
    const near = resolution <= CITIES_TO
    const [provinces, cities] = [shown(this.land.provinces), near ? shown(this.land.cities) : []]
    c.lineJoin = 'round'
    trace(provinces)
    c.fillStyle = this.look.land
    c.fill('evenodd')
    if (near) {
      trace(cities)
      outline(this.look.city, 1)
      trace(provinces)
    }
    outline(this.look.province, 1.3)
    if (this.named) this.write(c, near ? cities : provinces, sheet)
  }

  /** The larger first; a name that would lie on another is left out. */
  private write(c: CanvasRenderingContext2D, places: Place[], sheet: Sheet): void {
    const { spot, resolution } = sheet
    const space = spaces()
    c.font = NAME_FONT
    c.textAlign = 'center'
    c.textBaseline = 'middle'
    c.fillStyle = this.look.name
    const names = [
      ...places.map((place) => ({ name: place.name, at: namedAt(place, sheet) })),
      ...(resolution <= DISTRICTS_TO ? SEATS : []),
    ]
    for (const { name, at } of names) {
      const [x, y] = spot(at)
      const half = (name.length * NAME_PX) / 2 + 6
      if (space.free([x - half, y - NAME_PX, x + half, y + NAME_PX])) c.fillText(name, x, y)
    }
  }
}
