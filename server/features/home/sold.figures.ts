import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import type { CardFigure } from '@zhuguan/contract/features/home/home.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { addDays, startOfDay } from '../../kit/shanghai.ts'
import { type Judge, waitedFor } from '../examine/examine.reads.ts'
import { complaintsAt } from '../feedback/complaints.reads.ts'
import type { HomeReach } from './home.figures.ts'
import { SIGNED, signedBy } from './home.queries.ts'
import { moneyFigures } from './money.figures.ts'

/** What every figure begins with; the last of its days is running. */
export type Whole = Pick<CardFigure, 'aside' | 'at' | 'days' | 'n' | 'parts' | 'beside' | 'rows' | 'running'>
const QUEUE = `${PAGES.ExamineList.path}?todo=true`

/** What waits for this person to be judged. */
async function examineFigure(tx: Tx, judge: Judge, whole: Whole): Promise<CardFigure> {
  const midnights = whole.days.slice(0, -1).map((day) => startOfDay(addDays(day, 1)))
  const { before, now, late } = await waitedFor(tx, judge, midnights)
  return {
    ...whole,
    card: 'examine',
    value: now,
    unit: '件',
    of: '现在',
    before: before.at(-1)!,
    against: '较昨日结束时',
    better: 'less',
    trend: [...before, now],
    link: QUEUE,
    parts: [{ label: '已超时', value: late, link: `${QUEUE}&overdue=true` }],
  }
}

const COMPLAINTS = `${PAGES.FeedbackList.path}?kind=complaint&status=1,2`
/** Complaints that are not closed. */
async function complaintsFigure(tx: Tx, scope: Scope, whole: Whole): Promise<CardFigure> {
  const midnights = whole.days.slice(0, -1).map((day) => startOfDay(addDays(day, 1)))
  const { before, late, now } = await complaintsAt(tx, scope, midnights)
  return {
    ...whole,
    card: 'complaints',
    value: now,
    unit: '条',
    of: '现在',
    before: before.at(-1)!,
    against: '较昨日结束时',
    better: 'less',
    trend: [...before, now],
    link: COMPLAINTS,
    parts: [{ label: '已超期', value: late, link: `${COMPLAINTS}&overdue=true` }],
  }
}

/** The same day of the month before, or its last one. */
function monthAgo(day: string): string {
  const last = addDays(`${day.slice(0, 7)}-01`, -1)
  return last.slice(8) < day.slice(8) ? last : `${last.slice(0, 8)}${day.slice(8)}`
}
/** Contracts of the running month as of each day; from the day on which it became void one is in none of them. */
async function signedFigure(tx: Tx, scope: Scope, whole: Whole): Promise<CardFigure> {
  const today = whole.days.at(-1)!
  const [past, ...days] = await signedBy(tx, scope, [monthAgo(today), ...whole.days])
  const now = days.at(-1)!
  const list = PAGES.ContractList.path
  const first = `${today.slice(0, 7)}-01`
  const signed = `${list}?signedFrom=${first}&signedTo=${today}`
  return {
    ...whole,
    card: 'signed',
    value: now.n,
    unit: '份',
    aside: `合同额 ${grouped(now.amount)} 元${now.ended > 0 ? '，终止的按结算金额' : ''}`,
    of: `${today.slice(5, 7)}-01 至今`,
    before: past!.n,
    against: '较上月同期',
    better: 'more',
    trend: days.map((s) => s.n),
    link: `${signed}&state=${SIGNED.join(',')}`,
    parts: [
      {
        label: '其中已终止',
        value: now.ended,
        link: `${signed}&state=${contractState.code.ending},${contractState.code.ended}`,
      },
      {
        label: '本月作废',
        value: now.void,
        link: `${list}?voidedFrom=${first}&voidedTo=${today}&state=${contractState.code.void}`,
      },
    ],
  }
}

/** The cards of what is sold, of those that are the caller's. */
export const soldFigures = async (tx: Tx, reach: HomeReach, whole: Whole): Promise<CardFigure[]> =>
  await Promise.all(
    [
      reach.judging ? [examineFigure(tx, reach.judging, whole)] : [],
      reach.feedback ? [complaintsFigure(tx, reach.feedback, whole)] : [],
      reach.contracts ? [signedFigure(tx, reach.contracts, whole)] : [],
      reach.money ? moneyFigures(tx, reach.money, whole) : [],
    ].flat(),
  )
