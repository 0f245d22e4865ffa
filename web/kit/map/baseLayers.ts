import Feature from 'ol/Feature.js'
import TopoJSON from 'ol/format/TopoJSON.js'
import MultiPolygon from 'ol/geom/MultiPolygon.js'
import Point from 'ol/geom/Point.js'
import type Polygon from 'ol/geom/Polygon.js'
import type BaseLayer from 'ol/layer/Base.js'
import TileLayer from 'ol/layer/Tile.js'
import VectorLayer from 'ol/layer/Vector.js'
import VectorImageLayer from 'ol/layer/VectorImage.js'
import VectorSource from 'ol/source/Vector.js'
import XYZ from 'ol/source/XYZ.js'
import Fill from 'ol/style/Fill.js'
import Stroke from 'ol/style/Stroke.js'
import Style from 'ol/style/Style.js'
import Text from 'ol/style/Text.js'
import boundaries from './boundaries.json?url'

/** From here on cities are drawn and named, before it provinces. */
const CITIES_FROM = 6.6
const LOOKS = {
  light: { land: '#fbfcfd', city: '#dfe4ec', province: '#b9c4d2', name: '#68758a', halo: '#fbfcfd' },
  dark: { land: '#1b222c', city: '#2c3542', province: '#46536a', name: '#8996a6', halo: '#1b222c' },
}

interface Land {
  cities: Feature[]
  provinces: Feature[]
}
let land: Promise<Land> | undefined
/** The shipped boundaries, read once (docs/decisions/0020). */
function readLand(): Promise<Land> {
  land ??= fetch(boundaries).then(async (answer) => {
    // Read in one go: reading unpacks the arcs in place, and both layers share them.
    const all = new TopoJSON({ layerName: 'layer' }).readFeatures(await answer.json(), { dataProjection: 'EPSG:4326', featureProjection: 'EPSG:3857' }) as Feature[]
    const read = (name: string) => all.filter((f) => f.get('layer') === name)
    return { cities: read('cities'), provinces: read('provinces') }
  })
  land.catch(() => (land = undefined))
  return land
}

/** A name stands in the largest part of what it names. */
function nameOf(feature: Feature): Feature {
  const shape = feature.getGeometry() as Polygon | MultiPolygon
  const parts = shape instanceof MultiPolygon ? shape.getPolygons() : [shape]
  const largest = parts.reduce((a, b) => (b.getArea() > a.getArea() ? b : a))
  return new Feature({ geometry: new Point(largest.getInteriorPoint().getCoordinates().slice(0, 2)), name: feature.get('name') as string })
}

/** Land, borders and names without any network; tiles above them where the installation has some. */
export function baseLayers(dark: boolean, tiles: string | null, onTiles: (came: boolean) => void): BaseLayer[] {
  const look = LOOKS[dark ? 'dark' : 'light']
  const area = (fill: string | null, line: string, width: number, range: object) => new VectorImageLayer({ source: new VectorSource(), imageRatio: 1.4, style: new Style({ ...(fill ? { fill: new Fill({ color: fill }) } : {}), stroke: new Stroke({ color: line, width }) }), ...range })
  const shapes = { cities: area(null, look.city, 1, { minZoom: CITIES_FROM, zIndex: 1 }), provinces: area(look.land, look.province, 1.3, { zIndex: 0 }) }
  const text = new Text({ font: '12px "PingFang SC","Microsoft YaHei","Noto Sans SC",sans-serif', fill: new Fill({ color: look.name }), stroke: new Stroke({ color: look.halo, width: 3 }), overflow: true })
  const named = new Style({ text })
  const names = (range: object) => new VectorLayer({ source: new VectorSource(), declutter: true, updateWhileAnimating: false, zIndex: 2, style: (f) => { text.setText(f.get('name') as string); return named }, ...range })
  const labels = { cities: names({ minZoom: CITIES_FROM }), provinces: names({ maxZoom: CITIES_FROM }) }
  readLand().then(({ cities, provinces }) => {
    shapes.cities.getSource()!.addFeatures(cities)
    shapes.provinces.getSource()!.addFeatures(provinces)
    labels.cities.getSource()!.addFeatures(cities.map(nameOf))
    labels.provinces.getSource()!.addFeatures(provinces.map(nameOf))
  }, () => {})
  const layers: BaseLayer[] = [shapes.provinces, shapes.cities, labels.cities, labels.provinces]
  if (tiles) {
    const source = new XYZ({ url: tiles, maxZoom: 18 })
    // Where tiles come they have names of their own; where they do not, the boundaries stay.
    source.on('tileloadend', () => {
      onTiles(true)
      labels.cities.setVisible(false)
      labels.provinces.setVisible(false)
    })
    source.on('tileloaderror', () => onTiles(false))
    layers.push(new TileLayer({ source, className: 'map-tiles', zIndex: 3 }))
  }
  return layers
}
