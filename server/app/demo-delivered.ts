import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import type { FindingFacts } from '@zhuguan/contract/features/goods/goods.record.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import sharp from 'sharp'

import { hourOf } from '../database/seed/stories.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import type { Door, Worker } from './demo-door.ts'
import { after, hoursAfter, type Story } from './demo-timeline.ts'

/** Who moves goods of a branch; the receivers by their number. */
export interface Yard {
  clerk: Worker
  acceptor: Worker
  examiner: Worker
  receivers: ReadonlyMap<string, Worker>
}
/** How far an order comes, in turn: most of them to the end. */
type Way =
  | 'accepted'
  | 'asked'
  | 'colour'
  | 'held'
  | 'late'
  | 'none'
  | 'part'
  | 'return'
  | 'split'
  | 'stuck'
  | 'there'
const WAYS: readonly Way[] = [
  'accepted',
  'accepted',
  'part',
  'there',
  'none',
  'asked',
  'colour',
  'accepted',
  'late',
  'split',
  'return',
  'stuck',
  'held',
]
/** The longest ago that an order of the demo was placed, and at most so many lines of a site are ordered at once. */
const DAYS = 88
const MOST_LINES = 6

interface Run {
  door: Door
  yard: Yard
  until: Date
  photo: (who: Worker) => Promise<string>
}
/** When people work, by the hour. */
const [MORNING, EVENING] = [8, 18]
/** Some hours later, when people are at work, but before the demo is opened. */
function later({ door, until }: Run, hours: number): Date {
  const next = after(door, hours)
  const day = shanghaiDay(next)
  const begins = (of: string) => hourOf(of, MORNING + (hours % 3))
  const last = hoursAfter(until, -1)
  if (next > last) return last
  if (next < hourOf(day, MORNING)) return begins(day)
  const tomorrow = begins(addDays(day, 1))
  if (next > hourOf(day, EVENING)) return tomorrow < last ? tomorrow : last
  return next
}

