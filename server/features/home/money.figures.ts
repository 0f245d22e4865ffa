import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { COUNTER, DUE_SOON, dueWhen } from '@zhuguan/contract/features/contracts/receipts.record.ts'
import type { CardFigure, HomeRow } from '@zhuguan/contract/features/home/home.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { backNow, dueNow, firstBack, firstDue, firstFlows, flowsOn } from '../contracts/contracts.reads.ts'
import { MOST } from './most-rows.ts'
import type { Whole } from './sold.figures.ts'

const LIST = PAGES.ReceiptList.path
const DUE = `${LIST}?view=due&unpaid=true`
const { before, today, week } = dueWhen.code

/** What customers have to pay until Sunday, older debts with it. Nobody kept what it was on other days. */
async function dueFigure(tx: Tx, scope: Scope, whole: Whole): Promise<CardFigure> {
  const now = await dueNow(tx, scope)
  return {
    ...whole,
    card: 'due',
    value: now.n,
    unit: '期',
    aside: `未收 ${grouped(now.open)} 元`,
    of: '到本周日',
    before: null,
    against: '',
    better: 'less',
    trend: [...whole.days.slice(1).map(() => null), now.n],
    link: `${DUE}&when=${DUE_SOON.join(',')}`,
    parts: [
      { label: '今天到期', value: now.today, link: `${DUE}&when=${today}` },
      { label: '今天以前', value: now.before, link: `${DUE}&when=${before}` },
      { label: '本周内', value: now.week, link: `${DUE}&when=${week}` },
      { label: '逾期', value: now.overdue, link: `${DUE}&overdue=true` },
    ],
  }
}
/** What went over the counter today. How often says little of other days: there is no curve over what it comes to. */
async function takenFigure(tx: Tx, scope: Scope, whole: Whole): Promise<CardFigure> {
  const day = whole.days.at(-1)!
  const now = (await flowsOn(tx, scope, [day]))[0]!
  const link = `${LIST}?view=flow&from=${day}&to=${day}&state=booked`
  return {
    ...whole,
    card: 'taken',
    value: now.count,
    unit: '笔',
    aside: `收 ${grouped(now.taken)} 元，退 ${grouped(now.given)} 元`,
    of: '今天',
    before: null,
    against: '',
    better: 'neither',
    trend: [...whole.days.slice(1).map(() => null), now.count],
    link: `${link}&kind=${COUNTER.join(',')}`,
    parts: [
      { label: '收款', value: now.takings, link: `${link}&kind=${COUNTER.slice(0, 2).join(',')}` },
      { label: '退款', value: now.count - now.takings, link: `${link}&kind=${COUNTER.slice(2).join(',')}` },
    ],
  }
}
async function backFigure(tx: Tx, scope: Scope, whole: Whole): Promise<CardFigure> {
  const now = await backNow(tx, scope)
  const link = `${PAGES.ContractList.path}?back=true`
  return {
    ...whole,
    card: 'back',
    value: now.n,
    unit: '份',
    aside: `应退 ${grouped(now.back)} 元`,
    of: '现在',
    before: null,
    against: '',
    better: 'less',
    trend: [...whole.days.slice(1).map(() => null), now.n],
    link,
    parts: [{ label: '已作废的合同', value: now.void, link: `${link}&state=${contractState.code.void}` }],
  }
}
export const moneyFigures = (tx: Tx, scope: Scope, whole: Whole): Promise<CardFigure>[] => [
  dueFigure(tx, scope, whole),
  takenFigure(tx, scope, whole),
  backFigure(tx, scope, whole),
]

const contractLink = (id: string) => `${PAGES.ContractDetail.path}?id=${id}`
export const MONEY_ROWS = {
  async due(tx: Tx, scope: Scope): Promise<HomeRow[]> {
    return (await firstDue(tx, scope, MOST)).map((r) => ({
      id: r.id,
      title: `${r.customerName} ${r.name}`,
      text: `未收 ${grouped(r.open)} 元 · ${r.code}`,
      picture: null,
      at: r.dueOn === null ? null : startOfDay(r.dueOn).getTime() / 1000,
      late: r.lateDays > 0,
      link: contractLink(r.contract_id),
    }))
  },
  async taken(tx: Tx, scope: Scope, now: Date): Promise<HomeRow[]> {
    return (await firstFlows(tx, scope, shanghaiDay(now), MOST)).map((r) => ({
      id: r.id,
      title: `${r.customerName} ${grouped(r.amount)} 元`,
      text: `${r.code} · ${r.by}`,
      picture: null,
      at: r.at,
      late: false,
      link: contractLink(r.contract_id),
    }))
  },
  async back(tx: Tx, scope: Scope): Promise<HomeRow[]> {
    return (await firstBack(tx, scope, MOST)).map((c) => ({
      id: c.id,
      title: `${c.customerName} 应退 ${grouped(c.back)} 元`,
      text: `${c.code}${c.refunding ? ' · 退款待审核' : ''}`,
      picture: null,
      at: null,
      late: false,
      link: contractLink(c.id),
    }))
  },
}
