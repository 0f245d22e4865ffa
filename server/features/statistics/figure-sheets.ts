import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { rankReason } from '@zhuguan/contract/features/rankings/rankings.record.ts'
import { alarmBy, ENOUGH_TIMES } from '@zhuguan/contract/features/statistics/alarm-figures.record.ts'
import { patrolBy } from '@zhuguan/contract/features/statistics/patrol-figures.record.ts'
import type { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope } from '../../database/connect.ts'
import { orderOf, settled, type Where } from '../../kit/statement.ts'
import { dayColumn, type Sheet, word } from '../exports/exports.service.ts'
import { groupPage, hoursOf, isRanked, timesOf } from './alarm-figures.queries.ts'
import { peoplePage, reasonsOf } from './patrol-figures.queries.ts'
import type { Span } from './span.ts'
import { sitePage, taskCells } from './task-figures.queries.ts'

type Alarms = QueryOf<(typeof statisticsApi)['alarmExport']>
type Patrols = QueryOf<(typeof statisticsApi)['patrolExport']>
/** Two spans of one file: its days go to today, all else is of days that are over. */
interface Spans {
  shown: Span
  counted: Span
}
type Columns = Sheet['columns']
const ALL = { pageNo: 1, pageSize: 1, sort: undefined }

const counts = (k: string): Columns => [
  ['报警', `${k}.raised`, 'number'],
  ['属实', `${k}."real"`, 'number'],
  ['误报', `${k}.wrong`, 'number'],
  ['未判', `${k}.raised - ${k}."real" - ${k}.wrong`, 'number'],
  ['已整改', `${k}.corrected`, 'number'],
  ['已取消', `${k}.cancelled`, 'number'],
  ['未办结', `${k}.raised - ${k}.corrected - ${k}.cancelled`, 'number'],
]
const hours = (seconds: string) =>
  `CASE WHEN g.n < ${ENOUGH_TIMES} THEN '样本不足' ELSE round(${seconds}::numeric / 3600, 1)::text END`

function timeSheet({ from, where }: { from: string; where: Where }): Sheet {
  return {
    from,
    where,
    order: 'g.type NULLS FIRST, c.bc_name NULLS FIRST',
    columns: [
      ['报警类型', `coalesce(${word('g.type', alarmType)}, '')`],
      ['分公司', `coalesce(c.bc_name, '')`],
      ['复核通过', 'g.n', 'number'],
      ['一半在（小时）以内', hours('g.p50'), 'number'],
      ['九成在（小时）以内', hours('g.p90'), 'number'],
    ],
  }
}

/** The rows of a card of AlarmStatistics. */
export function alarmSheet(scope: Scope, { counted, shown }: Spans, q: Alarms): Sheet {
  const { by } = q
  if (by === alarmBy.code.time) return timeSheet(timesOf(scope, counted, q))
  if (isRanked(by)) {
    const page = groupPage(scope, counted, { ...q, ...ALL, by })
    const named = by === alarmBy.code.camera ? [['所在工地', 'k.beside'] as const] : []
    return {
      from: `(SELECT ${page.columns} FROM ${page.base} ${page.joins} ORDER BY ${orderOf(page).join(', ')}) k`,
      where: settled(page.where),
      order: '',
      columns: [
        [alarmBy.label(by), 'k.name'],
        ...named,
        ...(by === alarmBy.code.site ? [['分公司', 'k.beside'] as const] : []),
        ...(by === alarmBy.code.camera ? [['报警类型', word('k.type', alarmType)] as const] : []),
        ...counts('k'),
      ],
    }
  }
  const { from, where } = hoursOf(scope, by === alarmBy.code.day ? shown : counted, q)
  const key = { day: 'k.day', type: 'k.type', branch: 'k.bc_id', hour: 'k.hour' }[by]
  const sums = ['raised', '"real"', 'wrong', 'corrected', 'cancelled'].map((f) => `sum(k.${f}) AS ${f}`)
  const first: Columns[number] = {
    day: dayColumn('日期', 'g.key'),
    type: ['报警类型', word('g.key', alarmType)] as const,
    branch: ['分公司', 'c.bc_name'] as const,
    hour: ['时段', `g.key || ' 点'`] as const,
  }[by]
  return {
    from: `(SELECT ${key} AS key, ${sums.join(', ')}
      FROM ${from}
      WHERE ${where.text}
      GROUP BY 1
      HAVING sum(k.raised) > 0) g
     ${by === alarmBy.code.branch ? 'JOIN companies c ON c.tenant_id = $1 AND c.bc_id = g.key' : ''}`,
    where: settled(where),
    order: 'g.key',
    columns: [first, ...counts('g')],
  }
}

const tasks = (k: string): Columns => [
  ['任务', `${k}.tasks`, 'number'],
  ['按时完成', `${k}.done`, 'number'],
  ['逾期完成', `${k}.late`, 'number'],
  ['未巡检', `${k}.missed`, 'number'],
  ['还可补做', `${k}.waiting`, 'number'],
  ['已免除', `${k}.excused`, 'number'],
  [
    '完成率%',
    `coalesce(round(100.0 * (${k}.done + ${k}.late) / nullif(${k}.tasks - ${k}.excused, 0), 1)::text, '--')`,
    'number',
  ],
]
const found: Columns = [
  ['巡检', 'k.made', 'number'],
  ['有收获', 'k.found', 'number'],
  ['有收获%', `round(100.0 * k.found / nullif(k.made, 0), 1)`, 'number'],
]

/** The rows of a card of PatrolStatistics. */
export function patrolSheet(scope: Scope, { counted, shown }: Spans, q: Patrols): Sheet {
  const { day, person, reason, site } = patrolBy.code
  if (q.by === site || q.by === person) {
    const page =
      q.by === site
        ? sitePage(scope, counted, { ...q, ...ALL, coverage: undefined })
        : peoplePage(scope, counted, { ...q, ...ALL })
    return {
      from: `(SELECT ${page.columns} FROM ${page.base} ${page.joins} ORDER BY ${orderOf(page).join(', ')}) k`,
      where: settled(page.where),
      order: '',
      columns:
        q.by === site
          ? [['工地', 'k.name'], ['分公司', 'k.bc_name'], ...tasks('k')]
          : [['巡检人', 'k.name'], ...found, ['问题数', 'k.problems', 'number']],
    }
  }
  if (q.by === reason) {
    const { from, where } = reasonsOf(scope, counted, q)
    return {
      from: `(SELECT g.* FROM ${from} ORDER BY g.made DESC, g.reason) k`,
      where,
      order: '',
      columns: [['该巡原因', word('k.reason', rankReason)], ...found],
    }
  }
  const { from, where } = taskCells(scope, q.by === day ? shown : counted, q, q.by)
  return {
    from,
    where,
    order: 'g.name, g.key',
    columns: [q.by === day ? dayColumn('日期', 'g.key') : ['分公司', 'g.name'], ...tasks('g')],
  }
}
