import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import type { CardFigure } from '@zhuguan/contract/features/home/home.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { addDays, startOfDay } from '../../kit/shanghai.ts'
import { type Judge, waitedFor } from '../examine/examine.reads.ts'
import { complaintsAt } from '../feedback/complaints.reads.ts'
import type { HomeReach } from './home.figures.ts'
import { SIGNED, signedBy } from './home.queries.ts'
import { moneyFigures } from './money.figures.ts'

/** The first columns of every figure, and the days that it is counted for; the last of them is running. */
export interface Whole extends Pick<
  CardFigure,
  'aside' | 'at' | 'n' | 'parts' | 'beside' | 'rows' | 'running' | 'until'
> {
  days: readonly string[]
}

/** Requests that wait for this person to judge them. */
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
    link: linkTo('ExamineList', { todo: true }),
    parts: [
      {
        label: '已超时',
        value: late,
        link: linkTo('ExamineList', { todo: true, overdue: true }),
        late: true,
      },
    ],
  }
}

const COMPLAINTS = { kind: 'complaint', status: [1, 2] }
export const LATE_COMPLAINTS = linkTo('FeedbackList', { ...COMPLAINTS, overdue: true })
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
    link: linkTo('FeedbackList', COMPLAINTS),
    parts: [{ label: '已超期', value: late, link: LATE_COMPLAINTS, late: true }],
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
  const first = `${today.slice(0, 7)}-01`
  const signed = (state: readonly string[]) =>
    linkTo('ContractList', { signedFrom: first, signedTo: today, state })
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
    link: signed(SIGNED),
    parts: [
      {
        label: '其中已终止',
        value: now.ended,
        link: signed([contractState.code.ending, contractState.code.ended]),
      },
      {
        label: '本月作废',
        value: now.void,
        link: linkTo('ContractList', { voidedFrom: first, voidedTo: today, state: contractState.code.void }),
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
