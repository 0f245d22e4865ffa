import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import type { FindingFacts } from '@zhuguan/contract/features/goods/goods.record.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import sharp from 'sharp'

import { hourOf } from '../database/seed/stories.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import type { Door, Worker } from './demo-door.ts'

/** Who moves goods of a branch; the receivers by their number. */
export interface Yard {
  clerk: Worker
  acceptor: Worker
  examiner: Worker
  receivers: ReadonlyMap<string, Worker>
}
const HOUR_MS = 3_600_000
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
const later = (run: Run, hours: number) =>
  run.door.at(new Date(Math.min(run.door.now().getTime() + hours * HOUR_MS, run.until.getTime() - HOUR_MS)))

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
async function approve(run: Run, receiver: Worker, id: string): Promise<void> {
  const { examiner } = run.yard
  const g = await receiver.call(goodsApi.details, { query: { id } })
  await receiver.call(goodsApi.answer, { body: { id, version: g.version, answer: 'agree' } })
  later(run, 4)
  const { list } = await examiner.call(examineApi.list, { query: { object_id: id, examineState: 0 } })
  const { version, hash } = list[0]!
  await examiner.call(examineApi.pass, { body: { id: list[0]!.id, version, hash, reason: '' } })
}
async function takeBack(run: Run, receiver: Worker, id: string): Promise<void> {
  for (let i = 0; i < 2; i += 1) {
    later(run, 20)
    const leg = (await receiver.call(goodsApi.details, { query: { id } })).steps.find((s) => s.type > 3)!
    await receiver.call(goodsApi.collect, { body: { id: leg.id, version: leg.version } })
  }
  const leg = (await receiver.call(goodsApi.details, { query: { id } })).steps.find((s) => s.type > 3)!
  await receiver.call(goodsApi.grade, { body: { id: leg.id, version: leg.version, grade: 'good' } })
}

/** From a placed order to wherever it comes. */
async function carry(run: Run, receiver: Worker, id: string, way: Way): Promise<void> {
  if (way === 'asked') return
  later(run, 5)
  if (way === 'held') {
    const { version } = await seen(run, id)
    const why = { rejectCode: 'stock' as const, reason: '厂家停产，建议换同系列' }
    return void (await receiver.call(ordersApi.reject, { body: { id, version, ...why } }))
  }
  const first = await acceptAll(run, receiver, id)
  if (way === 'late') return
  later(run, 30)
  await ship(run, receiver, first, way === 'part' || way === 'split')
  if (way === 'stuck' || way === 'part') return
  later(run, 26)
  await deliver(run, first)
  if (way === 'there') return
  later(run, 6)
  if (way === 'colour') {
    const found = {
      result: 4 as const,
      reasonCode: 'colour' as const,
      reason: '和前一批色号不同',
      outcome: '' as const,
      outcomeReason: '',
    }
    const change = (await check(run, first, found))!
    later(run, 5)
    await approve(run, receiver, change)
    later(run, 24)
    const instead = (await seen(run, id)).notes.find((n) => n.kind === 3 && n.state === 0)!
    return void (await ship(run, receiver, instead.id))
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
    later(run, 5)
    await approve(run, receiver, change)
    return takeBack(run, receiver, change)
  }
  await check(run, first)
}

/** Ninety days of orders of a branch: site by site, what its contract sold, from each receiver. */
export async function deliverIn(
  door: Door,
  yard: Yard,
  sites: readonly string[],
  until: Date,
): Promise<void> {
  const run: Run = { door, yard, until, photo: async (who) => who.send(await boxes()) }
  const today = shanghaiDay(until)
  for (const [i, site_id] of sites.entries()) {
    door.at(until)
    const { list } = await yard.clerk.call(ordersApi.plan, {
      query: { site_id, ready: true, pageSize: 100 },
    })
    const goods = list.filter((l) => l.receiver_id !== null && yard.receivers.has(l.receiver_id))
    for (const [j, [to, lines]] of [...Map.groupBy(goods, (l) => l.receiver_id!)].entries()) {
      const way = WAYS[(i * 2 + j) % WAYS.length]!
      if (way === 'none') continue
      const isOver = way === 'accepted' || way === 'return' || way === 'split'
      const ago = isOver ? 12 + ((i * 7 + j * 3) % (DAYS - 12)) : 3 + ((i + j) % 6)
      door.at(hourOf(addDays(today, -ago), 9 + (i % 4)))
      const placed = shanghaiDay(door.now())
      const expectedOn = addDays(placed, way === 'late' || way === 'stuck' ? 2 : 8)
      const { orders } = await yard.clerk.call(ordersApi.place, {
        body: {
          lines: lines.slice(0, MOST_LINES).map((l) => ({ item_id: l.id, quantity: l.quantity })),
          method: 1,
          expectedOn,
        },
      })
      await carry(run, yard.receivers.get(to)!, orders[0]!.id, way)
    }
  }
  door.at(until)
}
