import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import type { questionsApi } from '@zhuguan/contract/features/questions/questions.api.ts'
import { type QuestionRow, questionState } from '@zhuguan/contract/features/questions/questions.record.ts'
import { siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { ownerThen } from '../../kit/home-time.ts'
import { bool, float8, int2, int4, json, row, type RowOf, text, texts, uuid } from '../../kit/row.ts'
import { scoped, siteScope } from '../../kit/scoped.ts'
import { contains, epoch, listOf, type PageOf, TODAY } from '../../kit/statement.ts'
import { restDaySql } from '../settings/settings.reads.ts'
import { LATE, OPEN, PICTURES } from './undecided.reads.ts'

const { answered } = questionState.code
/** What an answer `a` to a question `q` says. */
const SAID = `coalesce(q.options[a.choice], a.words)`
const OF_QUESTION = `question_answers a
       JOIN home_contacts h ON h.tenant_id = $1 AND h.id = a.contact_id
       LEFT JOIN owners p ON p.tenant_id = $1 AND p.id = h.owner_id
       WHERE a.tenant_id = $1 AND a.question_id = q.id`
const ANSWERS = listOf(
  `'id', a.id, 'contactName', coalesce(h.name, p.name), 'choice', a.choice, 'words', a.words, 'counts', a.counts,
       'at', ${epoch('a.at')}, 'recordedBy', a.recorded_by, 'pictures', a.pictures`,
  OF_QUESTION,
  'a.at, a.id',
)
/** The same, with whose they are. */
export const ANSWERS_WITH_CONTACT = ANSWERS.replace(`'id', a.id,`, `'contact_id', a.contact_id,`)
export const COUNTING = `coalesce((SELECT ${SAID} FROM question_answers a
       WHERE a.tenant_id = $1 AND a.question_id = q.id AND a.counts), '')`
/** Of the site's contracts the one that a change would be of. */
const CONTRACT = `(SELECT c.id FROM contracts c
       WHERE c.tenant_id = $1 AND c.site_id = q.site_id AND q.costs AND q.state = '${answered}'
         AND c.state IN ('${contractState.code.live}', '${contractState.code.finishing}')
       ORDER BY c.made_at DESC
       LIMIT 1)`
export const REST = restDaySql('$1', 'q.bc_id', 'q.needed_by')
export const LATE_DAYS = `CASE WHEN ${OPEN} AND ${LATE} THEN ${TODAY} - q.needed_by END`
export const ASKED_ANEW = '(SELECT n.id FROM questions n WHERE n.tenant_id = $1 AND n.again_of = q.id)'

const COLUMNS = `q.id, q.site_id, w.ws_name AS "siteName", coalesce(o.name, '') AS "ownerName", q.bc_id, c.bc_name,
     q.words, q.options, q.needed_by::text AS "neededBy", ${REST} AS rest, q.stage, ${PICTURES} AS pictures,
     q.costs, q.estimate,
     q.state, ${LATE_DAYS} AS "lateDays", q.asker_id, u.nickname AS "askerName", ${epoch('q.asked_at')} AS "askedAt",
     q.again_of AS "againOf", ${ASKED_ANEW} AS "askedAnew", ${ANSWERS} AS answers, ${COUNTING} AS answer,
     EXISTS (SELECT FROM question_answers a
       WHERE a.tenant_id = $1 AND a.question_id = q.id AND NOT a.counts AND ${SAID} <> ${COUNTING}) AS disputed,
     q.withdrawn_for AS "withdrawnFor", ${epoch('q.closed_at')} AS "closedAt", ${CONTRACT} AS contract_id, q.version`
const JOINS = `JOIN sites w ON w.tenant_id = $1 AND w.id = q.site_id
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = q.bc_id
   JOIN users u ON u.tenant_id = $1 AND u.id = q.asker_id
   ${ownerThen('q.site_id', 'q.asked_at')}`

/** The open ones by their day, then those that are over, the latest first. */
export const questionPage = (scope: Scope, q: QueryOf<(typeof questionsApi)['list']>): PageOf => ({
  name: 'questions.page',
  columns: COLUMNS,
  base: 'questions q',
  joins: JOINS,
  where: scoped(scope, 'q')
    .when(q.site_id, (v) => `q.site_id = ${v}::uuid`)
    .when(q.bc_id, (v) => `q.bc_id = ANY(${v}::uuid[])`)
    .when(q.id, (v) => `q.id = ${v}::uuid`)
    .when(q.keyword && contains(q.keyword), (v) => `q.words ILIKE ${v}`)
    .when(q.state, (v) => `q.state = ANY(${v}::text[])`)
    .when(q.late, (v) => `(${OPEN} AND ${LATE}) = ${v}::boolean`),
  sort: q.sort,
  otherwise: ['q.closed_at DESC', 'q.needed_by ASC'],
  tie: 'q.id DESC',
  sortable: { neededBy: 'q.needed_by', askedAt: 'q.asked_at', state: 'q.state' },
  filled: ['neededBy', 'askedAt', 'state'],
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})

const lockedQuestion = row({
  ...row<QuestionRow>({
    id: uuid,
    site_id: uuid,
    siteName: text,
    ownerName: text,
    bc_id: uuid,
    bc_name: text,
    words: text,
    options: texts,
    neededBy: text,
    rest: bool,
    stage: text.of(siteStage).null,
    pictures: texts,
    costs: bool,
    estimate: text,
    state: text.of(questionState),
    lateDays: int4.null,
    asker_id: uuid,
    askerName: text,
    askedAt: float8,
    againOf: uuid.null,
    askedAnew: uuid.null,
    answers: json<QuestionRow['answers']>(),
    answer: text,
    disputed: bool,
    withdrawnFor: text,
    closedAt: float8.null,
    contract_id: uuid.null,
    version: int4,
  }),
  steward_id: uuid.null,
  changedBy: text,
  changedAt: float8.null,
})
export type LockedQuestion = RowOf<typeof lockedQuestion>
const LOCKED = `${COLUMNS}, w.steward_id, q.changed_by AS "changedBy", ${epoch('q.changed_at')} AS "changedAt"`

/**
 * One inside the scope, its row locked until the transaction ends. It is read once it is held: whoever waited for it
 * would see the row as it is and its answers as they were.
 */
export async function lockQuestion(tx: Tx, scope: Scope, id: string): Promise<LockedQuestion | undefined> {
  const where = scoped(scope, 'q').add((v) => `q.id = ${v}::uuid`, id)
  const held = await tx.query(
    'questions.lock',
    row({ id: uuid }),
    `SELECT q.id FROM questions q WHERE ${where.text} FOR UPDATE OF q`,
    where.values,
  )
  if (held.rows.length === 0) return undefined
  const { rows } = await tx.query(
    'questions.one',
    lockedQuestion,
    `SELECT ${LOCKED} FROM questions q ${JOINS} WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}
/** All that a site's owner has not answered. */
export async function lockOpen(tx: Tx, scope: Scope, site: string): Promise<LockedQuestion[]> {
  const where = scoped(scope, 'q')
    .plain(OPEN)
    .add((v) => `q.site_id = ${v}::uuid`, site)
  const { rows } = await tx.query(
    'questions.lockopen',
    lockedQuestion,
    `SELECT ${LOCKED} FROM questions q ${JOINS} WHERE ${where.text} ORDER BY q.needed_by, q.id FOR UPDATE OF q`,
    where.values,
  )
  return rows
}

/**
 * The facts of a site in reach that a question asks; `hold`: it neither ends nor is sold until the transaction is
 * over.
 */
export async function homeFor(tx: Tx, scope: Scope, site: string, hold: boolean) {
  const how = hold ? 'hold' : 'read'
  const where = siteScope(scope).add((v) => `w.id = ${v}::uuid`, site)
  const { rows } = await tx.query(
    `questions.${how}site`,
    row({
      id: uuid,
      ws_name: text,
      bc_id: uuid,
      status: int2.of(siteStatus),
      hasOwner: bool,
      steward_id: uuid.null,
    }),
    `SELECT w.id, w.ws_name, w.bc_id, w.status, w.owner_id IS NOT NULL AS "hasOwner", w.steward_id
     FROM sites w
     WHERE ${where.text}${hold ? ' FOR SHARE OF w' : ''}`,
    where.values,
  )
  return rows[0]
}
/** The stages of a site's plan that are not over, in their order, and when each is planned to begin. */
export async function stagesAhead(tx: Tx, tenant: string, site: string) {
  const { rows } = await tx.query(
    'questions.stages',
    row({ stage: text.of(siteStage), starts: text.null, begun: bool }),
    `SELECT g.stage, g.planned_start::text AS starts, g.actual_start IS NOT NULL AS begun
     FROM site_stages g
     WHERE g.tenant_id = $1 AND g.site_id = $2 AND g.actual_finish IS NULL
     ORDER BY g.sort`,
    [tenant, site],
  )
  return rows
}
/** Whether a branch rests on a day. */
export async function restsOn(tx: Tx, tenant: string, bc: string, day: string): Promise<boolean> {
  const { rows } = await tx.query(
    'questions.rest',
    row({ rest: bool }),
    `SELECT ${restDaySql('$1', '$2::uuid', '$3::date')} AS rest`,
    [tenant, bc, day],
  )
  return rows[0]!.rest
}
/** Somebody who is of this home now; held, so that nobody takes them off it meanwhile. */
export async function livingContact(tx: Tx, tenant: string, site: string, id: string) {
  const { rows } = await tx.query(
    'questions.contact',
    row({ id: uuid, name: text }),
    `SELECT h.id, coalesce(h.name, o.name) AS name
     FROM home_contacts h
     LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
     WHERE h.tenant_id = $1 AND h.site_id = $2 AND h.id = $3 AND h.ended_at IS NULL
     FOR SHARE OF h`,
    [tenant, site, id],
  )
  return rows[0]
}
