import {
  feedbackKind,
  feedbackLevel,
  feedbackStatus,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'

import { bool, float8, int2, int4, row, text, uuid } from '../../kit/row.ts'
import { dayBegins, epoch, TODAY, type Where } from '../../kit/statement.ts'
import type { Scope, Tx } from '../../kit/tx.ts'
import { FEEDBACK_DUE as DUE } from '../deadlines/feedback-due.reads.ts'
import { concerns, knownFeedback, OPEN, OVERDUE } from './feedback.reads.ts'

const COMPLAINT = `f.kind = '${feedbackKind.code.complaint}'`
/** A complaint `f` that is not over yet. */
export const OPEN_COMPLAINT = `${COMPLAINT} AND ${OPEN}`

/** The number of complaints about `who` that `known` allows, of so many days; what was cancelled is none. */
export const complaintsAbout = (known: Where, who: string, days: number): string =>
  `(SELECT count(*)::int FROM feedback f
     WHERE ${known.text} AND ${COMPLAINT} AND f.status <> ${feedbackStatus.code.cancelled}
       AND f.entered_at >= ${dayBegins(`(${TODAY} - ${days - 1})`)} AND ${concerns(who)})`

/** Complaints that were open at each of these moments, and are now; of these the late ones. */
export async function complaintsAt(tx: Tx, scope: Scope, moments: readonly Date[]) {
  const where = knownFeedback(scope).plain(COMPLAINT)
  const list = `$${where.values.length + 1}::timestamptz[]`
  const { rows } = await tx.query(
    'feedback.complaints',
    row({ n: int4, late: int4 }),
    `SELECT count(f.id)::int AS n, (count(f.id) FILTER (WHERE ${OVERDUE}))::int AS late
     FROM unnest(${list} || :now) WITH ORDINALITY AS t(at, place)
     LEFT JOIN feedback f ON f.entered_at <= t.at AND coalesce(f.closed_at, 'infinity'::timestamptz) > t.at
       AND ${where.text}
     GROUP BY t.place
     ORDER BY t.place`,
    [...where.values, moments],
  )
  return { before: rows.slice(0, -1).map((r) => r.n), now: rows.at(-1)!.n, late: rows.at(-1)!.late }
}

/** The first of them, as the list has them. */
export async function firstComplaints(tx: Tx, scope: Scope, most: number) {
  const where = knownFeedback(scope).plain(COMPLAINT).plain(OPEN)
  const { rows } = await tx.query(
    'feedback.first',
    row({ id: uuid, title: text, site: text, level: int2.of(feedbackLevel), at: float8.null, late: bool }),
    `SELECT f.id, f.words AS title, w.ws_name AS site, f.level, ${epoch(`(${DUE})`)} AS at, ${OVERDUE} AS late
     FROM feedback f
     JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
     WHERE ${where.text}
     ORDER BY (${DUE}) NULLS LAST, f.entered_at DESC, f.id DESC
     LIMIT ${most}`,
    where.values,
  )
  return rows
}

/** A complaint that is not over yet, where somebody may know of it; `hidden` while it is kept from the steward. */
export async function openComplaint(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<{ hidden: boolean } | undefined> {
  const where = knownFeedback(scope)
    .add((p) => `f.id = ${p}::uuid`, id)
    .plain(COMPLAINT)
    .plain(OPEN)
  const { rows } = await tx.query(
    'feedback.opencomplaint',
    row({ hidden: bool }),
    `SELECT f.hidden_from IS NOT NULL AS hidden FROM feedback f WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}
