import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import { amountOf } from '@zhuguan/contract/kit/money.ts'

import { hourOf } from '../database/seed/stories.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'
import type { Door, Worker } from './demo-door.ts'
import type { Branch } from './demo-people.ts'
import type { Story } from './demo-timeline.ts'

/** The progress of a statement. */
type End = 'agreed' | 'disputed' | 'part' | 'sent' | 'settled'
/** The receivers of each branch, and the fate of their statements of the last two months, or of the last one. */
const ENDS = {
  HZ: [['settled', 'part'], ['sent']],
  NB: [['part', 'disputed'], ['agreed']],
  SZ: [['part', 'sent'], ['disputed']],
} as const satisfies Record<string, readonly (readonly End[])[]>
/** So many days a statement takes until it is paid. */
const SETTLED_AFTER = 6

const monthBefore = (first: string): string => `${addDays(first, -1).slice(0, 7)}-01`

/** The statements of a branch with those who receive its orders, each made on the first of the month after. */
export function statementsOf(
  door: Door,
  branch: Branch,
  of: { code: keyof typeof ENDS; receivers: ReadonlyMap<string, Worker> },
  until: Date,
): Story[] {
  const made = `${addDays(shanghaiDay(until), -SETTLED_AFTER).slice(0, 7)}-01`
  const days = [monthBefore(made), made]
  return [...of.receivers].map(async function* ([id, receiver], i): Story {
    const ends: readonly End[] = ENDS[of.code][i] ?? []
    for (const [k, end] of ends.entries())
      yield* statement(door, branch, { id, receiver, day: days[days.length - ends.length + k]!, end })
  })
}

async function* statement(
  door: Door,
  { bc, cashier, examiner }: Branch,
  { id: receiver_id, receiver, day, end }: { id: string; receiver: Worker; day: string; end: End },
): Story {
  const month = monthBefore(day).slice(0, 7)
  const at = (days: number, hour: number) => hourOf(addDays(day, days), hour)
  yield at(0, 9)
  const { list: known } = await cashier.call(ordersApi.units, { query: { bc_id: bc } })
  if (!known.some((u) => u.id === receiver_id)) return
  const freight = { kind: 'freight', side: 'add', amount: '180', reason: '月底加急送货一车' } as const
  const charge = await cashier.call(statementsApi.charge, {
    body: { receiver_id, bc_id: bc, month, ...freight },
  })
  yield at(0, 11)
  const { list } = await examiner.call(examineApi.list, { query: { object_id: charge.id, examineState: 0 } })
  const { hash, id: asked, version: seenAt } = list[0]!
  await examiner.call(examineApi.pass, { body: { id: asked, version: seenAt, hash, reason: '' } })
  yield at(0, 15)
  const { id } = await cashier.call(statementsApi.add, { body: { receiver_id, bc_id: bc, month } })
  const seen = async () => {
    const { version, ...s } = await cashier.call(statementsApi.details, { query: { id } })
    return { s, one: { id, version } }
  }
  await cashier.call(statementsApi.send, { body: (await seen()).one })
  if (end === 'sent') return
  yield at(2, 10)
  if (end === 'disputed') {
    const { one, s } = await seen()
    const doubted = s.lines.find((l) => l.name !== '') ?? s.lines[0]!
    const said = [{ id: doubted.id, words: '送货单上的数量比这里多，请核对' }]
    await receiver.call(statementsApi.dispute, { body: { ...one, lines: said, reason: '其余各行没有问题' } })
    return
  }
  await receiver.call(statementsApi.agree, { body: (await seen()).one })
  if (end === 'agreed') return
  yield at(4, 14)
  const { one, s } = await seen()
  const open = s.open.replace('-', '')
  if (Number(open) === 0) return
  const amount = end === 'part' ? amountOf('0.6', open) : open
  const paidOn = shanghaiDay(door.now())
  await cashier.call(statementsApi.pay, { body: { ...one, amount, method: 'transfer', paidOn } })
}
