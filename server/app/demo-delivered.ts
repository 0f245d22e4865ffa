import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import type { FindingFacts } from '@zhuguan/contract/features/goods/goods.record.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { amountOf } from '@zhuguan/contract/kit/money.ts'
import sharp from 'sharp'

import { hourOf } from '../database/seed/stories.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import type { Door, Worker } from './demo-door.ts'
import { after, hoursAfter, type Story } from './demo-timeline.ts'

/** The person who moves goods of a branch; the receivers by their number. */
export interface Yard {
  clerk: Worker
  acceptor: Worker
  examiner: Worker
  receivers: ReadonlyMap<string, Worker>
}
/** What is found wrong after everything was accepted. */
type Complaint = 'cracked' | 'damaged' | 'missing' | 'soaked' | 'unwanted'
/** The progress of orders, in turn: most of them to the end. */
type Way =
  | Complaint
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
  'missing',
  'cracked',
  'unwanted',
  'damaged',
  'soaked',
]
type Found = Pick<FindingFacts, 'outcome' | 'outcomeReason' | 'reason' | 'reasonCode' | 'result' | 'scrap'>
const COMPLAINTS: Readonly<Record<Complaint, Found>> = {
  missing: {
    result: 3,
    reasonCode: 'short',
    reason: '拆箱清点少一件',
    outcome: '',
    outcomeReason: '',
    scrap: false,
  },
  cracked: {
    result: 4,
    reasonCode: 'broken',
    reason: '安装时发现暗裂',
    outcome: '',
    outcomeReason: '',
    scrap: false,
  },
  unwanted: {
    result: 5,
    reasonCode: 'wrong',
    reason: '型号和图纸不符',
    outcome: 'again',
    outcomeReason: '',
    scrap: false,
  },
  damaged: {
    result: 5,
    reasonCode: 'quality',
    reason: '表面起泡',
    outcome: 'borne',
    outcomeReason: '和客户说定不再装',
    scrap: false,
  },
  soaked: {
    result: 5,
    reasonCode: 'quality',
    reason: '受潮变形，搬不走',
    outcome: 'borne',
    outcomeReason: '现场报废，由公司承担',
    scrap: true,
  },
}
const isComplaint = (way: Way): way is Complaint => way in COMPLAINTS
/** Ways that are over: their orders were placed long enough ago. */
const OVER: ReadonlySet<Way> = new Set([
  'accepted',
  'return',
  'split',
  'cracked',
  'damaged',
  'missing',
  'soaked',
  'unwanted',
])

/**
 * How many hours answers, shipping, the way and the look at the goods take, by turns, and the days after which they are
 * promised: a merchant who is slow and does not always keep what they promise, and the branch's own warehouse.
 */
const PACES = [
  {
    answer: [4, 26, 9, 50, 16],
    ship: [30, 54, 26, 96],
    carry: [26, 20, 44],
    check: [3, 6, 22],
    promised: [2, 8, 6],
  },
  { answer: [1, 3, 2, 5], ship: [8, 26, 12, 30], carry: [5, 24, 20], check: [2, 4, 7], promised: [4, 5, 8] },
] as const
type Pace = (typeof PACES)[number]
/** What is under way now began a few days ago: it takes no longer than this. */
const LATELY_HOURS = 26
/** The longest ago that an order of the demo was placed, and at most so many lines of a site are ordered at once. */
const DAYS = 88
const MOST_LINES = 6

