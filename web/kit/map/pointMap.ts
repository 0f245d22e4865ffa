import type { Place } from '@zhuguan/contract/kit/places.ts'
import ScaleLine from 'ol/control/ScaleLine.js'
import Zoom from 'ol/control/Zoom.js'
import Feature from 'ol/Feature.js'
import LineString from 'ol/geom/LineString.js'
import Polygon from 'ol/geom/Polygon.js'
import Draw from 'ol/interaction/Draw.js'
import TileLayer from 'ol/layer/Tile.js'
import VectorLayer from 'ol/layer/Vector.js'
import OlMap from 'ol/Map.js'
import Overlay from 'ol/Overlay.js'
import { fromLonLat, toLonLat, transformExtent } from 'ol/proj.js'
import VectorSource from 'ol/source/Vector.js'
import XYZ from 'ol/source/XYZ.js'
import Fill from 'ol/style/Fill.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import View from 'ol/View.js'

import 'ol/ol.css'
import { hueOf } from '../chart/colours.ts'
import { type Box, type Mark, openClusters, type Points } from './clusters.ts'
import { LandLayer } from './LandLayer.ts'
import { MarkLayer } from './MarkLayer.ts'
import type { Kind } from './signs.ts'

const DEGREE = 1e6
const CHINA: Box = [73, 17, 136, 54]
const MAX_ZOOM = 18
const NEAR = 13
const STEP_PX = 4
const MOST_CORNERS = 60
/** The distance outside the picture at which marks are ready for a drag. */
const MARGIN = 0.3

export interface Way {
  places: readonly Place[]
  /** Its colour among things; null is grey. */
  hue: number | null
}
export interface MapHandlers {
  /** Points under a click, what needs a person first; empty for a click beside them. */
  onPick: (points: number[], place: Place) => void
  onHover: (mark: Mark | undefined, pixel: [number, number]) => void
  /** Single points in the picture, once it rests. */
  onView: (singles: number[]) => void
  onArea: (area: string) => void
  onMove: (to: Place) => void
  onTiles: (came: boolean) => void
}
export type PointMap = ReturnType<typeof openPointMap>
export interface Standpoint {
  center: number[]
  zoom: number
}

const cornersOf = (area: string) => area.split(';').map((corner) => fromLonLat(corner.split(',').map(Number)))
const textOf = (corners: number[][]) =>
  corners
    .map((c) =>
      toLonLat(c)
        .map((v) => v.toFixed(5))
        .join(','),
    )
    .join(';')

