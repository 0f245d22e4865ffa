import type { PlanRow } from '@zhuguan/contract/features/orders/orders.record.ts'

import { dayOf, nowSeconds } from '../../kit/time.ts'

const DAY_S = 86_400
type Timed = Pick<PlanRow, 'leadDays' | 'stageOn' | 'suggestedOn'>
const soonestOf = (rows: readonly Timed[]) =>
  dayOf(nowSeconds() + Math.max(0, ...rows.map((r) => r.leadDays)) * DAY_S)
const first = (days: readonly (string | null)[]) => days.filter((day) => day !== null).toSorted()[0]
/** When the stage begins; but not before the slowest of the goods can be there. */
export function expectedOf(rows: readonly Timed[]): string {
  const soonest = soonestOf(rows)
  const begin = first(rows.map((r) => r.stageOn))
  return begin && begin > soonest ? begin : soonest
}
/** The reason why a day is not a good one for these goods; they may be wanted on it all the same. */
export function doubtOf(rows: readonly Timed[], day: string): string {
  const suggested = rows
    .flatMap((r) => r.suggestedOn ?? [])
    .toSorted()
    .at(-1)
  if (suggested && day < suggested) return `比建议下单日 ${suggested.slice(5)} 还早`
  const begin = first(rows.map((r) => r.stageOn))
  if (begin && day > begin) return `晚于阶段开始 ${begin.slice(5)}`
  return day < soonestOf(rows) ? '商家的供货周期内到不了' : ''
}
