import type { Addressed } from '../../kit/list/address.ts'
import { CodeFilter } from '../../kit/list/filters.tsx'
import { dayOf, nowSeconds } from '../../kit/time.ts'

const BACK = 24
/** A month so many months away. */
export function monthAfter(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const at = year * 12 + number - 1 + count
  return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`
}
/** Months that can have a statement: those of the last two years. */
export function MonthFilter({ list }: { list: Addressed<'month'> }) {
  const now = dayOf(nowSeconds()).slice(0, 7)
  const options = Array.from({ length: BACK }, (_, i) => monthAfter(now, -1 - i)).map((value) => ({
    value,
    label: value,
  }))
  return <CodeFilter single list={list} field="month" label="月份" options={options} />
}