interface Run {
  door: Door
  /** So many hours, or days, of this kind in this order. */
  takes: (what: keyof Pace) => number
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
  const promisedOn = addDays(shanghaiDay(run.door.now()), run.takes('promised'))
  const lines = o.lineList.map((l) => ({ line_id: l.id, promisedOn }))
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
const legOf = async (who: Worker, id: string) =>
  (await who.call(goodsApi.details, { query: { id } })).steps.find((s) => s.type > 3)!
/** Goods that go back are taken along, arrive and are graded; what is asked for their damage, if they are. */
async function* takeBack(run: Run, receiver: Worker, id: string, damage = '0'): Story {
  for (let i = 0; i < 2; i += 1) {
    yield later(run, 20)
    const { id: leg, version } = await legOf(receiver, id)
    await receiver.call(goodsApi.collect, { body: { id: leg, version } })
  }
  const { id: leg, version } = await legOf(receiver, id)
  const said =
    damage === '0'
      ? { grade: 'good' as const }
      : { grade: 'damaged' as const, reason: '边角磕碰', amount: damage }
  await receiver.call(goodsApi.grade, { body: { id: leg, version, ...said } })
}
/** The buyer does not agree that it was damaged when it left; the examiner decides on a part of the sum. */
async function* decide(run: Run, id: string, amount: string): Story {
  const { clerk, examiner } = run.yard
  yield later(run, 5)
  const { id: leg, version } = await legOf(clerk, id)
  const reason = '取走时完好，司机签过字'
  await clerk.call(goodsApi.disputeGrade, { body: { id: leg, version, reason } })
  yield later(run, 20)
  const { list } = await examiner.call(examineApi.list, { query: { object_id: leg, examineState: 0 } })
  const { hash, ...asked } = list[0]!
  const body = { id: asked.id, version: asked.version, hash, reason: '双方各担一部分', amount }
  await examiner.call(examineApi.pass, { body })
}
/** Something is wrong with what had been accepted: from the complaint to its end. */
async function* complain(
  run: Run,
  receiver: Worker,
  order: { id: string; note: string },
  way: Complaint,
): Story {
  const { acceptor, clerk } = run.yard
  yield later(run, 30)
  const sheet = await clerk.call(goodsApi.sheet, { query: { id: order.note } })
  const line = sheet.lineList.find((l) => Number(l.accepted) >= 1)
  if (!line) return
  const photos = [await run.photo(clerk)]
  const one = { line_id: line.line_id, quantity: '1', photos }
  const { id } = await clerk.call(goodsApi.complain, {
    body: { id: order.note, version: sheet.version, ...one, ...COMPLAINTS[way] },
  })
  yield later(run, run.takes('answer'))
  yield* approve(run, receiver, id)
  if (way === 'soaked') return
  if (way === 'missing' || way === 'cracked') {
    yield later(run, run.takes('ship'))
    const instead = (await seen(run, order.id)).notes.find((n) => n.kind > 1 && n.state === 0)!
    await ship(run, receiver, instead.id)
    yield later(run, run.takes('carry'))
    await deliver(run, instead.id)
    yield later(run, run.takes('check'))
    const { lineList, version } = await acceptor.call(goodsApi.sheet, { query: { id: instead.id } })
    const findings = lineList.map((l) => ({ line_id: l.line_id, quantity: l.waiting, result: 2 as const }))
    await acceptor.call(goodsApi.judge, { body: { id: instead.id, version, findings } })
    if (way === 'missing') return
  }
  const price = (await seen(run, order.id)).lineList.find((l) => l.id === line.line_id)!.price!
  const isDamaged = way === 'damaged'
  yield* takeBack(run, receiver, id, isDamaged ? amountOf('0.5', price) : '0')
  if (isDamaged) yield* decide(run, id, amountOf('0.2', price))
}

/** From a placed order to wherever it comes. */
async function* carry(run: Run, receiver: Worker, id: string, way: Way): Story {
  if (way === 'asked') return
  yield later(run, run.takes('answer'))
  if (way === 'held') {
    const { version } = await seen(run, id)
    const why = { rejectCode: 'stock' as const, reason: '厂家停产，建议换同系列' }
    await receiver.call(ordersApi.reject, { body: { id, version, ...why } })
    return
  }
  const first = await acceptAll(run, receiver, id)
  if (way === 'late') return
  yield later(run, run.takes('ship'))
  await ship(run, receiver, first, way === 'part' || way === 'split')
  if (way === 'stuck' || way === 'part') return
  yield later(run, run.takes('carry'))
  await deliver(run, first)
  if (way === 'there') return
  yield later(run, run.takes('check'))
  if (way === 'colour') {
    const found = {
      result: 4 as const,
      reasonCode: 'colour' as const,
      reason: '和前一批色号不同',
      outcome: '' as const,
      outcomeReason: '',
      scrap: false,
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
      scrap: false,
    }
    const change = (await check(run, first, found))!
    yield later(run, 5)
    yield* approve(run, receiver, change)
    return yield* takeBack(run, receiver, change)
  }
  await check(run, first)
  if (isComplaint(way)) yield* complain(run, receiver, { id, note: first }, way)
}

/** A site whose goods are ordered, and from which day on there is a contract. */
export interface Fitted {
  id: string
  from: string
}
/** Ninety days of orders of a branch: of each site what its contract sold, an order a receiver. */
export function deliveries(door: Door, yard: Yard, sites: readonly Fitted[], until: Date): Story[] {
  return sites.flatMap((site, i) =>
    [...yard.receivers].map(([to, receiver], j) => {
      const way = WAYS[(i * 2 + j) % WAYS.length]!
      const isOver = OVER.has(way)
      const pace = PACES[j % PACES.length]!
      const run: Run = {
        door,
        yard,
        until,
        photo: async (who) => who.send(await boxes()),
        takes(what) {
          const turn = pace[what][i % pace[what].length]!
          return isOver ? turn : Math.min(turn, LATELY_HOURS)
        },
      }
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
