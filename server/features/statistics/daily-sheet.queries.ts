import { feedbackKind } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import type { DailyFigures, DailyRow } from '@zhuguan/contract/features/statistics/daily-sheet.record.ts'
import type { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { int4, row, text, uuid } from '../../kit/row.ts'
import { scoped, siteScope } from '../../kit/scoped.ts'
import { addDays } from '../../kit/shanghai.ts'
import { type Where, windowOf } from '../../kit/statement.ts'
import { ATTENDED, DUE, GUESTS } from '../attendance/attendance.reads.ts'
import { heardSeconds, someUnheard, watchedOn } from '../devices/watched.reads.ts'
import { isTold } from '../feedback/feedback.reads.ts'
import { asOf } from './as-of.reads.ts'
import { DAY_BEGIN, DAY_END, LAST_TIDINESS, siteDaysWhere } from './site-days.queries.ts'
import { type Span, wholeDays } from './span.ts'

type Filters = QueryOf<(typeof statisticsApi)['dailySheet']>

/** What the kept rollup says of a branch's day. */
const KEPT = `count(*)::int AS sites, count(*) FILTER (WHERE d.present > 0)::int AS worked,
     count(*) FILTER (WHERE d.no_work)::int AS "noWork",
     count(*) FILTER (WHERE d.present = 0 AND NOT d.no_work AND (d.rest OR d.blind))::int AS apart,
     coalesce(sum(d.present), 0)::int AS present, ${DUE} AS due, ${ATTENDED} AS attended,
     ${GUESTS} AS guests`
const SUMMED: (keyof DailyFigures)[] = [
  'sites',
  'worked',
  'noWork',
  'apart',
  'present',
  'due',
  'attended',
  'guests',
  'alarms',
  'corrected',
  'cancelled',
  'patrols',
  'excellent',
  'good',
  'poor',
  'online',
  'watched',
  'complaints',
]

/** Rows `s` of branch and day with all their figures; `limit` keeps it to one page before the dear ones are asked for. */
export function dailySource(scope: Scope, where: Where, limit: string): string {
  // The scope again for the other tables: its placeholders come first in `where`, in the same order.
  const own = (alias: string) => scoped(scope, alias).text
  const siteOwn = siteScope(scope).text
  // Who asks is the last value of `dailyWhere`.
  const asking = `$${where.values.length}`
  const overlap = heardSeconds(
    `greatest(v.from_at, ${DAY_BEGIN})`,
    `least(coalesce(v.to_at, :now), ${DAY_END}, :now)`,
    'h.deaf',
  )
  return `(SELECT d.day, d.bc_id, d.tenant_id, d.sites, d.worked, d."noWork", d.apart, d.present, d.due, d.attended, d.guests, r.*,
      q.*, y.*, v.*, f.*
    FROM (SELECT d.tenant_id, d.day, d.bc_id, ${KEPT} FROM site_days d WHERE ${where.text} GROUP BY 1, 2, 3 ${limit}) d
    CROSS JOIN LATERAL (SELECT count(*)::int AS alarms, count(*) FILTER (WHERE a.correction_status = 3)::int AS corrected, count(*) FILTER (WHERE a.correction_status = 4)::int AS cancelled FROM alarms a WHERE ${own('a')} AND a.bc_id = d.bc_id AND a.at >= ${DAY_BEGIN} AND a.at < ${DAY_END}) r
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS patrols
      FROM patrols p
      WHERE ${own('p')} AND p.bc_id = d.bc_id AND p.status = 2 AND p.submitted_at >= ${DAY_BEGIN}
        AND p.submitted_at < ${DAY_END}) q
    CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE x.level = 1)::int AS excellent, count(*) FILTER (WHERE x.level = 2)::int AS good, count(*) FILTER (WHERE x.level = 3)::int AS poor FROM (SELECT ${LAST_TIDINESS.replaceAll('d.', 'k.').replaceAll('k.day', 'd.day')} AS level FROM site_days k WHERE ${own('k')} AND k.day = d.day AND k.bc_id = d.bc_id) x) y
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS complaints
      FROM feedback f
      WHERE ${own('f')} AND f.bc_id = d.bc_id AND f.kind = '${feedbackKind.code.complaint}'
        AND f.entered_at >= ${DAY_BEGIN} AND f.entered_at < ${DAY_END}
        AND ${isTold(asking)}) f
    CROSS JOIN LATERAL (SELECT ${someUnheard(DAY_BEGIN, DAY_END)} AS deaf OFFSET 0) h
    CROSS JOIN LATERAL (SELECT coalesce(sum(${overlap}) FILTER (WHERE v.state = 1), 0)::int AS online,
        coalesce(sum(${overlap}), 0)::int AS watched
      FROM ${watchedOn(`${siteOwn} AND w.bc_id = d.bc_id`)}
      WHERE v.from_at < least(${DAY_END}, :now) AND (v.to_at IS NULL OR v.to_at > ${DAY_BEGIN})) v) s
    JOIN companies c ON c.tenant_id = s.tenant_id AND c.bc_id = s.bc_id`
}
/** Its last value is who asks: what is kept from them is in no figure. */
export const dailyWhere = (scope: Scope, span: Span, q: Filters): Where =>
  siteDaysWhere(scope, span, {
    bc_id: q.bc_id,
    site_id: undefined,
    state: undefined,
    tidiness: undefined,
  }).add((p) => `${p}::uuid IS NOT DISTINCT FROM ${p}::uuid`, scope.user)

/** Rows of a branch and a day: how many there are. */
async function branchesOf(tx: Tx, scope: Scope, span: Span, q: Filters): Promise<number> {
  const where = dailyWhere(scope, span, q)
  const { rows } = await tx.query(
    'statistics.dailyrows',
    row({ n: int4 }),
    `SELECT count(DISTINCT (d.day, d.bc_id))::int AS n FROM site_days d WHERE ${where.text}`,
    where.values,
  )
  return rows[0]!.n
}

export async function dailySheet(tx: Tx, scope: Scope, span: Span, now: Date, q: Filters) {
  const where = dailyWhere(scope, span, q)
  const ascending = q.sort?.[0] === 'day'
  const values = [...where.values]
  const window = windowOf(q, values)
  const order = (alias: string) => `${alias}.day ${ascending ? 'ASC' : 'DESC'}, ${alias}.bc_id`
  const askedPage = tx.query(
    'statistics.daily',
    row<DailyRow>({
      id: text,
      day: text,
      bc_id: uuid,
      bc_name: text,
      sites: int4,
      worked: int4,
      noWork: int4,
      apart: int4,
      present: int4,
      due: int4,
      attended: int4,
      guests: int4,
      alarms: int4,
      corrected: int4,
      cancelled: int4,
      patrols: int4,
      excellent: int4,
      good: int4,
      poor: int4,
      online: int4,
      watched: int4,
      complaints: int4,
    }),
    `SELECT s.day || '.' || s.bc_id AS id, s.day::text AS day, s.bc_id, c.bc_name,
       ${SUMMED.map((f) => `s."${f.toString()}"`).join(', ')}
     FROM ${dailySource(scope, where, `ORDER BY ${order('d')} ${window}`)}
     ORDER BY ${order('s')}`,
    values,
  )
  const whole = wholeDays(span, now)
  const summed = dailyWhere(scope, whole ?? span, q)
  const askedTotal = tx.query(
    'statistics.dailytotal',
    row<DailyFigures & { rows: number }>({
      rows: int4,
      sites: int4,
      worked: int4,
      noWork: int4,
      apart: int4,
      present: int4,
      due: int4,
      attended: int4,
      guests: int4,
      alarms: int4,
      corrected: int4,
      cancelled: int4,
      patrols: int4,
      excellent: int4,
      good: int4,
      poor: int4,
      online: int4,
      watched: int4,
      complaints: int4,
    }),
    `SELECT count(*)::int AS rows,
       ${SUMMED.map((f) => `coalesce(sum(s."${f}"), 0)::int AS "${f}"`).join(', ')}
     FROM ${dailySource(scope, summed, '')}`,
    summed.values,
  )
  const [page, total, { begun }, running] = await Promise.all([
    askedPage,
    askedTotal,
    asOf(tx, scope, now),
    // Every branch of the running day is a row as well; only the sums leave it out.
    whole && whole.to < span.to ? branchesOf(tx, scope, { ...span, from: addDays(whole.to, 1) }, q) : 0,
  ])
  const { rows, ...figures } = total.rows[0]!
  return {
    list: page.rows,
    pageNo: q.pageNo,
    pageSize: q.pageSize,
    totalCount: rows + running,
    total: figures,
    whole,
    begun,
  }
}
