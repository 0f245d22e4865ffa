import {
  feedbackAct,
  type FeedbackDetail,
  feedbackKind,
  feedbackStatus,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { carriedPictures } from '../../kit/carried-pictures.ts'
import { addressText } from '../../kit/home-address.ts'
import { ALL_TIME, type OwnersTime, ownersTime, within } from '../../kit/home-time.ts'
import { float8, int2, int4, row, text, texts, timestamptz, uuid } from '../../kit/row.ts'
import { epoch } from '../../kit/statement.ts'
import { anotherOf, childrenOf, COLUMNS, feedbackRow, JOINS } from './feedback.queries.ts'
import { knownFeedback } from './feedback.reads.ts'

const EARLIER = 10
/** What was said before of the same home; `time`: while it was one owner's alone. */
async function earlierOf(
  tx: Tx,
  scope: Scope,
  of: Pick<FeedbackDetail, 'id' | 'site_id' | 'enteredAt'>,
  time: OwnersTime,
): Promise<FeedbackDetail['earlier']> {
  const before = knownFeedback(scope)
    .add((p) => `f.site_id = ${p}::uuid`, of.site_id)
    .add((p) => `f.id <> ${p}::uuid`, of.id)
    .add((p) => `f.entered_at <= to_timestamp(${p} + 1)`, of.enteredAt)
    .when(time.from ?? undefined, (p) => `f.home_at >= ${p}::timestamptz`)
    .when(time.to ?? undefined, (p) => `f.home_at < ${p}::timestamptz`)
  const { rows } = await tx.query(
    'feedback.earlier',
    row<FeedbackDetail['earlier'][number]>({
      id: uuid,
      no: text,
      kind: text.of(feedbackKind),
      status: int2.of(feedbackStatus),
      words: text,
      enteredAt: float8,
    }),
    `SELECT f.id, f.no, f.kind, f.status, f.words, ${epoch('f.entered_at')} AS "enteredAt"
     FROM feedback f
     WHERE ${before.text}
     ORDER BY f.entered_at DESC, f.id DESC
     LIMIT ${EARLIER}`,
    before.values,
  )
  return rows
}

/** When the home was theirs who are in the case: nothing of an owner of before or after is in it. */
export async function timeOf(tx: Tx, tenant: string, id: string): Promise<OwnersTime> {
  const time = ownersTime('f.site_id', 'f.home_at')
  const { rows } = await tx.query(
    'dossier.time',
    row({ from: timestamptz.null, to: timestamptz.null }),
    `SELECT ${time.from} AS from, ${time.to} AS to FROM feedback f WHERE f.tenant_id = $1 AND f.id = $2`,
    [tenant, id],
  )
  return rows[0] ?? ALL_TIME
}

const seconds = (date: Date | null) => date && Math.floor(date.getTime() / 1_000)
/** `time`: what stands beside it is of then alone. */
export async function feedbackDetails(tx: Tx, scope: Scope, id: string, time: OwnersTime) {
  const where = knownFeedback(scope).add((p) => `f.id = ${p}::uuid`, id)
  const address = addressText(where, scope, 'w.address', { bc: 'f.bc_id', site: 'f.site_id' }, 'w.community')
  const [from, to] = [time.from, time.to].map((end) => `$${where.values.push(end)}`) as [string, string]
  const { rows } = await tx.query(
    'feedback.one',
    row({
      ...feedbackRow,
      pictures: texts,
      code: text,
      address: text,
      manager: text,
      steward: text,
      of_id: uuid.null,
      openAlarms: int4,
      contact_id: uuid.null,
      ownerPhone: text,
    }),
    `SELECT ${COLUMNS}, f.pictures || ${carriedPictures('feedback', 'f.id')} AS pictures, w.code,
       ${address} AS address,
       coalesce(m.nickname, '') AS manager,
       coalesce(s.nickname, '') AS steward, f.of_id,
       (SELECT count(*)::int FROM alarms l
        WHERE l.tenant_id = $1 AND l.site_id = f.site_id AND l.correction_status IN (1, 2)
          AND ${within('l.at', from, to)}) AS "openAlarms",
       o.contact_id, coalesce(masked_phone(o.phone), '') AS "ownerPhone"
     FROM feedback f ${JOINS}
     LEFT JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id
     LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
     WHERE ${where.text}`,
    where.values,
  )
  const one = rows[0]
  if (!one) return undefined
  const { address: told, code, manager, of_id, openAlarms, steward, ...f } = one
  const of = of_id ? await anotherOf(tx, scope, of_id) : undefined
  // Who may not know of the other one is not told that this one repeats it, either.
  const isKept = of_id !== null && !of
  const supervisors = await tx.query(
    'feedback.supervisors',
    row({ id: uuid, name: text, at: float8 }),
    `SELECT u.id, u.nickname AS name, ${epoch('v.at')} AS at
     FROM feedback_supervisors v
     JOIN users u ON u.tenant_id = $1 AND u.id = v.user_id
     WHERE v.tenant_id = $1 AND v.feedback_id = $2
     ORDER BY v.at, v.rung, u.id`,
    [scope.tenant, id],
  )
  const events = await tx.query(
    'feedback.events',
    row({ id: uuid, at: float8, actor: text, act: text.of(feedbackAct), words: text, pictures: texts }),
    `SELECT e.id, ${epoch('e.at')} AS at, e.actor, e.act, e.words, e.pictures
     FROM feedback_events e
     WHERE e.tenant_id = $1 AND e.feedback_id = $2
     ORDER BY e.at, e.id`,
    [scope.tenant, id],
  )
  return {
    ...f,
    site: { code, address: told, manager, steward },
    of: of ? { id: of.id, no: of.no } : null,
    homeFrom: seconds(time.from),
    homeTo: seconds(time.to),
    openAlarms,
    supervisors: supervisors.rows,
    events: events.rows.map((e) => (isKept && e.act === 'cancel' ? { ...e, words: '' } : e)),
    children: await childrenOf(tx, scope.tenant, id),
    earlier: await earlierOf(tx, scope, f, time),
  }
}
