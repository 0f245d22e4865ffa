import Supercluster from 'supercluster'

import { type Asked, CLUSTER_PX, type Mark, type Told } from './clusters.ts'

/** A point as the index sees it: its place in the columns, and one in the column of its kind. */
interface Props {
  i: number
  kind: number
}
interface Sums {
  kinds: number[]
}
const DEEPEST = 17
const DEGREE = 1e6

let index: Supercluster<Props, Sums> | undefined
const worker = self as unknown as {
  onmessage: (e: MessageEvent<Asked>) => void
  postMessage: (told: Told) => void
}

const single = (kind: number, of: number): number[] =>
  Array.from({ length: of }, (_, k) => (k === kind ? 1 : 0))

worker.onmessage = ({ data: asked }) => {
  if (asked.what === 'load') {
    const { lng, lat, kind, kinds } = asked
    index = new Supercluster<Props, Sums>({
      radius: CLUSTER_PX,
      maxZoom: DEEPEST,
      extent: 256,
      minPoints: 3,
      map: (p) => ({ kinds: single(p.kind, kinds) }),
      reduce: (sum, one) => {
        sum.kinds = sum.kinds.map((n, k) => n + one.kinds[k]!)
      },
    })
    index.load(
      Array.from(lng, (_, i) => ({
        type: 'Feature',
        properties: { i, kind: kind[i]! },
        geometry: { type: 'Point', coordinates: [lng[i]! / DEGREE, lat[i]! / DEGREE] },
      })),
    )
    worker.postMessage({ n: asked.n, marks: [] })
  } else if (asked.what === 'view') {
    const marks = (index?.getClusters(asked.box, asked.zoom) ?? []).map((f): Mark => {
      const [lng, lat] = f.geometry.coordinates as [number, number]
      return 'cluster_id' in f.properties
        ? {
            lng,
            lat,
            count: f.properties.point_count,
            cluster: f.properties.cluster_id,
            i: -1,
            kinds: f.properties.kinds,
          }
        : { lng, lat, count: 1, cluster: null, i: f.properties.i, kinds: [f.properties.kind] }
    })
    worker.postMessage({ n: asked.n, marks })
  } else {
    const leaves = index?.getLeaves(asked.cluster, Infinity) ?? []
    // What needs a person comes first.
    worker.postMessage({
      n: asked.n,
      members: leaves.sort((a, b) => a.properties.kind - b.properties.kind).map((l) => l.properties.i),
    })
  }
}
