import { type DailyRow, perDay } from '@zhuguan/contract/features/statistics/daily-sheet.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { AddressOf, DataOf } from '@zhuguan/contract/kit/api.ts'
import { MAX_PAGE_SIZE } from '@zhuguan/contract/kit/paging.ts'
import { useEffect } from 'react'

import { callAddressed } from '../../kit/api.ts'
import type { ColumnOf } from '../../kit/list/ListPage.tsx'
import { full, nowSeconds } from '../../kit/time.ts'
import { useBranches } from '../../parts/places.tsx'
import { useSession } from '../../parts/session.ts'

type Query = AddressOf<typeof statisticsApi.dailySheet>
type Sheet = DataOf<typeof statisticsApi.dailySheet>
/** Every row of a filter, as it stood when it was asked for. */
export interface Printed {
  rows: DailyRow[]
  total: Sheet['total']
  whole: Sheet['whole']
  at: number
}

/** Page after page, until all rows of the filter are there. */
export async function everyRow(query: Query): Promise<Printed> {
  const rows: DailyRow[] = []
  for (let pageNo = 1; ; pageNo += 1) {
    const page = await callAddressed(statisticsApi.dailySheet, { ...query, pageNo, pageSize: MAX_PAGE_SIZE })
    rows.push(...page.list)
    if (page.list.length === 0 || rows.length >= page.totalCount)
      return { rows, total: page.total, whole: page.whole, at: nowSeconds() }
  }
}

/** Columns of what stands on a day: in the sum they are its mean. */
const MEANS: readonly string[] = ['sites', 'worked', 'noWork', 'apart', 'waiting', 'tidy']

interface Props {
  printed: Printed
  columns: readonly ColumnOf<typeof statisticsApi.dailySheet>[]
  bc: string | undefined
  /** The paper has it, or nobody wants it. */
  onDone: () => void
}
/** The sheet on paper: all rows of the filter, what they are of at the head of every page, and their sum. */
export function DailyPrint({ printed: { rows, total, whole, at }, columns, bc, onDone }: Props) {
  const { nickname } = useSession().info.user
  const branches = useBranches()
  const chosen = bc?.split(',').map((id) => branches.find((b) => b.bc_id === id)?.bc_name ?? '')
  const names = chosen ?? branches.map((b) => b.bc_name)
  const days = rows.map((r) => r.day).sort()
  useEffect(() => {
    addEventListener('afterprint', onDone)
    print()
    return () => removeEventListener('afterprint', onDone)
  }, [])
  const over = new Set(days.filter((d) => whole && d <= whole.to)).size
  const sum: DailyRow | null = whole && {
    ...perDay(total, over),
    id: 'sum',
    day: whole.to,
    bc_id: '',
    bc_name: '',
  }
  return (
    <table className="grid print-sheet">
      <thead>
        <tr>
          <th colSpan={columns.length} className="print-head">
            <b>
              日报表 {days[0]} 至 {days.at(-1)}
            </b>
            <span>{names.length > 3 ? `${names.length} 个分公司` : names.join('、')}</span>
            <span>
              共 {rows.length} 行 · {nickname} 打印于 {full(at)}
            </span>
          </th>
        </tr>
        <tr>
          {columns.map((c) => (
            <th key={c.key} className={c.right ? 'right' : ''}>
              {c.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((r) => (
          <tr key={r.id}>
            {columns.map((c) => (
              <td key={c.key} className={c.right ? 'right' : ''}>
                {c.render(r)}
              </td>
            ))}
          </tr>
        ))}
        {sum && (
          <tr className="print-sum">
            <td colSpan={2}>
              合计 {whole!.from.slice(5)} 至 {whole!.to.slice(5)}
              {days.at(-1)! > whole!.to && '（不含今天）'}
            </td>
            {columns.slice(2).map((c) => (
              <td key={c.key} className={c.right ? 'right' : ''}>
                {MEANS.includes(c.key) && over > 1 && '日均 '}
                {c.render(sum)}
              </td>
            ))}
          </tr>
        )}
      </tbody>
    </table>
  )
}
