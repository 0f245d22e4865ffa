// Makes web/kit/map/boundaries.json from the map folder of echarts 4.9 (Apache-2.0); docs/decisions/0020 says why.
//   node tools/boundaries.mjs <unpacked echarts@4.9.0>     needs: npx mapshaper
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = join(process.argv[2], 'map', 'json', 'province')
/** Features that came without a code of their own, by the file they stand in. */
const PROVINCE = { 'shanghai.json': '31', 'taiwan.json': '71', 'xizang.json': '54' }

/** echarts' own packing: two letters a step, zigzag, 1/1024 of a degree. */
function unpack(text, [x, y]) {
  const points = []
  for (let i = 0; i < text.length; i += 2) {
    const [dx, dy] = [text.charCodeAt(i) - 64, text.charCodeAt(i + 1) - 64].map((v) => (v >> 1) ^ -(v & 1))
    points.push([(x += dx) / 1024, (y += dy) / 1024])
  }
  return points
}
const closed = (ring) => (String(ring[0]) === String(ring.at(-1)) ? ring : [...ring, ring[0]])

const features = readdirSync(folder)
  .filter((f) => f.endsWith('.json'))
  .flatMap((file) =>
    JSON.parse(readFileSync(join(folder, file), 'utf8')).features.map((f) => {
      const { type, coordinates, encodeOffsets } = f.geometry
      const [polygons, offsets] =
        type === 'Polygon' ? [[coordinates], [encodeOffsets]] : [coordinates, encodeOffsets]
      const shape = polygons.map((rings, i) =>
        rings.map((ring, k) => closed(typeof ring === 'string' ? unpack(ring, offsets[i][k]) : ring)),
      )
      return {
        type: 'Feature',
        properties: { name: f.properties.name, p: f.id ? String(f.id).slice(0, 2) : PROVINCE[file] },
        geometry: { type: 'MultiPolygon', coordinates: shape },
      }
    }),
  )
const names = JSON.parse(readFileSync(join(folder, '..', 'china.json'), 'utf8')).features.map((f) => [
  String(f.id).slice(0, 2),
  f.properties.name,
])

const raw = join(tmpdir(), 'zhuguan-cities.json')
writeFileSync(raw, JSON.stringify({ type: 'FeatureCollection', features }))
execFileSync(
  'npx',
  [
    '--yes',
    'mapshaper',
    '-i',
    raw,
    'name=cities',
    'snap',
    'snap-interval=0.004',
    '-clean',
    'gap-fill-area=40km2',
    '-filter-islands',
    'min-area=3km2',
    '-simplify',
    'visvalingam',
    '22%',
    'keep-shapes',
    '-clean',
    '-dissolve',
    'p',
    '+',
    'name=provinces',
    '-each',
    `name = (${JSON.stringify(Object.fromEntries(names))})[p]`,
    '-o',
    join(import.meta.dirname, '..', 'web', 'kit', 'map', 'boundaries.json'),
    'format=topojson',
    'quantization=60000',
    'target=*',
  ],
  { stdio: 'inherit' },
)
