/** Columns of points; positions in millionths of a degree. `kind` 0 is what needs a person most. */
export interface Points {
  lng: readonly number[]
  lat: readonly number[]
  kind: Uint8Array
}
/** The drawn thing: one point, or many that stand too close. */
export interface Mark {
  lng: number
  lat: number
  count: number
  cluster: number | null
  /** The point's place in the columns; -1 for a cluster. */
  i: number
  /** For a cluster how many of each kind; for a point its kind alone. */
  kinds: number[]
}
export type Box = [west: number, south: number, east: number, north: number]
export type Asked = { n: number } & (
  | { what: 'load'; lng: Int32Array; lat: Int32Array; kind: Uint8Array; kinds: number }
  | { what: 'view'; box: Box; zoom: number }
  | { what: 'members'; cluster: number }
)
export type Told = { n: number; marks?: Mark[]; members?: number[] }

/** Points nearer than this on the picture become one mark. */
export const CLUSTER_PX = 56

/** The index of all points lives in a worker: however many there are, the page does not wait for it. */
export function openClusters(kinds: number) {
  const worker = new Worker(new URL('./clusters.worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, (told: Told) => void>()
  let n = 0
  worker.onmessage = ({ data }: MessageEvent<Told>) => {
    waiting.get(data.n)?.(data)
    waiting.delete(data.n)
  }
  const ask = (asked: Record<string, unknown>) =>
    new Promise<Told>((done) => {
      n += 1
      waiting.set(n, done)
      worker.postMessage({ ...asked, n })
    })
  return {
    load: (p: Points) =>
      ask({ what: 'load', lng: Int32Array.from(p.lng), lat: Int32Array.from(p.lat), kind: p.kind, kinds }),
    view: async (box: Box, zoom: number) => (await ask({ what: 'view', box, zoom })).marks!,
    members: async (cluster: number) => (await ask({ what: 'members', cluster })).members!,
    close: () => worker.terminate(),
  }
}
