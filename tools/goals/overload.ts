import { api } from '@zhuguan/contract/api.ts'
import { sitesImport } from '@zhuguan/contract/features/sites/sites.import.ts'

import { loadSharp } from '../../server/kit/native.ts'
import { sheetOf } from '../../server/testing/sheets.ts'
import { sized } from '../size.ts'
import { type Caller, type Result, send, signIn } from './client.ts'
import { bareDoor, gather, type Toll, type Work } from './crowd.ts'
import { slowCrowd } from './slow-crowd.ts'
import { type Served, setStage, type Stage } from './stage.ts'

const PHASE_MS = sized(1_600, 200)
const ASKED_EVERY_MS = 60
const MOST = 10
/** Other work on the machine disturbs a moment of it: what is wrong must be wrong each of so many times. */
const TRIES = 2
const GOODPUT = 0.8
const REFUSED_MS = 50
/** The longest that any class lets somebody wait for a turn, and the turn. */
const SERVED_MS = 6_000
const OTHERS_MS = 1_000
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))
export const at = (list: readonly number[], share: number): number =>
  [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0

/** Somebody who has nothing to do with it and goes on working; beside it, what any answer takes here and now. */
export function bystander(url: string, who: Caller) {
  const took: number[] = []
  const floor: number[] = []
  let failed = 0
  let asked = 0
  let over = false
  const pending = new Set<Promise<void>>()
  const once = async () => {
    const from = performance.now()
    const { code } = await who.ask(api.sites.list)
    if (code === 200) took.push(performance.now() - from)
    else failed += 1
  }
  const bare = async () => {
    const from = performance.now()
    await send(url, 'GET', '/healthz', {})
    floor.push(performance.now() - from)
  }
  const loop = (async () => {
    while (!over) {
      asked += 1
      for (const work of [once, bare]) {
        const p: Promise<void> = work().finally(() => pending.delete(p))
        pending.add(p)
      }
      await pause(ASKED_EVERY_MS)
    }
    await Promise.all(pending)
  })()
  return {
    async tell() {
      over = true
      await loop
      return { p50: at(took, 0.5), p99: at(took, 0.99), floor: at(floor, 0.5), asked, failed }
    },
  }
}
export type Bystander = Awaited<ReturnType<ReturnType<typeof bystander>['tell']>>

interface Attacker {
  work: Work
  /** What it can do at its best: so many hands, each asking again at once. */
  hands: number
  times: number[]
  /** Everybody asks for the same thing, so that who else asks for it waits like them. */
  crowd?: boolean
  one?: boolean
}
const ATTACKS: Record<string, Attacker> = {
  signIn: { work: 'signIn', hands: 6, times: [4, 10] },
  lists: { work: 'list', hands: 32, times: [4, 10], crowd: true },
  'lists of one': { work: 'list', hands: 8, times: [10], one: true },
  exports: { work: 'export', hands: 4, times: [4, 10] },
  uploads: { work: 'upload', hands: 12, times: [4, 10] },
  imports: { work: 'import', hands: 3, times: [4, 10] },
  devices: { work: 'device', hands: 128, times: [4, 10] },
}
/** Where the same attack hurts when nothing bounds it: there the goal must turn red. */
const HURTS = ['signIn', 'lists']
const PEOPLE = ['admin', 'hq_ops', 'pm', 'steward', 'inspector', 'device_keeper', 'order_clerk']
const MORE = ['branch_gm2', 'pm2', 'steward2', 'inspector2', 'device_keeper2']
/** Anybody who may import sites. */
const IMPORTERS = ['admin', 'branch_gm2']
const ROWS = 400
const STREAMS = 400
const EXPORTERS = ['admin', 'hq_ops', 'branch_gm2', 'inspector']

const ground = (stage: Stage) =>
  stage.owner.query(
    `SET app.tenant = '*';
     INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, address)
     SELECT w.tenant_id, gen_random_uuid(), 'X' || i, md5(i::text), w.bc_id, md5((i + 2)::text)
     FROM (SELECT * FROM sites WHERE code = 'GDHZ001') w, generate_series(1, 1500) i`,
  )
const aPicture = async () => {
  const create = { width: 1_600, height: 1_200, channels: 3 as const, background: '#889' }
  return (await (await loadSharp())({ create }).jpeg().toBuffer()).toString('base64')
}

async function aSheet(): Promise<string> {
  const { columns } = sitesImport
  const row = (i: number) => columns.map((c) => (c.key === 'ws_name' ? `导入 ${i}` : c.example))
  const titles = columns.map((c) => c.title)
  return (
    await sheetOf(
      titles,
      Array.from({ length: ROWS }, (_, i) => row(i)),
    )
  ).toString('base64')
}
/** One person's pages, ten times as many as they may have: the first ones stay, the rest is refused at once. */
async function streams(url: string): Promise<string[]> {
  const [crowd, who, other] = [slowCrowd(), await signIn(url, 'pm'), await signIn(url, 'branch_gm')]
  const by = bystander(url, other)
  const headers = Object.entries(who.headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`GET ${api.live.stream.path} HTTP/1.1`, 'host: x', ...headers].join('\r\n')
  const heads = Array.from({ length: STREAMS }, () => `${head}\r\n\r\n`)
  const toll = await crowd.open({ port: Number(new URL(url).port), heads, atOnce: STREAMS / MOST })
  await pause(1_000)
  const { open } = await crowd.tell()
  const beside = await by.tell()
  crowd.end()
  const refusedIn = at(toll.refusedMs, 0.5)
  console.log(
    `streams ×${MOST}: asked ${STREAMS}, taken ${toll.taken}, refused ${toll.refused} in ${refusedIn.toFixed(0)} ms, rude ${toll.rude}; ` +
      `another person p99 ${beside.p99.toFixed(0)} ms, ${beside.failed} failed`,
  )
  const wrong = (ok: boolean, why: string) => (ok ? [] : [`streams ×${MOST}: ${why}`])
  return [
    ...wrong(toll.taken === STREAMS / MOST && open >= toll.taken, `${toll.taken} taken, ${open} open`),
    ...wrong(toll.refused === STREAMS - toll.taken && toll.rude === 0, `${toll.rude} rude refusals`),
    ...wrong(refusedIn <= REFUSED_MS, `refused in ${refusedIn.toFixed(0)} ms`),
    ...wrong(beside.failed === 0 && beside.p99 <= OTHERS_MS, 'another person was not served'),
  ]
}

interface Phase {
  name: string
  toll: Toll
  perSecond: number
  by: Bystander
}
const told = ({ name, toll, perSecond, by }: Phase) =>
  `${name}: sent ${toll.sent}, good ${perSecond.toFixed(0)}/s, served in ${at(toll.goodMs, 0.99).toFixed(0)} ms, ` +
  `refused ${toll.refused} in ${at(toll.refusedMs, 0.5).toFixed(0)} (p99 ${at(toll.refusedMs, 0.99).toFixed(0)}) ms, ` +
  `rude ${toll.rude}, failed ${toll.failed}${toll.words.length ? ` (${toll.words.join('; ')})` : ''}; ` +
  `another person ${by.p50.toFixed(0)} / ${by.p99.toFixed(0)} ms, ${by.failed} of ${by.asked} failed; ` +
  `any answer ${by.floor.toFixed(0)} ms`

interface Best {
  perSecond: number
  /** What a refusal takes at a bare door that is asked as often. */
  bareMs: number
  /** Another person's slowest answers while nobody attacks. */
  alone: number
}
/** What is wrong with an overload, beside the best that the same machine did a moment ago with the same crowd at a bare door. */
function wrongs(seen: Phase, best: Best, crowd: boolean): string[] {
  const { toll, by } = seen
  const wrong = (ok: boolean, why: string) => (ok ? [] : [`${seen.name}: ${why}`])
  const share = seen.perSecond / best.perSecond
  return [
    ...wrong(share >= GOODPUT, `goodput ${share.toFixed(2)} of its best`),
    ...wrong(toll.rude === 0, `${toll.rude} refusals without Retry-After`),
    ...wrong(
      !seen.name.endsWith(`×${MOST}`) || toll.refused > 0,
      'nobody was refused: it takes in what it cannot do',
    ),
    ...wrong(toll.failed === 0, `${toll.failed} neither served nor refused`),
    ...wrong(at(toll.refusedMs, 0.5) <= REFUSED_MS + best.bareMs, 'refusals are slow'),
    ...wrong(at(toll.goodMs, 0.99) <= SERVED_MS, 'whoever is served waits too long'),
    ...wrong(crowd || by.failed === 0, `another person failed ${by.failed} times`),
    ...wrong(
      crowd || by.p99 <= Math.max(OTHERS_MS, best.alone * 4),
      `another person waited ${by.p99.toFixed(0)} ms`,
    ),
  ]
}

/**
 * G-15: each class of work is asked for four and ten times what it can do. It goes on doing that, refuses the rest at once
 * and politely, and a person who works beside it is served. Control: the same attack on a server without bounds is red.
 */
export async function overload(): Promise<Result> {
  const stage = await setStage()
  const [crowd, elsewhere, bare] = [gather(), gather(), await bareDoor()]
  async function attacked(
    { url }: Served,
    names: string[],
    only?: number,
  ): Promise<{ wrong: string[]; ratio: number }> {
    const [picture, sheet] = [await aPicture(), await aSheet()]
    const plan = { url, devices: stage.devices, picture, sheet, ms: PHASE_MS }
    const signedIn = async (list: string[]) =>
      Promise.all(list.map(async (name) => (await signIn(url, name)).headers))
    const [everybody, exporters, importers, other] = [
      await signedIn([...PEOPLE, ...MORE]),
      await signedIn(EXPORTERS),
      await signedIn(IMPORTERS),
      await signIn(url, 'branch_gm'),
    ]
    const peopleFor = (work: Work) => {
      if (work === 'export') return exporters
      return work === 'import' ? importers : everybody
    }
    const wrong: string[] = []
    let ratio = Infinity
    const by = bystander(url, other)
    await pause(1_500)
    const alone = (await by.tell()).p99
    console.log(`another person alone: ${alone.toFixed(0)} ms`)
    for (const name of names) {
      const { work, hands, times, one, crowd: shared = false } = ATTACKS[name]!
      const who = one ? everybody.slice(0, 1) : peopleFor(work)
      const phase = async (
        called: string,
        more: { hands?: number; rate?: number; ms?: number },
      ): Promise<Phase> => {
        const beside = bystander(url, other)
        const toll = await crowd.attack({
          ...plan,
          work,
          people: who,
          ...more,
        })
        const perSecond = (toll.good / toll.tookMs) * 1_000
        const seen = { name: called, toll, perSecond, by: await beside.tell() }
        console.log(told(seen))
        return seen
      }
      await crowd.attack({ ...plan, work, people: who, hands, ms: 500 })
      const unloaded = (await phase(`${name} at its best`, { hands })).perSecond
      for (const t of only ? [only] : times) {
        const rate = unloaded * t
        let found: string[] = []
        let share = 0
        for (let i = 0; i === 0 || (found.length && i < TRIES); i += 1) {
          const beside = elsewhere.attack({
            ...plan,
            work,
            people: who,
            url: bare.url,
            rate: rate - unloaded,
          })
          const { perSecond } = await phase(`${name} beside a bare door ×${t}`, { hands })
          const bareMs = at((await beside).refusedMs, 0.5)
          const seen = await phase(`${name} ×${t}`, { rate })
          found = wrongs(seen, { perSecond, alone, bareMs }, shared)
          share = seen.perSecond / perSecond
        }
        wrong.push(...found)
        ratio = Math.min(ratio, share)
      }
    }
    return { wrong, ratio }
  }
  try {
    await ground(stage)
    const bounded = await stage.serve()
    const { wrong, ratio } = await attacked(bounded, process.env.CLASSES?.split(',') ?? Object.keys(ATTACKS))
    wrong.push(...(await streams(bounded.url)))
    await bounded.end()
    const planted = await stage.serve({ plant: 'unbounded' })
    const found = (await attacked(planted, HURTS, MOST)).wrong
    const control = HURTS.every((name) => found.some((why) => why.startsWith(`${name} `)))
    for (const why of wrong) console.log(`wrong: ${why}`)
    for (const why of found) console.log(`control: ${why}`)
    return {
      value: `least goodput ${ratio.toFixed(2)} of best, wrong ${wrong.length}, control ${control ? 'found' : 'MISSED'}`,
      ok: wrong.length === 0 && control,
    }
  } finally {
    for (const one of [crowd, elsewhere, bare]) one.end()
    await stage.close()
  }
}
