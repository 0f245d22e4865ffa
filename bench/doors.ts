import { randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'

import { signed } from '../server/testing/device.ts'
import { sized } from '../tools/size.ts'
import { copyIn } from './copy.ts'
import { type Ground, load, type Say } from './ground.ts'
import type { Measured } from './load.ts'
import { MIDST, TIMES } from './size.ts'

/** What one COPY takes as published, and in a piece of the size that the server commits at once. */
const ROWS = sized(60_000, 2_000)
const PIECE = 1_000
/** The protocol's most in one request; two of them make a piece. */
const BATCH = 500

/**
 * P-07: events through the devices' signed door, answered after the commit. Beside it by turns: COPY of sixty thousand
 * rows into one table with the same five indexes, as published; and what is fair to ask: for batches COPY of a
 * thousand rows and a commit each, for single events a bare signed door with one INSERT and one commit a gather.
 */
export async function doors(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  if (!wants('P-07')) return
  const now = Math.floor(Date.now() / 1000)
  const terminals = g.devices.filter(
    (d) => d.type === 'faceTerminal' && d.workers.length > 1 && d.sn.includes('HZ'),
  )
  const {
    rows: [row],
  } = await g.owner.query(`SELECT tenant_id, bc_id, id AS site_id FROM sites WHERE id = $1`, [
    terminals[0]!.site,
  ])
  const {
    rows: [worker],
  } = await g.owner.query('SELECT id FROM workers WHERE w_id = $1', [terminals[0]!.workers[0]])
  await g.owner.query('CREATE TABLE bench_copy (LIKE attendance_events INCLUDING DEFAULTS INCLUDING INDEXES)')
  const line = (i: number) =>
    [
      row.tenant_id,
      randomUUID(),
      row.bc_id,
      row.site_id,
      worker.id,
      new Date((now - (i % 500_000)) * 1000).toISOString(),
      '2026-01-01',
      'in',
    ].join('\t')
  const copied = async (piece: number) => {
    await g.owner.query('TRUNCATE bench_copy')
    const texts = Array.from({ length: ROWS / piece }, (_, k) =>
      Buffer.from(Array.from({ length: piece }, (_, i) => line(k * piece + i)).join('\n') + '\n'),
    )
    const began = performance.now()
    for (const text of texts)
      await copyIn(
        g.owner,
        'COPY bench_copy (tenant_id, id, bc_id, site_id, worker_id, at, day, direction) FROM STDIN',
        text,
      )
    return ROWS / ((performance.now() - began) / 1_000)
  }
  const door = await g.beside('door.ts', {
    SECRETS: JSON.stringify(Object.fromEntries(terminals.map((d) => [d.sn, d.secret]))),
  })
  let n = 0
  const event = {
    heartbeat: () => ({ id: randomUUID(), kind: 'heartbeat', at: now, signal: 80 }),
    clockin: (d: (typeof terminals)[0], i: number) => ({
      id: randomUUID(),
      kind: 'clockin',
      at: now - ((n * BATCH + i) % 500_000),
      w_id: d.workers[i % d.workers.length]!,
      direction: i % 2 ? 'out' : 'in',
    }),
    bare: () => ({
      ...row,
      id: randomUUID(),
      worker_id: worker.id,
      at: now - (n % 500_000),
      day: '2026-01-01',
      direction: 'in',
    }),
  }
  const send = (kind: keyof typeof event, size: number) => () => {
    const device = terminals[(n += 1) % terminals.length]!
    const s = signed(
      device,
      Buffer.from(JSON.stringify({ events: Array.from({ length: size }, (_, i) => event[kind](device, i)) })),
    )
    return {
      method: 'POST',
      path: api.deviceDoor.events.path,
      headers: s.headers,
      body: () => s.body.toString(),
    }
  }
  const barely = async () => {
    await g.owner.query('TRUNCATE bench_copy')
    return (await load(door.url, send('bare', 1), { connections: 50 })).perSecond
  }
  const fairly = {
    many: {
      name: `batches of ${BATCH} at 8 connections`,
      fair: () => copied(PIECE),
      of: `COPY by ${PIECE}`,
      target: 0.5,
    },
    one: {
      name: 'one by one at 50 connections',
      fair: barely,
      of: 'bare signed door, one INSERT a gather',
      target: 0.6,
    },
  }
  for (const [kind, name] of [
    ['heartbeat', 'heartbeats'],
    ['clockin', 'clock-ins'],
  ] as const) {
    for (const [size, connections, w] of [
      [BATCH, 8, fairly.many],
      [1, 50, fairly.one],
    ] as const) {
      const runs: { ours: number; copy: number; fair: number; m: Measured }[] = []
      for (let i = 0; i < TIMES; i += 1) {
        const m = await load(g.ours.url, send(kind, size), { connections })
        runs.push({ ours: m.perSecond * size, copy: await copied(ROWS), fair: await w.fair(), m })
      }
      const { ours, copy, fair, m } = runs.sort((a, b) => a.ours / a.fair - b.ours / b.fair)[MIDST]!
      say(
        'P-07',
        `${name}, ${w.name}`,
        `${ours.toFixed(0)} rows/s p99 ${m.p99.toFixed(0)} ms${m.failed ? ` failed ${m.failed}` : ''}`,
        `${fair.toFixed(0)} rows/s ${w.of}; ${copy.toFixed(0)} COPY as published`,
        `${(ours / fair).toFixed(2)}; ${(ours / copy).toFixed(3)} as published`,
        `≥ ${w.target}`,
        ours / fair >= w.target && !m.failed,
      )
    }
  }
  door.stop()
  await g.owner.query('DROP TABLE bench_copy')
}