/** A map of many points. It knows kinds and places, not what they are. */
export function openPointMap(
  target: HTMLElement,
  o: {
    kinds: readonly Kind[]
    dark: boolean
    tiles: string | null
    at: Standpoint | null
    handlers: () => MapHandlers
  },
) {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const clusters = openClusters(o.kinds.length)
  const marks = new MarkLayer(o.kinds, o.dark)
  const ground = new LandLayer(o.dark)
  // Where tiles come they have names of their own; where they do not, the boundaries stay.
  const tileLayer = (url: string) => {
    const source = new XYZ({ url, maxZoom: MAX_ZOOM })
    source.once('tileloadend', () => ground.hideNames())
    source.on('tileloadend', () => o.handlers().onTiles(true))
    source.on('tileloaderror', () => o.handlers().onTiles(false))
    return new TileLayer({ source, className: 'map-tiles', zIndex: 3 })
  }
  const drawn = new VectorSource<Feature<Polygon>>()
  const line = new Style({
    fill: new Fill({ color: '#409eff22' }),
    stroke: new Stroke({ color: '#1769c4', width: 2, lineDash: [6, 4] }),
  })
  const ways = new VectorSource<Feature<LineString>>()
  const view = new View(
    o.at
      ? { ...o.at, maxZoom: MAX_ZOOM, minZoom: 3 }
      : { center: fromLonLat([108, 34]), zoom: 4, maxZoom: MAX_ZOOM, minZoom: 3 },
  )
  const map = new OlMap({
    target,
    view,
    keyboardEventTarget: target,
    layers: [
      ground,
      ...(o.tiles ? [tileLayer(o.tiles)] : []),
      new VectorLayer({ source: drawn, style: line, zIndex: 4 }),
      new VectorLayer({ source: ways, zIndex: 4 }),
      marks,
    ],
    controls: [
      new Zoom({ zoomInTipLabel: '放大', zoomOutTipLabel: '缩小' }),
      new ScaleLine({ minWidth: 60 }),
    ],
  })
  // The control's buttons hold a sign; what they do is said in words too.
  for (const [name, label] of [
    ['in', '放大'],
    ['out', '缩小'],
  ])
    target.querySelector(`.ol-zoom-${name}`)!.setAttribute('aria-label', label!)
  let points: Points = { lng: [], lat: [], kind: new Uint8Array() }
  let placed = !!o.at
  let asked = 0
  let lasso: Draw | undefined
  let mover: Overlay | undefined
  /** Puts the handle somewhere by hand. */
  let put: ((at: number[]) => void) | undefined
  /** The handle waits in the middle of the picture until somebody puts it somewhere. */
  let adrift = false
  let beating: readonly number[] = []
  let pulses: Overlay[] = []
  const placeOf = (i: number): [number, number] => [points.lng[i]! / DEGREE, points.lat[i]! / DEGREE]

  async function look(): Promise<void> {
    const size = map.getSize()
    const zoom = view.getZoom()
    if (!size || zoom === undefined) return
    const [west, south, east, north] = transformExtent(
      view.calculateExtent(size),
      'EPSG:3857',
      'EPSG:4326',
    ) as Box
    const [x, y] = [(east - west) * MARGIN, (north - south) * MARGIN]
    asked += 1
    const mine = asked
    const found = await clusters.view([west - x, south - y, east + x, north + y], Math.round(zoom))
    // Only the newest answer is drawn.
    if (mine !== asked) return
    marks.show(found)
    beat()
    o.handlers().onView(
      found
        .filter((m) => m.i >= 0 && m.lng >= west && m.lng <= east && m.lat >= south && m.lat <= north)
        .map((m) => m.i),
    )
  }
  /** The rings stand on the marks that hold their points. */
  function beat(): void {
    for (const overlay of pulses) map.removeOverlay(overlay)
    const spots = beating
      .filter((i) => i < points.kind.length)
      .map((i) => fromLonLat(placeOf(i)))
      .map((at) => marks.holding(at, view.getResolution()!) ?? at)
    pulses = [...new Map(spots.map((at) => [at.join(), at])).values()].map((position) => {
      const element = document.createElement('i')
      element.className = 'map-pulse'
      return new Overlay({ element, position, positioning: 'center-center', stopEvent: false })
    })
    for (const overlay of pulses) map.addOverlay(overlay)
  }
  function fit(which: readonly number[]): void {
    if (which.length === 0) return
    let [west, south, east, north] = [180, 90, -180, -90]
    for (const i of which) {
      const [lng, lat] = placeOf(i)
      west = Math.min(west, lng)
      east = Math.max(east, lng)
      south = Math.min(south, lat)
      north = Math.max(north, lat)
    }
    view.fit(transformExtent([west, south, east, north], 'EPSG:4326', 'EPSG:3857'), {
      padding: [70, 70, 70, 70],
      maxZoom: NEAR,
      duration: placed && !still ? 200 : 0,
    })
    placed = true
  }

  map.on('moveend', () => void look())
  map.on('pointermove', (e) => {
    if (e.dragging || lasso || mover) return
    const mark = marks.under(e.coordinate, view.getResolution()!)
    target.style.cursor = mark ? 'pointer' : ''
    o.handlers().onHover(mark, e.pixel as [number, number])
  })
  map.on('click', async (e) => {
    if (lasso) return
    if (put) return put(e.coordinate)
    const mark = marks.under(e.coordinate, view.getResolution()!)
    const [lng, lat] = toLonLat(e.coordinate) as [number, number]
    o.handlers().onPick(mark ? await pointsOf(mark) : [], { lng, lat })
  })
  const pointsOf = async (mark: Mark): Promise<number[]> =>
    mark.cluster === null ? [mark.i] : clusters.members(mark.cluster)

  function stopLasso(): void {
    if (lasso) map.removeInteraction(lasso)
    lasso = undefined
    target.classList.remove('drawing')
  }
  function stopMove(): void {
    if (mover) map.removeOverlay(mover)
    mover = undefined
    put = undefined
    adrift = false
  }

  return {
    async show(next: Points, refit: boolean): Promise<void> {
      points = next
      await clusters.load(next)
      // A point that is being put in its place keeps the picture where it is.
      if ((refit || !placed) && !(mover && !adrift)) {
        if (next.kind.length) fit(next.lng.map((_, i) => i))
        else if (!placed) view.fit(transformExtent(CHINA, 'EPSG:4326', 'EPSG:3857'))
        if (adrift) mover?.setPosition(view.getCenter())
      }
      await look()
    },
    fit,
    choose: (which: readonly number[]) => marks.choose(which),
    name: (labels: Map<number, string>) => marks.name(labels),
    /** A ring that beats where something has just happened. */
    pulse(which: readonly number[]): void {
      beating = which
      beat()
    },
    startLasso(): void {
      stopLasso()
      target.classList.add('drawing')
      lasso = new Draw({ type: 'Polygon', freehand: true, stopClick: true, style: line })
      lasso.on('drawend', ({ feature }) => {
        const ring = (shape: Polygon) => shape.getCoordinates()[0]!.slice(0, -1)
        const shape = (feature as Feature<Polygon>).getGeometry()!
        let corners = ring(shape)
        for (let coarse = view.getResolution()! ** 2; corners.length > MOST_CORNERS; coarse *= 4)
          corners = ring(shape.simplify(Math.sqrt(coarse)) as Polygon)
        stopLasso()
        if (corners.length >= 3) o.handlers().onArea(textOf(corners))
      })
      map.addInteraction(lasso)
    },
    stopLasso,
    area(text: string | undefined): void {
      drawn.clear()
      if (text) drawn.addFeature(new Feature(new Polygon([cornersOf(text)])))
    },
    /** Places joined by straight lines, in their order, each way in its colour. */
    lines(all: readonly Way[]): void {
      ways.clear()
      for (const { hue, places } of all.filter((one) => one.places.length > 1)) {
        const feature = new Feature(new LineString(places.map((p) => fromLonLat([p.lng, p.lat]))))
        feature.setStyle(new Style({ stroke: new Stroke({ color: hueOf(hue, o.dark), width: 3 }) }))
        ways.addFeature(feature)
      }
    },
    /** A handle: dragged, put by a click, moved with arrow keys; starts at `from`, or in the middle of the picture. */
    startMove(from: Place | null): void {
      stopMove()
      const element = document.createElement('button')
      element.className = 'map-move'
      element.setAttribute('aria-label', '拖动到正确的位置，方向键微调')
      const overlay = new Overlay({
        element,
        position: from ? fromLonLat([from.lng, from.lat]) : view.getCenter()!,
        positioning: 'center-center',
      })
      const here = (at: number[]) => {
        adrift = false
        overlay.setPosition(at)
        const [lng, lat] = toLonLat(at) as [number, number]
        o.handlers().onMove({ lng: Number(lng.toFixed(6)), lat: Number(lat.toFixed(6)) })
      }
      element.onpointerdown = (e) => {
        e.preventDefault()
        element.focus()
        element.setPointerCapture(e.pointerId)
        element.onpointermove = (m) => here(map.getEventCoordinate(m))
        element.onpointerup = element.onpointercancel = () => (element.onpointermove = null)
      }
      element.onkeydown = (e) => {
        const [x, y] =
          { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key] ?? []
        if (x === undefined) return
        e.preventDefault()
        e.stopPropagation()
        const [a, b] = overlay.getPosition() as [number, number]
        here([a + x * STEP_PX * view.getResolution()!, b + y! * STEP_PX * view.getResolution()!])
      }
      mover = overlay
      put = here
      adrift = from === null
      map.addOverlay(overlay)
      if (from)
        view.animate({
          center: fromLonLat([from.lng, from.lat]),
          zoom: Math.max(NEAR, view.getZoom() ?? 0),
          duration: still ? 0 : 200,
        })
      element.focus()
    },
    stopMove,
    standpoint: (): Standpoint => ({ center: view.getCenter()!, zoom: view.getZoom()! }),
    close(): void {
      map.setTarget(undefined)
      map.dispose()
      clusters.close()
    },
  }
}
