import { doneRate, type TaskCounts } from '@zhuguan/contract/features/statistics/patrol-figures.record.ts'
import type { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { AddressOf } from '@zhuguan/contract/kit/api.ts'

export type Place = Pick<AddressOf<typeof statisticsApi.patrols>, 'bc_id' | 'kind'>

/** The outcomes of occurrences, as series, each with the states that its list is filtered by. */
export const STATES = [
  { name: '按时完成', tone: 'ok', state: '3', of: (t: TaskCounts) => t.done },
  { name: '逾期完成', tone: 'wait', state: '4', of: (t: TaskCounts) => t.late },
  { name: '未巡检', tone: 'bad', state: '5', of: (t: TaskCounts) => t.missed },
  { name: '还可补做', hue: 0, state: '1,2', of: (t: TaskCounts) => t.waiting },
  { name: '已免除', tone: 'grey', state: '6', of: (t: TaskCounts) => t.excused },
] as const
/** Those that there are any of. */
export const statesOf = (rows: readonly TaskCounts[]) =>
  STATES.filter(({ of }) => rows.some((r) => of(r) > 0))
export const outcomes = (rows: readonly TaskCounts[]) =>
  statesOf(rows).map(({ of, state: _state, ...drawn }) => ({ ...drawn, values: rows.map(of) }))

/** The patrols with and without findings, as series. */
export const yields = (rows: readonly { made: number; found: number }[]) => [
  { name: '有收获', hue: 0, values: rows.map((r) => r.found) },
  { name: '没有发现', tone: 'grey' as const, values: rows.map((r) => r.made - r.found) },
]

export const rateText = (t: TaskCounts): string => {
  const rate = doneRate(t)
  return rate === null ? '--' : `${rate}%`
}
