import { randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'

import { signed } from '../server/testing/device.ts'
import { copyIn } from './copy.ts'
import { type Ground, load, type Say } from './ground.ts'

const ROWS = 60_000
const BATCH = 500

/** P-07: events through the devices' signed door, answered after the commit, against COPY of as many rows into the same table with its five indexes. */
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
  const copied = async () => {
    await g.owner.query('TRUNCATE bench_copy')
    const text = Buffer.from(Array.from({ length: ROWS }, (_, i) => line(i)).join('\n') + '\n')
    const began = performance.now()
    await copyIn(
      g.owner,
      'COPY bench_copy (tenant_id, id, bc_id, site_id, worker_id, at, day, direction) FROM STDIN',
      text,
    )
    return ROWS / ((performance.now() - began) / 1_000)
  }
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
  for (const [kind, name] of [
    ['heartbeat', 'heartbeats'],
    ['clockin', 'clock-ins'],
  ] as const) {
    for (const [size, connections, target] of [
      [BATCH, 8, 0.55],
      [1, 50, 0.15],
    ] as const) {
      const runs: { ours: number; limit: number; p99: number; failed: number }[] = []
      for (let i = 0; i < 3; i += 1) {
        const m = await load(g.ours.url, send(kind, size), { connections })
        runs.push({ ours: m.perSecond * size, limit: await copied(), p99: m.p99, failed: m.failed })
      }
      const r = runs.sort((a, b) => a.ours / a.limit - b.ours / b.limit)[1]!
      say(
        'P-07',
        `${name}, ${size === 1 ? 'one by one at 50 connections' : `batches of ${size}`}`,
        `${r.ours.toFixed(0)} rows/s p99 ${r.p99.toFixed(0)} ms${r.failed ? ` failed ${r.failed}` : ''}`,
        `${r.limit.toFixed(0)} rows/s COPY, five indexes`,
        (r.ours / r.limit).toFixed(3),
        `≥ ${target}`,
        r.ours / r.limit >= target && !r.failed,
      )
    }
  }
  await g.owner.query('DROP TABLE bench_copy')
}
