import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import { tidinessBy } from '@zhuguan/contract/features/tidiness/tidiness.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { invalid } from '../../kit/refuse.ts'
import { int4, row, text, uuid } from '../../kit/row.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { unlessStrange } from '../workers/workers.reads.ts'
import { placesWhere, tidinessShots } from './tidiness.queries.ts'

type Filters = QueryOf<(typeof tidinessApi)['trend']>

const { excellent, good, poor, skewed } = tidinessResult.code
const { branch, manager, site, steward } = tidinessBy.code
const DAYS = 30
const MOST_DAYS = 400
/** More days than these are drawn as weeks. */
const FEW_DAYS = 45
const MOST_GROUPS = 50

const SUMS = `count(*) FILTER (WHERE t.result <> ${skewed})::int AS n,
  count(*) FILTER (WHERE t.result = ${excellent})::int AS excellent,
  count(*) FILTER (WHERE t.result = ${good})::int AS good,
  count(*) FILTER (WHERE t.result = ${poor})::int AS poor`
const sums = { n: int4, excellent: int4, good: int4, poor: int4 }
type Sums = Record<keyof typeof sums, number>

const secondsOf = (day: string) => startOfDay(day).getTime() / 1000
const dayAt = (seconds: number) => shanghaiDay(new Date(seconds * 1000))
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1

/** Whole days: what was asked for, or the last thirty up to today. */
function spanOf(q: Pick<Filters, 'from' | 'to'>, now: Date): { from: string; to: string } {
  const to = q.to === undefined ? shanghaiDay(now) : dayAt(q.to - 1)
  const from = q.from === undefined ? addDays(to, 1 - DAYS) : dayAt(q.from)
  if (from > to) throw invalid('from', '开始时间不能晚于结束时间')
  if (daysBetween(from, to) > MOST_DAYS) throw invalid('from', `趋势一次最多看 ${MOST_DAYS} 天`)
  return { from, to }
}
const isFew = (from: string, to: string) => daysBetween(from, to) <= FEW_DAYS
/** Every day of the span, or its weeks from Monday; the first and the last may be parts of one. */
function periodsOf(from: string, to: string): { from: string; to: string }[] {
  const periods: { from: string; to: string }[] = []
  const few = isFew(from, to)
  for (let day = from; day <= to;) {
    const weekday = (new Date(day).getUTCDay() + 6) % 7
    const end = few ? day : addDays(day, 6 - weekday)
    const last = end < to ? end : to
    periods.push({ from: day, to: last })
    day = addDays(last, 1)
  }
  return periods
}
const sumOf = (rows: readonly Sums[]): Sums => ({
  n: rows.reduce((s, r) => s + r.n, 0),
  excellent: rows.reduce((s, r) => s + r.excellent, 0),
  good: rows.reduce((s, r) => s + r.good, 0),
  poor: rows.reduce((s, r) => s + r.poor, 0),
})

/** The name of a group of checks: its number, its name, and what tells two of one name apart. */
const GROUP: Readonly<Record<string, readonly [id: string, name: string, beside: string]>> = {
  [branch]: ['c.bc_id', 'c.bc_name', `''`],
  [site]: ['w.id', 'w.ws_name', 'c.bc_name'],
  [manager]: ['m.id', 'm.nickname', 'c.bc_name'],
  [steward]: ['m.id', 'm.nickname', 'c.bc_name'],
}
const PEOPLE: Readonly<Record<string, string>> = { [manager]: 'manager_id', [steward]: 'steward_id' }

/** What was seen of the sites that one person leads: as many pictures as the trend has periods. */
export async function shotsOf(tx: Tx, scope: Scope, now: Date, q: QueryOf<(typeof tidinessApi)['shots']>) {
  await unlessStrange(tx, scope, q.worker_id)
  const { from, to } = spanOf(q, now)
  const span = { from: secondsOf(from), to: secondsOf(addDays(to, 1)) }
  return tidinessShots(tx, placesWhere(scope, { ...q, ...span }), isFew(from, to) ? 'day' : 'week')
}

/** Tidiness day by day and group by group. What a skewed camera saw is counted apart. */
export async function tidinessTrend(tx: Tx, scope: Scope, now: Date, q: Filters) {
  const { from, to } = spanOf(q, now)
  const where = placesWhere(scope, { ...q, from: secondsOf(from), to: secondsOf(addDays(to, 1)) })
  const days = await tx.query(
    'tidiness.days',
    row({ day: text, skewed: int4, ...sums }),
    `SELECT (t.at AT TIME ZONE 'Asia/Shanghai')::date::text AS day,
       count(*) FILTER (WHERE t.result = ${skewed})::int AS skewed, ${SUMS}
     FROM tidiness_checks t
     WHERE ${where.text} AND NOT t.replaced
     GROUP BY 1`,
    where.values,
  )
  const by = q.by ?? branch
  const middle = addDays(from, Math.floor(daysBetween(from, to) / 2))
  const [id, name, beside] = GROUP[by]!
  const person = PEOPLE[by]
  const half = `$${where.values.length + 1}`
  const groups = await tx.query(
    'tidiness.groups',
    row({
      id: uuid,
      name: text,
      beside: text,
      ...sums,
      earlyN: int4,
      earlyExcellent: int4,
      lateN: int4,
      lateExcellent: int4,
      all: int4,
    }),
    `SELECT ${id} AS id, ${name} AS name, min(${beside}) AS beside, ${SUMS},
       count(*) FILTER (WHERE t.at < to_timestamp(${half}))::int AS "earlyN",
       count(*) FILTER (WHERE t.at < to_timestamp(${half}) AND t.result = ${excellent})::int AS "earlyExcellent",
       count(*) FILTER (WHERE t.at >= to_timestamp(${half}))::int AS "lateN",
       count(*) FILTER (WHERE t.at >= to_timestamp(${half}) AND t.result = ${excellent})::int AS "lateExcellent",
       (count(*) OVER ())::int AS all
     FROM tidiness_checks t
     JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
     JOIN companies c ON c.tenant_id = $1 AND c.bc_id = t.bc_id
     ${person ? `JOIN users m ON m.tenant_id = $1 AND m.id = w.${person}` : ''}
     WHERE ${where.text} AND t.result <> ${skewed} AND NOT t.replaced
     GROUP BY 1, 2
     ORDER BY avg((t.result = ${poor})::int) DESC, avg((t.result = ${excellent})::int), 1
     LIMIT ${MOST_GROUPS}`,
    [...where.values, secondsOf(middle)],
  )
  return {
    from,
    to,
    middle,
    periods: periodsOf(from, to).map((p) => ({
      ...p,
      ...sumOf(days.rows.filter((d) => d.day >= p.from && d.day <= p.to)),
    })),
    total: sumOf(days.rows),
    skewed: days.rows.reduce((s, d) => s + d.skewed, 0),
    groups: groups.rows.map(({ earlyN, earlyExcellent, lateN, lateExcellent, ...g }) => ({
      id: g.id,
      name: g.name,
      beside: g.beside,
      ...sumOf([g]),
      early: { n: earlyN, excellent: earlyExcellent },
      late: { n: lateN, excellent: lateExcellent },
    })),
    groupsTotal: groups.rows[0]?.all ?? 0,
  }
}
