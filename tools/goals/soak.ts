import { randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'

import { report } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { sized } from '../size.ts'
import { type Caller, dice, type Heard, type Result, signIn } from './client.ts'
import type { Plant } from './plants.ts'
import { setStage, type Stage } from './stage.ts'

const SHARE = 0.7
const GROWTH = 1.05
const CONTROL_SECONDS = sized(12, 1)
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))

interface Soaked {
  perSecond: number
  sent: number
  failed: number
  /** Refused politely: not a failure, and nothing that a server at seven tenths should have to do. */
  refused: number
  before: number
  after: number
}
/** A usual mixture of lists, records, writes and device events at seven tenths of what this server can do. */
async function soaked(stage: Stage, seed: number, lasts: number, plant?: Plant): Promise<Soaked> {
  const { pick, random } = dice(seed)
  const server = await stage.serve({ plant })
  const { url, heap } = server
  const people = await Promise.all(
    ['branch_gm', 'pm', 'inspector', 'admin', 'steward'].map((n) => signIn(url, n)),
  )
  const terminals = stage.devices.filter((d) => d.workers.length > 0)
  const site = (
    await stage.owner.query<{ id: string; bc: string }>(
      `SELECT id, bc_id AS bc FROM sites WHERE code LIKE 'GDHZ%' LIMIT 1`,
    )
  ).rows[0]!
  let failed = 0
  let refused = 0
  let done = 0
  const judge = (h: Pick<Heard, 'code' | 'status'>) => {
    done += 1
    if (h.status === 429 || h.status === 503) refused += 1
    else if (h.status >= 500 || (h.code !== 200 && h.code !== 401)) failed += 1
  }
  const step = async () => {
    const who: Caller = pick(people)
    const dice = random()
    if (dice < 0.35) judge(await who.ask(api.sites.list, { query: { status: 1, pageNo: 1 } }))
    else if (dice < 0.5) judge(await who.ask(api.alarms.list))
    else if (dice < 0.6) judge(await who.ask(api.home.cards))
    else if (dice < 0.7) judge(await people[0]!.ask(api.sites.details, { query: { id: site.id } }))
    else if (dice < 0.75)
      judge(
        await people[0]!.ask(api.sites.add, { body: { ws_name: '长跑', bc_id: site.bc, address: '某路' } }),
      )
    else {
      const d = pick(terminals)
      judge(
        await report(url, d, [
          { id: randomUUID(), kind: 'clockin', at: seconds() - 1, w_id: d.workers[0]!, direction: 'in' },
          { id: randomUUID(), kind: 'heartbeat', at: seconds() - 1, signal: 70 },
        ]),
      )
    }
  }
  // What it can do, from a few seconds at full speed.
  const until = Date.now() + 6_000
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (Date.now() < until) await step()
    }),
  )
  const perSecond = (done / 6) * SHARE
  const run = async (ms: number) => {
    const from = Date.now()
    let sent = 0
    const open = new Set<Promise<void>>()
    while (Date.now() - from < ms) {
      const due = ((Date.now() - from) / 1_000) * perSecond
      for (; sent < due && open.size < 64; sent += 1) {
        const p = step()
          .catch(() => void (failed += 1))
          .finally(() => open.delete(p))
        open.add(p)
      }
      await pause(5)
    }
    await Promise.all(open)
    return sent
  }
  // Caches and prepared statements fill in the first part.
  const warm = await run((lasts * 1_000) / 4)
  await pause(500)
  const before = await heap()
  const sent = warm + (await run((lasts * 1_000 * 3) / 4))
  await pause(500)
  const after = await heap()
  await server.end()
  return { perSecond, sent, failed, refused, before, after }
}
const isWhole = ({ failed, refused, before, after, sent }: Soaked, lasts: number) =>
  failed === 0 && refused === 0 && after <= before * GROWTH && sent > lasts * 10

/**
 * G-14: nobody is failed or refused, and the heap after collection does not grow. SOAK_SECONDS shortens it. Controls, a few
 * seconds each: a server that never lets go of what it held, and one in which every two hundredth transaction breaks.
 */
export async function soak(seed: number): Promise<Result> {
  const lasts = sized(Number(process.env.SOAK_SECONDS ?? 300), 1)
  const stage = await setStage(['--expose-gc'])
  try {
    const told = await soaked(stage, seed, lasts)
    const leaking = await soaked(stage, seed, CONTROL_SECONDS, 'leak')
    const failing = await soaked(stage, seed, CONTROL_SECONDS, 'failing')
    const control = leaking.after > leaking.before * GROWTH && failing.failed > 0
    const { perSecond, sent, failed, refused, before, after } = told
    const growth = (of: Soaked) => `${((of.after / of.before - 1) * 100).toFixed(1)} %`
    return {
      value:
        `${lasts} s at ${perSecond.toFixed(0)}/s, requests ${sent}, failed ${failed}, refused ${refused}, ` +
        `heap ${(before / 1e6).toFixed(1)} → ${(after / 1e6).toFixed(1)} MB (${growth(told)}), ` +
        `control ${control ? 'found' : 'MISSED'} (leak ${growth(leaking)}, failed ${failing.failed})`,
      ok: isWhole(told, lasts) && control,
    }
  } finally {
    await stage.close()
  }
}