let drawn = 0
/** A photograph of boxes, another one each time. */
const boxes = (): Promise<Buffer> => {
  drawn += 1
  const at = (n: number) => (drawn * 37 + n * 71) % 320
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="360"><rect width="480" height="360" fill="#cfc6b8"/>
       <rect x="${at(1)}" y="150" width="150" height="120" fill="#b08a5a"/>
       <rect x="${at(2)}" y="90" width="120" height="90" fill="#c19a68"/>
       <path d="M0 280h480" stroke="#8c8578" stroke-width="8"/></svg>`,
    ),
  )
    .jpeg()
    .toBuffer()
}

const seen = (run: Run, id: string) => run.yard.clerk.call(ordersApi.details, { query: { id } })
const noteOf = (run: Run, id: string) => run.yard.clerk.call(dispatchApi.details, { query: { id } })

async function acceptAll(run: Run, who: Worker, id: string): Promise<string> {
  const o = await seen(run, id)
  const lines = o.lineList.map((l) => ({ line_id: l.id, promisedOn: o.expectedOn }))
  await who.call(ordersApi.accept, { body: { id, version: o.version, lines } })
  return (await seen(run, id)).notes[0]!.id
}
/** What a note holds leaves, or only its first line. */
async function ship(run: Run, who: Worker, id: string, part = false): Promise<string | undefined> {
  const n = await noteOf(run, id)
  const lines = n.lineList
    .slice(0, part ? Math.max(1, Math.floor(n.lineList.length / 2)) : undefined)
    .map(({ line_id, quantity }) => ({ line_id, quantity }))
  const home = { address: n.address || '工地', contact: n.contact || '项目经理', window: '9:00–11:30' }
  const plannedOn = addDays(shanghaiDay(run.door.now()), 1)
  const body = { id, version: n.version, lines, method: 1 as const, plannedOn, ...home, carrier: '自有车队' }
  const { rest } = await who.call(dispatchApi.ship, { body })
  return rest?.id
}
async function deliver(run: Run, id: string): Promise<void> {
  const { acceptor } = run.yard
  const { version } = await noteOf(run, id)
  const body = { id, version, photo: await run.photo(acceptor), place: '单元门口' }
  await acceptor.call(dispatchApi.deliver, { body })
}
type Found = Pick<FindingFacts, 'outcome' | 'outcomeReason' | 'reason' | 'reasonCode' | 'result'>
/** Everything is fine but, where something is found, the first line. */
async function check(run: Run, id: string, found?: Found): Promise<string | undefined> {
  const { acceptor } = run.yard
  const sheet = await acceptor.call(goodsApi.sheet, { query: { id } })
  const findings = []
  for (const [i, { line_id, waiting }] of sheet.lineList.entries())
    if (waiting !== '0')
      findings.push(
        found && i === 0
          ? { line_id, quantity: waiting, photos: [await run.photo(acceptor)], ...found }
          : { line_id, quantity: waiting, result: 2 as const },
      )
  const { changes } = await acceptor.call(goodsApi.judge, { body: { id, version: sheet.version, findings } })
  return changes[0]?.id
}
async function* approve(run: Run, receiver: Worker, id: string): Story {
  const { examiner } = run.yard
  const g = await receiver.call(goodsApi.details, { query: { id } })
  await receiver.call(goodsApi.answer, { body: { id, version: g.version, answer: 'agree' } })
  yield later(run, 4)
  const { list } = await examiner.call(examineApi.list, { query: { object_id: id, examineState: 0 } })
  const { version, hash } = list[0]!
  await examiner.call(examineApi.pass, { body: { id: list[0]!.id, version, hash, reason: '' } })
}
async function* takeBack(run: Run, receiver: Worker, id: string): Story {
  for (let i = 0; i < 2; i += 1) {
    yield later(run, 20)
    const leg = (await receiver.call(goodsApi.details, { query: { id } })).steps.find((s) => s.type > 3)!
    await receiver.call(goodsApi.collect, { body: { id: leg.id, version: leg.version } })
  }
  const leg = (await receiver.call(goodsApi.details, { query: { id } })).steps.find((s) => s.type > 3)!
  await receiver.call(goodsApi.grade, { body: { id: leg.id, version: leg.version, grade: 'good' } })
}

/** From a placed order to wherever it comes. */
async function* carry(run: Run, receiver: Worker, id: string, way: Way): Story {
  if (way === 'asked') return
  yield later(run, 5)
  if (way === 'held') {
    const { version } = await seen(run, id)
    const why = { rejectCode: 'stock' as const, reason: '厂家停产，建议换同系列' }
    await receiver.call(ordersApi.reject, { body: { id, version, ...why } })
    return
  }
  const first = await acceptAll(run, receiver, id)
  if (way === 'late') return
  yield later(run, 30)
  await ship(run, receiver, first, way === 'part' || way === 'split')
  if (way === 'stuck' || way === 'part') return
  yield later(run, 26)
  await deliver(run, first)
  if (way === 'there') return
  yield later(run, 6)
  if (way === 'colour') {
    const found = {
      result: 4 as const,
      reasonCode: 'colour' as const,
      reason: '和前一批色号不同',
      outcome: '' as const,
      outcomeReason: '',
    }
    const change = (await check(run, first, found))!
    yield later(run, 5)
    yield* approve(run, receiver, change)
    yield later(run, 24)
    const instead = (await seen(run, id)).notes.find((n) => n.kind === 3 && n.state === 0)!
    await ship(run, receiver, instead.id)
    return
  }
  if (way === 'return') {
    const found = {
      result: 5 as const,
      reasonCode: 'broken' as const,
      reason: '边角碎裂',
      outcome: 'again' as const,
      outcomeReason: '',
    }
    const change = (await check(run, first, found))!
    yield later(run, 5)
    yield* approve(run, receiver, change)
    return yield* takeBack(run, receiver, change)
  }
  await check(run, first)
}

/** A site whose goods are ordered, and from which day on there is a contract. */
export interface Fitted {
  id: string
  from: string
}
/** Ninety days of orders of a branch: of each site what its contract sold, an order a receiver. */
export function deliveries(door: Door, yard: Yard, sites: readonly Fitted[], until: Date): Story[] {
  const run: Run = { door, yard, until, photo: async (who) => who.send(await boxes()) }
  return sites.flatMap((site, i) =>
    [...yard.receivers].map(([to, receiver], j) => {
      const way = WAYS[(i * 2 + j) % WAYS.length]!
      const isOver = way === 'accepted' || way === 'return' || way === 'split'
      const ago = isOver ? 12 + ((i * 7 + j * 3) % (DAYS - 12)) : 3 + ((i + j) % 6)
      const day = addDays(shanghaiDay(until), -ago)
      return order(
        run,
        { to, receiver, site: site.id, way },
        hourOf(day < site.from ? site.from : day, 9 + (i % 4)),
      )
    }),
  )
}
async function* order(
  run: Run,
  { to, receiver, site, way }: { to: string; receiver: Worker; site: string; way: Way },
  at: Date,
): Story {
  yield at
  if (way === 'none') return
  const { clerk } = run.yard
  const { list } = await clerk.call(ordersApi.plan, {
    query: { site_id: site, receiver_id: to, ready: true, pageSize: MOST_LINES },
  })
  if (list.length === 0) return
  const expectedOn = addDays(shanghaiDay(at), way === 'late' || way === 'stuck' ? 2 : 8)
  const lines = list.map((l) => ({ item_id: l.id, quantity: l.quantity }))
  const { orders } = await clerk.call(ordersApi.place, { body: { lines, method: 1, expectedOn } })
  yield* carry(run, receiver, orders[0]!.id, way)
}
