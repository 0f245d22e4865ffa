import { alarmType, alarmVerdict, correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import {
  type AlarmCell,
  type AlarmGroup,
  type AlarmTime,
  ENOUGH_TIMES,
} from '@zhuguan/contract/features/statistics/alarm-figures.record.ts'
import type { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { type PageOf, settled, type Where } from '../../kit/statement.ts'
import { between, keptIn, type Span } from './span.ts'

type Filters = QueryOf<(typeof statisticsApi)['alarms']>
type Groups = QueryOf<(typeof statisticsApi)['alarmGroups']>

const { real, wrong } = alarmVerdict.code
const { cancelled, corrected } = correctionStatus.code
const MOMENT = `(a.at AT TIME ZONE 'Asia/Shanghai')`

const filtered = (where: Where, q: Filters, alias: string): Where =>
  where
    .when(q.bc_id, (p) => `${alias}.bc_id = ANY(${p}::uuid[])`)
    .when(q.type, (p) => `${alias}.type = ANY(${p}::text[])`)
/** Alarms `a` of which a moment lies in the span. */
const within = (scope: Scope, span: Span, q: Filters, moment: string): Where =>
  filtered(between(scoped(scope, 'a'), span, moment), q, 'a')

/**
 * Rows `k` of alarms by branch, day, hour and type: the kept ones of whole branches; of single sites their alarms are
 * asked, which are few.
 */
export function hoursOf(scope: Scope, span: Span, q: Filters): { from: string; where: Where } {
  if (!scope.sites)
    return {
      from: 'alarm_hours k',
      where: filtered(keptIn(scoped(scope, 'k'), span), q, 'k'),
    }
  const where = within(scope, span, q, 'a.at')
  return {
    from: `(SELECT a.tenant_id, a.bc_id, ${MOMENT}::date AS day, extract(hour FROM ${MOMENT})::smallint AS hour, a.type,
        1 AS raised, (a.verdict = '${real}')::int AS "real", (a.verdict = '${wrong}')::int AS wrong,
        (a.correction_status = ${corrected})::int AS corrected,
        (a.correction_status = ${cancelled})::int AS cancelled
      FROM alarms a
      WHERE ${where.text}) k`,
    where: settled(where),
  }
}
const SUMS = `sum(k.raised)::int AS raised, sum(k."real")::int AS "real", sum(k.wrong)::int AS wrong,
       sum(k.corrected)::int AS corrected, sum(k.cancelled)::int AS cancelled`

/** The column by which the rows are told apart, and its name. */
const CELLS = {
  day: ['k.day::text', `''`, ''],
  hour: ['k.hour::text', `''`, ''],
  branch: ['k.bc_id::text', 'c.bc_name', 'JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id'],
} as const

/** Alarms of each type by day, by branch or by hour of the day. */
export async function alarmCells(
  tx: Tx,
  scope: Scope,
  span: Span,
  q: Filters,
  by: keyof typeof CELLS,
): Promise<AlarmCell[]> {
  const { from, where } = hoursOf(scope, span, q)
  const [key, name, join] = CELLS[by]
  const { rows } = await tx.query(
    `statistics.alarm${by}`,
    row<AlarmCell>({
      key: text,
      name: text,
      type: text.of(alarmType),
      raised: int4,
      real: int4,
      wrong: int4,
      corrected: int4,
      cancelled: int4,
    }),
    `SELECT ${key} AS key, ${name} AS name, k.type, ${SUMS}
     FROM ${from} ${join}
     WHERE ${where.text}
     GROUP BY 1, 2, 3
     HAVING sum(k.raised) > 0
     ORDER BY 2, 1, 3`,
    where.values,
  )
  return rows
}

const TOOK = 'greatest(0, floor(extract(epoch FROM a.closed_at - a.at)))'
/** The time within which so many of a hundred were done: it is that of one of them, never between two. */
const timeOf = (hundredth: number, took: string) =>
  `CASE WHEN count(*) >= ${ENOUGH_TIMES} THEN
         percentile_disc(${hundredth / 100}) WITHIN GROUP (ORDER BY ${took}) END::float8`
export const TIMES = (took: string): string =>
  `count(*)::int AS n, ${timeOf(50, took)} AS p50, ${timeOf(90, took)} AS p90`

/** Alarms whose correction was verified in the span: how long each took stands in it. */
export function timesOf(scope: Scope, span: Span, q: Filters): { from: string; where: Where } {
  const where = within(scope, span, q, 'a.closed_at').plain(`a.correction_status = ${corrected}`)
  return {
    from: `(SELECT a.type, a.bc_id, ${TIMES(TOOK)}
      FROM alarms a
      WHERE ${where.text}
      GROUP BY GROUPING SETS ((), (a.type), (a.bc_id))) g
     LEFT JOIN companies c ON c.tenant_id = $1 AND c.bc_id = g.bc_id`,
    where: settled(where),
  }
}
export async function alarmTimes(tx: Tx, scope: Scope, span: Span, q: Filters): Promise<AlarmTime[]> {
  const { from, where } = timesOf(scope, span, q)
  const { rows } = await tx.query(
    'statistics.alarmtimes',
    row<AlarmTime>({
      type: text.of(alarmType).null,
      bc_id: uuid.null,
      bc_name: text,
      n: int4,
      p50: float8.null,
      p90: float8.null,
    }),
    `SELECT g.type, g.bc_id, coalesce(c.bc_name, '') AS bc_name, g.n, g.p50, g.p90
     FROM ${from}
     WHERE ${where.text}
     ORDER BY g.type NULLS FIRST, c.bc_name NULLS FIRST`,
    where.values,
  )
  return rows
}

const COUNTED = `count(*)::int AS raised, count(*) FILTER (WHERE a.verdict = '${real}')::int AS "real",
      count(*) FILTER (WHERE a.verdict = '${wrong}')::int AS wrong,
      count(*) FILTER (WHERE a.correction_status = ${corrected})::int AS corrected,
      count(*) FILTER (WHERE a.correction_status = ${cancelled})::int AS cancelled`
const NOBODY = 'nobody'
const NOBODY_YET = '还没有责任人'
/** The key and what it is grouped by, who that is, and what it is called. */
const RANKED = {
  site: {
    keys: 'a.site_id::text AS key, a.site_id, NULL::uuid AS device_id, NULL::text AS type, NULL::uuid AS assignee_id',
    by: 'a.site_id',
    name: ['w.ws_name', 'c.bc_name'],
    joins: `JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id
     JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id`,
  },
  person: {
    keys: `coalesce(a.assignee_id::text, '${NOBODY}') AS key, NULL::uuid AS site_id, NULL::uuid AS device_id,
      NULL::text AS type, a.assignee_id`,
    by: 'a.assignee_id',
    name: [`CASE WHEN g.assignee_id IS NULL THEN '${NOBODY_YET}' ELSE coalesce(u.nickname, '') END`, `''`],
    joins: 'LEFT JOIN users u ON u.tenant_id = $1 AND u.id = g.assignee_id',
  },
  // Once is no repetition.
  camera: {
    keys: `concat_ws('.', a.device_id, a.site_id, a.type) AS key, a.site_id, a.device_id, a.type,
      NULL::uuid AS assignee_id`,
    by: 'a.device_id, a.site_id, a.type HAVING count(*) > 1',
    name: ['d.sn', 'w.ws_name'],
    joins: `JOIN devices d ON d.tenant_id = $1 AND d.id = g.device_id
     JOIN sites w ON w.tenant_id = $1 AND w.id = g.site_id`,
  },
} as const
const GROUP_COLUMNS: Record<keyof AlarmGroup, string> = {
  id: 'g.key',
  name: '',
  beside: '',
  site_id: 'g.site_id',
  device_id: 'g.device_id',
  type: 'g.type',
  assignee_id: 'g.assignee_id',
  raised: 'g.raised',
  real: 'g."real"',
  wrong: 'g.wrong',
  corrected: 'g.corrected',
  cancelled: 'g.cancelled',
}

/** Sites, people or repeating cameras with most alarms first. */
export function groupPage(
  scope: Scope,
  span: Span,
  q: Filters & Pick<Groups, 'by' | 'pageNo' | 'pageSize' | 'sort'>,
): PageOf {
  const { keys, by, name, joins } = RANKED[q.by]
  const where = within(scope, span, q, 'a.at')
  const columns = { ...GROUP_COLUMNS, name: name[0], beside: name[1] }
  return {
    name: `statistics.alarmof${q.by}`,
    columns: Object.entries(columns)
      .map(([field, sql]) => `${sql} AS "${field}"`)
      .join(', '),
    base: `(SELECT ${keys}, ${COUNTED} FROM alarms a WHERE ${where.text} GROUP BY ${by}) g`,
    alias: 'g',
    joins,
    where: settled(where),
    otherwise: 'g.raised DESC',
    tie: 'g.key',
    sortable: { raised: 'g.raised', wrong: 'g.wrong' },
    filled: ['raised', 'wrong'],
    sort: q.sort,
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}
export const isRanked = (by: string): by is keyof typeof RANKED => by in RANKED
