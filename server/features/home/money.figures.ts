import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { COUNTER, DUE_SOON, dueWhen } from '@zhuguan/contract/features/contracts/receipts.record.ts'
import type { CardFigure, HomeRow } from '@zhuguan/contract/features/home/home.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { backNow, dueNow, firstBack, firstDue, firstFlows, flowsOn } from '../contracts/contracts.reads.ts'
import { MOST } from './most-rows.ts'
import type { Whole } from './sold.figures.ts'

const dueList = (asked: { when?: readonly (string | number)[]; overdue?: true }) =>
  linkTo('ReceiptList', { view: 'due', unpaid: true, ...asked })
const { before, today, week } = dueWhen.code

/** Debts of customers until Sunday, older ones with it. Nobody kept what they were on other days. */
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
    link: dueList({ when: DUE_SOON }),
    parts: [
      { label: '今天到期', value: now.today, link: dueList({ when: [today] }) },
      { label: '今天以前', value: now.before, link: dueList({ when: [before] }) },
      { label: '本周内', value: now.week, link: dueList({ when: [week] }) },
      { label: '逾期', value: now.overdue, link: dueList({ overdue: true }), late: true },
    ],
  }
}
/** Money over the counter today. How often says little of other days: there is no curve over what it comes to. */
async function takenFigure(tx: Tx, scope: Scope, whole: Whole): Promise<CardFigure> {
  const day = whole.days.at(-1)!
  const now = (await flowsOn(tx, scope, [day]))[0]!
  const flows = (kind: readonly (string | number)[]) =>
    linkTo('ReceiptList', { view: 'flow', from: day, to: day, state: 'booked', kind })
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
    link: flows(COUNTER),
    parts: [
      { label: '收款', value: now.takings, link: flows(COUNTER.slice(0, 2)) },
      { label: '退款', value: now.count - now.takings, link: flows(COUNTER.slice(2)) },
    ],
  }
}
async function backFigure(tx: Tx, scope: Scope, whole: Whole): Promise<CardFigure> {
  const now = await backNow(tx, scope)
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
    link: linkTo('ContractList', { back: true }),
    parts: [
      {
        label: '已作废的合同',
        value: now.void,
        link: linkTo('ContractList', { back: true, state: contractState.code.void }),
      },
    ],
  }
}
export const moneyFigures = (tx: Tx, scope: Scope, whole: Whole): Promise<CardFigure>[] => [
  dueFigure(tx, scope, whole),
  takenFigure(tx, scope, whole),
  backFigure(tx, scope, whole),
]

const contractLink = (id: string) => linkTo('ContractDetail', { id })
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
