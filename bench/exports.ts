import { api } from '@zhuguan/contract/api.ts'

import { sized } from '../tools/size.ts'
import { type Ground, load, memoryOf, pause, type Say } from './ground.ts'
import { fillHistory } from './history.ts'
import { MIDST, TIMES } from './size.ts'

const ROWS = sized(100_000, 1_000)
const SAMPLE_MS = 20

/** Time to the last byte, and how much the process grew meanwhile. */
async function drain(
  pid: number,
  url: string,
  init: RequestInit,
): Promise<{ ms: number; mb: number; bytes: number }> {
  const before = await memoryOf(pid)
  let peak = before
  const sampling = setInterval(() => void memoryOf(pid).then((m) => (peak = Math.max(peak, m))), SAMPLE_MS)
  const at = performance.now()
  let bytes = 0
  for await (const chunk of (await fetch(url, init)).body as unknown as AsyncIterable<Uint8Array>)
    bytes += chunk.length
  clearInterval(sampling)
  return { ms: performance.now() - at, mb: peak - before, bytes }
}

/** P-14: the workbook of a hundred thousand rows against CSV straight from COPY; what a list costs meanwhile. */
export async function exports_(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  if (!wants('P-14')) return
  const { from, to } = await fillHistory(g.owner, g.home.bc, ROWS)
  const headers = await g.signIn('branch_gm')
  const mine = () =>
    drain(g.ours.pid, `${g.ours.url}${api.attendance.export.path}?from=${from}&to=${to}&attendance=1`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
    })
  const bare = () => drain(g.limit.pid, `${g.limit.url}/copy?from=${from}&to=${to}`, {})
  await mine()
  await bare()
  const runs: [Awaited<ReturnType<typeof mine>>, Awaited<ReturnType<typeof bare>>][] = []
  for (let i = 0; i < TIMES; i += 1) {
    runs.push([await mine(), await bare()])
    await pause(300)
  }
  const [a, b] = runs.sort((x, y) => x[0].ms / x[1].ms - y[0].ms / y[1].ms)[MIDST]!
  const list = () =>
    load(g.ours.url, g.ask(`${api.sites.list.path}?status=1`, headers), { connections: 2, ms: 2_500 })
  const alone = await list()
  let busy = true
  const exporting = (async () => {
    while (busy) await mine()
  })()
  const beside = await list()
  busy = false
  await exporting
  const slower = beside.p99 / alone.p99
  say(
    'P-14',
    `export of ${ROWS} rows to xlsx: time, growth of memory; p99 of a list meanwhile`,
    `${a.ms.toFixed(0)} ms (${(a.bytes / 1e6).toFixed(1)} MB), +${a.mb.toFixed(0)} MB; ${beside.p99.toFixed(1)} ms`,
    `${b.ms.toFixed(0)} ms CSV by COPY (${(b.bytes / 1e6).toFixed(1)} MB); ${alone.p99.toFixed(1)} ms alone`,
    `${(a.ms / b.ms).toFixed(1)}×; ${slower.toFixed(1)}×`,
    '≤ 3×, ≤ +25 MB, ≤ 2×',
    a.ms / b.ms <= 3 && a.mb <= 25 && slower <= 2 && a.bytes > 1_000_000,
  )
}
