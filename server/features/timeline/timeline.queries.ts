import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import {
  logType,
  type timelineApi,
  type TimelineEvent,
  timelineKind,
} from '@zhuguan/contract/features/timeline/timeline.api.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { correctionKept, keptFrom } from '../../kit/kept-from.ts'
import { found } from '../../kit/refuse.ts'
import { float8, int2, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { epoch } from '../../kit/statement.ts'
import { CLOCKIN_LINES } from '../attendance/attendance.reads.ts'

const { excellent, good, poor } = tidinessResult.code
const VERDICTS = [
  [excellent, logType.code.excellent],
  [good, logType.code.good],
  [poor, logType.code.poor],
] as const
const PAGE = 60
const DAYS = 90
/** Clock-ins are attendance; everything else was written for the timeline. */
const LINES = `(SELECT tenant_id, bc_id, site_id, id, kind, at, title, actor, ref_id, picture FROM site_events
  UNION ALL ${CLOCKIN_LINES})`

/** The mark of the line `alias`: its alarm's type, or the verdict that its check has now. */
const markOf = (alias: string) => `CASE
  WHEN ${alias}.kind IN ('alarm', 'correction') THEN (
    SELECT x.type
    FROM alarms x
    WHERE x.tenant_id = $1 AND x.id = ${alias}.ref_id)
  WHEN ${alias}.kind = 'tidiness' THEN (
    SELECT CASE x.result ${VERDICTS.map(([result, mark]) => `WHEN ${result} THEN '${mark}'`).join(' ')} END
    FROM tidiness_checks x
    WHERE x.tenant_id = $1 AND x.id = ${alias}.ref_id) END`

/** A line of a feedback that is kept from `me`, or of a correction of one. */
const KEPT = (me: string) => `CASE e.kind
    WHEN 'feedback' THEN ${keptFrom('e.ref_id', me)}
    WHEN 'correction' THEN EXISTS (SELECT FROM corrections k
      WHERE k.tenant_id = $1 AND k.id = e.ref_id AND ${correctionKept('k', me)})
    ELSE false END`

/** A page of what happened on a site, newest first, and how much of it there was on each day. */
export async function timelineOf(
  tx: Tx,
  scope: Scope,
  query: QueryOf<(typeof timelineApi)['list']>,
  now: Date,
) {
  const site = scoped(scope, 'w', { site: 'id' })
    .add((p) => `w.id = ${p}::uuid`, query.site_id)
    .plain('w.deleted_at IS NULL')
  found(
    (
      await tx.query(
        'timeline.site',
        row({ id: uuid }),
        `SELECT w.id FROM sites w WHERE ${site.text}`,
        site.values,
      )
    ).rows[0],
  )
  const base = () =>
    scoped(scope, 'e')
      .add((p) => `e.site_id = ${p}::uuid`, query.site_id)
      .add((p) => `NOT ${KEPT(p)}`, scope.user)
      .when(query.kinds, (p) => `e.kind = ANY(${p}::text[])`)
      .when(query.marks, (p) => `${markOf('e')} = ANY(${p}::text[])`)
  const where = base()
    .when(query.from, (p) => `e.at >= to_timestamp(${p})`)
    .when(query.to, (p) => `e.at < to_timestamp(${p})`)
  if (query.before) {
    const [at, id] = query.before.split(':') as [string, string]
    where
      .add((p) => `e.at <= to_timestamp(${p}::int + 1)`, Number(at))
      .add(
        (p) =>
          `(date_trunc('second', e.at), e.id)
            < (to_timestamp(split_part(${p}, ':', 1)::int), split_part(${p}, ':', 2)::uuid)`,
        `${at}:${id}`,
      )
  }
  const { rows } = await tx.query(
    'timeline.page',
    row<TimelineEvent>({
      id: uuid,
      kind: text.of(timelineKind),
      at: float8,
      title: text,
      actor: text,
      ref_id: uuid.null,
      picture: text.null,
      mark: text.of(logType).null,
      state: int2.of(correctionStatus).null,
    }),
    `SELECT p.id, p.kind, ${epoch('p.at')} AS at, p.title, p.actor, p.ref_id, p.picture, ${markOf('p')} AS mark,
       k.correction_status AS state
     FROM (SELECT e.id, e.kind, e.at, e.title, e.actor, e.ref_id, e.picture
       FROM ${LINES} e
       WHERE ${where.text}
       ORDER BY date_trunc('second', e.at) DESC, e.id DESC
       LIMIT ${PAGE + 1}) p
     LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = p.ref_id AND p.kind IN ('alarm', 'correction')
     ORDER BY date_trunc('second', p.at) DESC, p.id DESC`,
    where.values,
  )
  const days = base().add((p) => `e.at >= ${p}`, new Date(now.getTime() - DAYS * 86_400_000))
  const perDay = await tx.query(
    'timeline.days',
    row({ day: text, count: int4 }),
    `SELECT to_char(e.at AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD') AS day, count(*)::int AS count
     FROM ${LINES} e
     WHERE ${days.text}
     GROUP BY 1
     ORDER BY 1`,
    days.values,
  )
  const list = rows.slice(0, PAGE)
  const last = list.at(-1)
  return {
    list,
    next: rows.length > PAGE && last ? `${last.at}:${last.id}` : null,
    perDay: perDay.rows,
  }
}
