import { api } from '@zhuguan/contract/api.ts'
import { workersImport } from '@zhuguan/contract/features/workers/workers.import.ts'
import { type ImportState, MAX_IMPORT_ROWS } from '@zhuguan/contract/kit/imports.ts'

import { sheetOf } from '../server/testing/sheets.ts'
import { sized } from '../tools/size.ts'
import { type Ground, pause, quantile, type Say } from './ground.ts'

const ROWS = sized(MAX_IMPORT_ROWS, 50)
const STEP_MS = 5
const LONGEST_MS = 200

/** How long the server lets a question wait that needs no database: what its event loop was held for. */
async function waits(url: string, during: Promise<unknown>): Promise<number[]> {
  let busy = true
  void during.finally(() => (busy = false))
  const all: number[] = []
  while (busy) {
    const at = performance.now()
    await (await fetch(`${url}/healthz`)).text()
    all.push(performance.now() - at)
    await pause(STEP_MS)
  }
  await during
  return all.sort((a, b) => a - b)
}

/** 20,000 workers from Excel, read, checked and stored, and how long everybody else was kept waiting. */
export async function imports(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  if (!wants('IMPORT')) return
  const rows = Array.from({ length: ROWS }, (_, i) => [
    `I${String(i).padStart(5, '0')}`,
    `导入${String.fromCharCode(0x4e00 + i)}`,
    '杭州分公司',
    '瓦工',
    '男',
    `138${String(i).padStart(8, '0')}`,
    '一班',
  ])
  const bytes = await sheetOf(
    workersImport.columns.map((c) => c.title),
    rows,
  )
  const headers = await g.signIn('branch_gm')
  const ask = async (path: string, body: string | Uint8Array<ArrayBuffer>) =>
    (
      (await (
        await fetch(g.ours.url + path, {
          method: 'POST',
          headers: {
            ...headers,
            'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
          },
          body,
        })
      ).json()) as { data: ImportState }
    ).data
  const idle = await waits(g.ours.url, pause(2_000))
  const at = performance.now()
  let state: ImportState | undefined
  const busy = await waits(
    g.ours.url,
    (async () => {
      state = await ask(workersImport.api.upload.path, new Uint8Array(bytes))
      const one = JSON.stringify({ id: state.id })
      while (state.unchecked) state = await ask(workersImport.api.check.path, one)
      while (state.good) state = await ask(workersImport.api.run.path, one)
    })(),
  )
  const seconds = (performance.now() - at) / 1000
  const longest = busy.at(-1)!
  say(
    'IMPORT',
    `${ROWS} workers from Excel (${(bytes.length / 1e6).toFixed(1)} MB): until all are stored; longest anybody waited`,
    `${seconds.toFixed(1)} s, ${state!.done} stored; ${longest.toFixed(0)} ms, p99 ${quantile(busy, 0.99).toFixed(0)} ms`,
    `idle ${idle.at(-1)!.toFixed(0)} ms, p99 ${quantile(idle, 0.99).toFixed(0)} ms`,
    '–',
    `all stored, ≤ ${LONGEST_MS} ms`,
    state!.done === ROWS && longest <= LONGEST_MS,
  )
  await fetch(g.ours.url + api.workersImport.drop.path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ id: state!.id }),
  })
}
