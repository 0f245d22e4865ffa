import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import type { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'
import {
  feedbackAbout,
  feedbackAct,
  feedbackCause,
  feedbackChannel,
  type FeedbackChild,
  feedbackKind,
  feedbackLevel,
  feedbackPause,
  type FeedbackRow,
  feedbackStatus,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'
import { LOW_SCORE } from '@zhuguan/contract/kit/score.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { correctionNumber } from '../../kit/correction-source.ts'
import { siteNamed } from '../../kit/home-address.ts'
import { ownerNameThen, ownersTime, ownerThen } from '../../kit/home-time.ts'
import { bool, float8, int2, int4, row, type RowOf, text, timestamptz, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { contains, epoch, type PageOf } from '../../kit/statement.ts'
import { FEEDBACK_DUE as DUE } from '../deadlines/feedback-due.reads.ts'
import { objectedColumns } from '../promises/objected.reads.ts'
import { isAsked } from '../questions/undecided.reads.ts'
import { settingSql } from '../settings/settings.reads.ts'
import { concerns, KEEPER, knownFeedback, OVERDUE } from './feedback.reads.ts'

const { closed } = feedbackStatus.code
const REOPEN_DAYS = `${settingSql('feedbackReopenDays', '$1', 'f.bc_id')}::text::float8`
const CHILDREN = `corrections k
  WHERE k.tenant_id = $1 AND k.source = 'feedback' AND k.source_id = f.id`

export const COLUMNS = `f.id, f.no, f.kind, f.level, f.about, f.about_id, coalesce(b.nickname, '') AS "aboutName",
  f.channel, f.words, f.site_id, w.ws_name AS "siteName", f.bc_id, c.bc_name,
  coalesce(o.name, '') AS "ownerName", ${ownersTime('f.site_id', 'f.home_at').to} IS NOT NULL AS former,
  f.status, f.round, f.assignee_id,
  coalesce(a.nickname, '') AS "assigneeName", f.entered_by AS "enteredBy",
  ${epoch('f.entered_at')} AS "enteredAt", ${epoch('f.answered_at')} AS "answeredAt",
  ${epoch('f.answer_due_at')} AS "answerDueAt", ${epoch('f.close_due_at')} AS "closeDueAt",
  ${epoch(`(${DUE})`)} AS "dueAt", ${OVERDUE} AS overdue,
  ${epoch('f.paused_at')} AS "pausedAt", ${epoch('f.paused_until')} AS "pausedUntil", f.pause_for AS "pauseFor",
  f.pause_text AS "pauseText",
  floor(extract(epoch FROM coalesce(f.closed_at, :now) - f.entered_at))::int AS gross,
  f.paused_s + coalesce(floor(extract(epoch FROM least(:now, f.paused_until) - f.paused_at))::int, 0) AS paused,
  f.rung, f.answers,
  (SELECT count(*)::int FROM ${CHILDREN} AND k.correction_status IN (1, 2)) AS "openChildren",
  ${epoch('f.closed_at')} AS "closedAt",
  CASE f.status
  WHEN ${closed} THEN ${epoch(`(f.closed_at + interval '1 day' * ${REOPEN_DAYS})`)} END AS "reopenUntil",
  f.cause, f.result, f.score, f.scored_by AS "scoredBy", f.called_back AS "calledBack",
  f.hidden_from IS NOT NULL AS hidden, ${objectedColumns('f.id')}, f.version`
export const JOINS = `JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
  JOIN companies c ON c.tenant_id = $1 AND c.bc_id = f.bc_id
  ${ownerThen('f.site_id', 'f.home_at')}
  LEFT JOIN users a ON a.tenant_id = $1 AND a.id = f.assignee_id
  LEFT JOIN users b ON b.tenant_id = $1 AND b.id = f.about_id`
export const feedbackRow = row<FeedbackRow>({
  id: uuid,
  no: text,
  kind: text.of(feedbackKind),
  level: int2.of(feedbackLevel),
  about: text.of(feedbackAbout),
  about_id: uuid.null,
  aboutName: text,
  channel: text.of(feedbackChannel),
  words: text,
  site_id: uuid,
  siteName: text,
  bc_id: uuid,
  bc_name: text,
  ownerName: text,
  former: bool,
  status: int2.of(feedbackStatus),
  round: int4,
  assignee_id: uuid.null,
  assigneeName: text,
  enteredBy: text,
  enteredAt: float8,
  answeredAt: float8.null,
  answerDueAt: float8.null,
  closeDueAt: float8.null,
  dueAt: float8.null,
  overdue: bool,
  pausedAt: float8.null,
  pausedUntil: float8.null,
  pauseFor: text.of(feedbackPause).null,
  pauseText: text,
  gross: int4,
  paused: int4,
  rung: int2,
  answers: int4,
  openChildren: int4,
  closedAt: float8.null,
  reopenUntil: float8.null,
  cause: text.of(feedbackCause).null,
  result: text,
  score: int2.null,
  scoredBy: text,
  calledBack: bool,
  hidden: bool,
  promise_id: uuid.null,
  promisor_id: uuid.null,
  unjudged: bool,
  version: int4,
})

/** A closed one whose owner was not content and whom nobody has called. */
const TO_CALL = `(f.status = ${closed} AND f.score <= ${LOW_SCORE} AND NOT f.called_back)`

export function feedbackPage(scope: Scope, q: QueryOf<(typeof feedbackApi)['list']>): PageOf {
  const where = knownFeedback(scope)
  const named = siteNamed(where, scope, 'x')
  return {
    name: 'feedback.page',
    columns: COLUMNS,
    base: 'feedback f',
    joins: JOINS,
    where: where
      .when(q.id, (p) => `f.id = ${p}::uuid`)
      .when(q.kind, (p) => `f.kind = ANY(${p}::text[])`)
      .when(q.level, (p) => `f.level = ANY(${p}::smallint[])`)
      .when(q.status, (p) => `f.status = ANY(${p}::smallint[])`)
      .when(q.bc_id, (p) => `f.bc_id = ANY(${p}::uuid[])`)
      .when(q.site_id, (p) => `f.site_id = ${p}::uuid`)
      .when(q.assignee_id, (p) => `f.assignee_id = ${p}::uuid`)
      .when(q.manager_id, (p) => concerns(`${p}::uuid`))
      .when(q.from, (p) => `f.entered_at >= to_timestamp(${p})`)
      .when(q.to, (p) => `f.entered_at < to_timestamp(${p})`)
      .when(
        q.keyword || undefined,
        (p) =>
          `(lower(f.no) LIKE ${p} OR lower(f.words) LIKE ${p}
             OR lower(${ownerNameThen('f.site_id', 'f.home_at')}) LIKE ${p}
             OR EXISTS (SELECT FROM sites x WHERE x.tenant_id = $1 AND x.id = f.site_id AND ${named(p)}))`,
        contains,
      )
      .plain(q.overdue === true && OVERDUE)
      .plain(q.overdue === false && `NOT ${OVERDUE}`)
      .plain(q.callback === true && TO_CALL)
      .plain(q.callback === false && `NOT coalesce(${TO_CALL}, false)`),
    sort: q.sort,
    // What waits comes first, by its time; the rest, newest first.
    otherwise: [`(${DUE}) ASC NULLS LAST`, 'f.entered_at DESC'],
    tie: 'f.id DESC',
    sortable: { enteredAt: 'f.entered_at', dueAt: `(${DUE})`, level: 'f.level', status: 'f.status' },
    filled: ['enteredAt', 'level', 'status'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

/** What a command may change, as the table has it. */
export const changed = {
  status: int2.of(feedbackStatus),
  level: int2.of(feedbackLevel),
  round: int4,
  hidden_from: uuid.null,
  assignee_id: uuid.null,
  answer_warn_at: timestamptz,
  answer_due_at: timestamptz,
  answered_at: timestamptz.null,
  answers: int4,
  close_warn_at: timestamptz.null,
  close_due_at: timestamptz.null,
  paused_at: timestamptz.null,
  paused_until: timestamptz.null,
  pause_for: text.of(feedbackPause).null,
  pause_text: text,
  paused_s: int4,
  rung: int2,
  climbed_at: timestamptz.null,
  closed_at: timestamptz.null,
  cause: text.of(feedbackCause).null,
  result: text,
  cancelled: text.null,
  of_id: uuid.null,
  score: int2.null,
  scored_by: text,
  called_back: bool,
}
const changedRow = row(changed)
export type FeedbackChange = RowOf<typeof changedRow>
const CHANGED = Object.keys(changed)

const lockedFeedback = row({
  ...feedbackRow,
  ...changedRow,
  manager_id: uuid.null,
  steward_id: uuid.null,
  changedBy: text,
  changedAt: float8,
})
export type LockedFeedback = RowOf<typeof lockedFeedback>
/** One feedback that the caller may know of, its row locked until the transaction ends. */
export async function lockFeedback(tx: Tx, scope: Scope, id: string): Promise<LockedFeedback | undefined> {
  const where = knownFeedback(scope).add((p) => `f.id = ${p}::uuid`, id)
  const extra = CHANGED.filter((name) => !(name in feedbackRow)).map((name) => `f.${name}`)
  const { rows } = await tx.query(
    'feedback.lock',
    lockedFeedback,
    `SELECT ${COLUMNS}, ${extra.join(', ')}, w.manager_id, ${KEEPER} AS steward_id, f.changed_by AS "changedBy",
       ${epoch('f.changed_at')} AS "changedAt"
     FROM feedback f ${JOINS}
     WHERE ${where.text}
     FOR UPDATE OF f`,
    where.values,
  )
  return rows[0]
}

/** What a change leaves as it is. */
export const unchanged = (f: LockedFeedback): FeedbackChange =>
  Object.fromEntries(CHANGED.map((name) => [name, f[name as keyof LockedFeedback]])) as FeedbackChange

/** Leaves the version that it expects, or changes nothing and answers false. */
export async function moveFeedback(
  tx: Tx,
  tenant: string,
  before: Pick<LockedFeedback, 'id' | 'version'>,
  to: FeedbackChange,
  by: string,
): Promise<boolean> {
  const { rowCount } = await tx.run(
    'feedback.move',
    `UPDATE feedback f
     SET ${CHANGED.map((name) => `${name} = x.${name}`).join(', ')}, changed_by = $5, changed_at = :now,
       version = f.version + 1
     FROM json_populate_record(NULL::feedback, $4::json) x
     WHERE f.tenant_id = $1 AND f.id = $2 AND f.version = $3`,
    [tenant, before.id, before.version, JSON.stringify(to), by],
  )
  return rowCount === 1
}

export interface NewFeedback {
  tenant: string
  id: string
  no: string
  bc: string
  site: string
  kind: string
  level: number
  about: string
  about_id: string | null
  hidden_from: string | null
  channel: string
  words: string
  pictures: string[]
  of_id: string | null
  /** A moment at which the home was theirs who say it; without one it is theirs who have it now. */
  homeAt: number | null
  by: string
  warn: Date
  due: Date
}
export const addFeedback = (tx: Tx, f: NewFeedback) =>
  tx.run(
    'feedback.add',
    `INSERT INTO feedback (tenant_id, id, no, bc_id, site_id, kind, level, about, about_id, hidden_from, channel, words,
       pictures, of_id, entered_by, entered_at, answer_warn_at, answer_due_at, changed_by, changed_at, home_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, :now, $16, $17, $15, :now,
       to_timestamp($18))`,
    [
      f.tenant,
      f.id,
      f.no,
      f.bc,
      f.site,
      f.kind,
      f.level,
      f.about,
      f.about_id,
      f.hidden_from,
      f.channel,
      f.words,
      f.pictures,
      f.of_id,
      f.by,
      f.warn,
      f.due,
      f.homeAt,
    ],
  )

export const addEvent = (
  tx: Tx,
  e: {
    tenant: string
    id: string
    feedback: string
    actor: string
    act: (typeof feedbackAct.values)[number]
    words: string
    pictures?: string[]
  },
) =>
  tx.run(
    'feedback.event',
    `INSERT INTO feedback_events (tenant_id, id, feedback_id, at, actor, act, words, pictures)
     VALUES ($1, $2, $3, :now, $4, $5, $6, $7)`,
    [e.tenant, e.id, e.feedback, e.actor, e.act, e.words, e.pictures ?? []],
  )

/** The person who spoke to the owner last, and the time. */
export async function lastAnswer(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'feedback.lastanswer',
    row({ actor: text, at: float8 }),
    `SELECT e.actor, ${epoch('e.at')} AS at
     FROM feedback_events e
     WHERE e.tenant_id = $1 AND e.feedback_id = $2 AND e.act IN ('answer', 'thank')
     ORDER BY e.at DESC, e.id DESC
     LIMIT 1`,
    [tenant, id],
  )
  return rows[0]
}

/** Another one of the same home that the caller may know of: what this one repeats or follows. */
export async function anotherOf(tx: Tx, scope: Scope, id: string) {
  const where = knownFeedback(scope).add((p) => `f.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'feedback.another',
    row({ id: uuid, no: text, site_id: uuid, status: int2.of(feedbackStatus), hidden: bool, homeAt: float8 }),
    `SELECT f.id, f.no, f.site_id, f.status, f.hidden_from IS NOT NULL AS hidden,
       extract(epoch FROM f.home_at)::float8 AS "homeAt"
     FROM feedback f
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}
/** As the journal names the other one; what is kept from somebody is named to nobody there. */
export const namedOf = (of: Awaited<ReturnType<typeof anotherOf>> | null): { of?: string } =>
  of && !of.hidden ? { of: of.no } : {}

/** Corrections of it, the newest last. */
export async function childrenOf(tx: Tx, tenant: string, id: string): Promise<FeedbackChild[]> {
  const { rows } = await tx.query(
    'feedback.children',
    row<FeedbackChild>({
      id: uuid,
      no: text,
      problem: text,
      correctionStatus: int2.of(correctionStatus),
      assigneeName: text,
      dueAt: float8.null,
      version: int4,
    }),
    `SELECT k.id, ${correctionNumber('k')} AS no, k.problem, k.correction_status AS "correctionStatus",
       coalesce(u.nickname, '') AS "assigneeName", ${epoch('k.due_at')} AS "dueAt", k.version
     FROM corrections k
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.assignee_id
     WHERE k.tenant_id = $1 AND k.source = 'feedback' AND k.source_id = $2
     ORDER BY k.at, k.id`,
    [tenant, id],
  )
  return rows
}

/** The site that it is entered for, if the caller sees it; it stays there until that is written. */
export async function placeOf(tx: Tx, scope: Scope, site: string) {
  const where = scoped(scope, 'w', { site: 'id' })
    .add((p) => `w.id = ${p}::uuid`, site)
    .plain('w.deleted_at IS NULL')
  const { rows } = await tx.query(
    'feedback.place',
    row({
      id: uuid,
      bc_id: uuid,
      ws_name: text,
      manager_id: uuid.null,
      steward_id: uuid.null,
      keeper_id: uuid.null,
    }),
    `SELECT w.id, w.bc_id, w.ws_name, w.manager_id, w.steward_id, ${KEEPER} AS keeper_id
     FROM sites w
     WHERE ${where.text}
     FOR SHARE OF w`,
    where.values,
  )
  return rows[0]
}

/** Whether the owner of this home has something to decide: what a pause can wait for. */
export async function ownerIsAsked(tx: Tx, tenant: string, site: string): Promise<boolean> {
  const { rows } = await tx.query(
    'feedback.asked',
    row({ asked: bool }),
    `SELECT ${isAsked('$2')} AS asked`,
    [tenant, site],
  )
  return rows[0]!.asked
}
