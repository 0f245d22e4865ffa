import {
  attendRate,
  correctionRate,
  type DailyRow,
} from '@zhuguan/contract/features/statistics/daily-sheet.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'

import type { Database } from '../../database/connect.ts'
import { reachOf } from '../../kit/reach.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { dailySheet } from './daily-sheet.queries.ts'
import { spanOf } from './span.ts'

/** So many branches stand in a mail; the page has all. */
const MOST = 20
const rate = (percent: number | null) => (percent === null ? '' : `（${percent}%）`)
const lineOf = (d: DailyRow): string =>
  [
    `${d.bc_name}：在建 ${d.sites}`,
    `有人施工 ${d.worked}`,
    `无人施工 ${d.noWork}`,
    `出勤 ${d.attended}/${d.due}${rate(attendRate(d))}`,
    `报警 ${d.alarms}，已整改 ${d.corrected}${rate(correctionRate(d))}`,
    `巡检 ${d.patrols}`,
    `新增投诉 ${d.complaints}`,
  ].join('，')

/** The report of a day as its page shows it to this person, a line a branch; none where no role opens the page. */
export async function dailyReport(
  db: Database,
  person: SessionUser,
  { day, now }: { day: string; now: Date },
): Promise<string[]> {
  const scope = reachOf(person, 'page:DailySheet')
  if (!scope) return []
  const asked = statisticsApi.dailySheet.query.parse({ from: day, to: day, pageSize: MOST })
  const { list, totalCount } = await db.tx(
    scope,
    (tx) => dailySheet(tx, scope, spanOf(asked, now, 1), now, asked),
    { readOnly: true },
  )
  const left = totalCount - list.length
  return [...list.map(lineOf), ...(left > 0 ? [`还有 ${left} 家分公司，请登录查看。`] : [])]
}
