import {
  alarmType,
  correctionStatus,
  correctionStep,
} from '@zhuguan/contract/features/alarms/alarms.record.ts'
import type { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'
import {
  correctionSource,
  correctionTurn,
  type CorrectionRow,
} from '@zhuguan/contract/features/corrections/corrections.record.ts'
import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { correctionNumber } from '../../kit/correction-source.ts'
import { correctionsPerson } from '../../kit/kept-from.ts'
import { bool, float8, int2, int4, row, type RowOf, text, texts, uuid, uuids } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { epoch, type PageOf, type Where } from '../../kit/statement.ts'
import { settingSql } from '../settings/settings.reads.ts'
import { knownCorrections, overdue, PROBLEM, threadOf, waitsFor } from './corrections.reads.ts'

type Filters = QueryOf<(typeof correctionsApi)['list']>

const { correcting } = correctionStatus.code
const turn = correctionTurn.code
/** The branch's days in which a closed one may come back. */
const REOPEN_DAYS = `${settingSql('reopenDays', '$1', 'k.bc_id')}::text::float8`
export const COLUMNS = `k.id,
  ${correctionNumber('k')} AS no,
  k.source, k.source_id,
  ${PROBLEM} AS problem,
  coalesce(a.picture, k.pictures[1]) AS picture, a.type AS "alarmType",
  k.site_id, w.ws_name AS "siteName", k.bc_id, c.bc_name, ${epoch('k.at')} AS at,
  k.correction_status AS "correctionStatus", k.step, k.round, k.disputed,
  CASE
  WHEN k.closed_at IS NOT NULL THEN '${turn.none}'
  WHEN k.disputed THEN '${turn.answer}'
  WHEN k.step = 'submitted' THEN '${turn.verify}'
  WHEN k.assignee_id IS NULL OR k.correction_status = 1 THEN '${turn.assign}'
  ELSE '${turn.correct}' END AS turn,
  k.assignee_id, coalesce(u.nickname, '') AS "assigneeName", k.corrector_id, k.corrector_ids,
  k.verified_by AS "verifiedBy",
  ${epoch('k.due_at')} AS "dueAt", ${epoch('k.closed_at')} AS "closedAt",
  CASE
  WHEN k.closed_at IS NOT NULL THEN ${epoch(`(k.closed_at + interval '1 day' * ${REOPEN_DAYS})`)} END AS "reopenUntil",
  ${epoch('k.urged_at')} AS "urgedAt", k.version`
export const JOINS = `JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
  JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
  LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id
  LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.assignee_id`
const correctionRow = row<CorrectionRow>({
  id: uuid,
  no: text,
  source: text.of(correctionSource),
  source_id: uuid,
  problem: text,
  picture: text.null,
  alarmType: text.of(alarmType).null,
  site_id: uuid,
  siteName: text,
  bc_id: uuid,
  bc_name: text,
  at: float8,
  correctionStatus: int2.of(correctionStatus),
  step: text.of(correctionStep).null,
  round: int4,
  disputed: bool,
  turn: text.of(correctionTurn),
  assignee_id: uuid.null,
  assigneeName: text,
  corrector_id: uuid.null,
  corrector_ids: uuids,
  verifiedBy: text,
  dueAt: float8.null,
  closedAt: float8.null,
  reopenUntil: float8.null,
  urgedAt: float8.null,
  version: int4,
})

/** As the indexes `corrections_worst` have it: what is not closed by its deadline, then the rest, newest first. */
const WORST = ['CASE WHEN k.correction_status IN (1, 2) THEN k.due_at END ASC', 'k.at DESC']

const correctionWhere = (scope: Scope, q: Filters): Where =>
  knownCorrections(scope)
    .when(q.id, (p) => `k.id = ${p}::uuid`)
    .when(q.ids, (p) => `k.id = ANY(${p}::uuid[])`)
    .when(q.source, (p) => `k.source = ANY(${p}::text[])`)
    .when(q.correctionStatus, (p) => `k.correction_status = ANY(${p}::smallint[])`)
    .when(q.bc_id, (p) => `k.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `k.site_id = ${p}::uuid`)
    .when(q.assignee_id, (p) => `k.assignee_id = ${p}::uuid`)
    .when(
      q.todo,
      (p) => waitsFor(q.todo!, p, 'k'),
      () => scope.user,
    )
    .when(q.from, (p) => `k.at >= to_timestamp(${p})`)
    .when(q.to, (p) => `k.at < to_timestamp(${p})`)
    .plain(q.overdue === true && overdue('k'))
    .plain(q.overdue === false && `NOT coalesce(${overdue('k')}, false)`)

/** Those of alarms are counted a day and branch, the others are few. */
const knownTotal = (scope: Scope, where: Where): string | undefined =>
  !scope.sites && where.text === knownCorrections(scope).text
    ? `SELECT (SELECT coalesce(sum(b.raised), 0) FROM branch_alarms b WHERE ${scoped(scope, 'b').text})
         + (SELECT count(*) FROM corrections k WHERE ${where.text} AND k.source <> 'alarm')`
    : undefined

export function correctionPage(scope: Scope, q: Filters): PageOf {
  const where = correctionWhere(scope, q)
  return {
    name: 'corrections.page',
    columns: COLUMNS,
    base: 'corrections k',
    joins: JOINS,
    where,
    known: knownTotal(scope, where),
    sort: q.sort,
    otherwise: WORST,
    tie: 'k.id DESC',
    sortable: {
      at: 'k.at',
      dueAt: 'k.due_at',
      closedAt: 'k.closed_at',
      correctionStatus: 'k.correction_status',
      source: 'k.source',
    },
    filled: ['at', 'correctionStatus', 'source'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const lockedCorrection = row({
  ...correctionRow,
  about_id: uuid.null,
  hidden_from: uuid.null,
  changedBy: text,
  changedAt: float8,
})
export type LockedCorrection = RowOf<typeof lockedCorrection>
async function lockCorrections(tx: Tx, where: Where, lock = true): Promise<LockedCorrection[]> {
  const asked = lock ? 'lock' : 'theirs'
  const { rows } = await tx.query(
    `corrections.${asked}`,
    lockedCorrection,
    `SELECT ${COLUMNS}, ${correctionsPerson('k', 'about_id')} AS about_id,
       ${correctionsPerson('k', 'hidden_from')} AS hidden_from, k.changed_by AS "changedBy",
       ${epoch('k.changed_at')} AS "changedAt"
     FROM corrections k ${JOINS}
     WHERE ${where.text}
     ORDER BY k.id
     ${lock ? 'FOR UPDATE OF k' : ''}`,
    where.values,
  )
  return rows
}
/** One correction that the caller may know of, its row locked until the transaction ends. */
export const lockCorrection = async (
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<LockedCorrection | undefined> =>
  (
    await lockCorrections(
      tx,
      knownCorrections(scope).add((p) => `k.id = ${p}::uuid`, id),
    )
  )[0]
/**
 * What this person is correcting, on one site or wherever they do, locked likewise unless it is only looked at; also
 * what the caller may not know of: nothing waits at a closed account.
 */
export const lockCorrecting = (
  tx: Tx,
  scope: Scope,
  site: string | null,
  person: string,
  lock = true,
): Promise<LockedCorrection[]> =>
  lockCorrections(
    tx,
    scoped(scope, 'k')
      .when(site ?? undefined, (p) => `k.site_id = ${p}::uuid`)
      .add((p) => `k.assignee_id = ${p}::uuid`, person)
      .plain(`k.correction_status = ${correcting}`),
    lock,
  )

export interface CorrectionChange {
  correctionStatus: number
  step: string | null
  round: number
  disputed: boolean
  assignee_id: string | null
  corrector_id: string | null
  verifiedBy: string
  dueAt: Date | null
  closedAt: Date | null
}
const moment = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000))
/** What a change leaves as it is. */
export const unchanged = (c: LockedCorrection): CorrectionChange => ({
  correctionStatus: c.correctionStatus,
  step: c.step,
  round: c.round,
  // Whatever is done answers what was said against it.
  disputed: false,
  assignee_id: c.assignee_id,
  corrector_id: c.corrector_id,
  verifiedBy: c.verifiedBy,
  dueAt: moment(c.dueAt),
  closedAt: moment(c.closedAt),
})

/** Leaves the state and version it expects, or changes nothing and answers false. */
export async function moveCorrection(
  tx: Tx,
  tenant: string,
  before: LockedCorrection,
  to: CorrectionChange,
  by: string,
  at: Date,
): Promise<boolean> {
  const { rowCount } = await tx.run(
    'corrections.move',
    `UPDATE corrections
     SET correction_status = $5, step = $6, round = $7, assignee_id = $8, corrector_id = $9, due_at = $10,
       closed_at = $11, changed_by = $12, changed_at = $13, disputed = $14, verified_by = $15, urged_at = NULL,
       version = version + 1
     WHERE tenant_id = $1 AND id = $2 AND correction_status = $3 AND version = $4`,
    [
      tenant,
      before.id,
      before.correctionStatus,
      before.version,
      to.correctionStatus,
      to.step,
      to.round,
      to.assignee_id,
      to.corrector_id,
      to.dueAt,
      to.closedAt,
      by,
      at,
      to.disputed,
      to.verifiedBy,
    ],
  )
  return rowCount === 1
}

export const addCorrection = (
  tx: Tx,
  c: {
    tenant: string
    id: string
    bc: string
    site: string
    source: string
    source_id: string
    problem: string
    pictures: string[]
    correctionStatus: number
    step: string | null
    assignee_id: string | null
    dueAt: Date
    by: string
  },
) =>
  tx.run(
    'corrections.add',
    `INSERT INTO corrections (tenant_id, id, bc_id, site_id, source, source_id, problem, pictures, at,
       correction_status, step, assignee_id, due_at, changed_by, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, :now, $9, $10, $11, $12, $13, :now)`,
    [
      c.tenant,
      c.id,
      c.bc,
      c.site,
      c.source,
      c.source_id,
      c.problem,
      c.pictures,
      c.correctionStatus,
      c.step,
      c.assignee_id,
      c.dueAt,
      c.by,
    ],
  )

/** When it was urged last; its version stays, so that nobody at work on it is stopped. */
export const noteUrged = (tx: Tx, tenant: string, id: string) =>
  tx.run('corrections.urged', 'UPDATE corrections SET urged_at = :now WHERE tenant_id = $1 AND id = $2', [
    tenant,
    id,
  ])

export const addCorrectionLog = (
  tx: Tx,
  l: {
    tenant: string
    id: string
    correction: string
    actor: string
    action: string
    text: string
    pictures: string[]
  },
) =>
  tx.run(
    'corrections.log',
    `INSERT INTO correction_logs (tenant_id, id, correction_id, actor, action, text, pictures, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, :now)`,
    [l.tenant, l.id, l.correction, l.actor, l.action, l.text, l.pictures],
  )

/** Several at once, as the demo's days bring them. */
export const addFound = (tx: Tx, found: readonly object[]) =>
  tx.run(
    'demo.found',
    `INSERT INTO corrections
     SELECT x.*
     FROM json_populate_recordset(NULL::corrections, $1::json) x`,
    [JSON.stringify(found)],
  )
/** Lines of several threads at once, likewise. */
export const addThreads = (tx: Tx, lines: readonly object[]) =>
  tx.run(
    'demo.threads',
    'INSERT INTO correction_logs SELECT * FROM json_populate_recordset(NULL::correction_logs, $1::json)',
    [JSON.stringify(lines)],
  )

export async function correctionDetails(tx: Tx, scope: Scope, id: string) {
  const one = knownCorrections(scope).add((p) => `k.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'corrections.one',
    row({ ...correctionRow, pictures: texts, patrol_id: uuid.null, tidiness: int2.of(tidinessResult).null }),
    `SELECT ${COLUMNS}, k.pictures, i.patrol_id, t.result AS tidiness
     FROM corrections k ${JOINS}
     LEFT JOIN patrol_items i ON i.tenant_id = $1 AND i.id = k.source_id AND k.source = 'patrol'
     LEFT JOIN tidiness_checks t ON t.tenant_id = $1 AND t.id = k.source_id AND k.source = 'tidiness'
     WHERE ${one.text}`,
    one.values,
  )
  const correction = rows[0]
  return correction && { ...correction, ...(await threadOf(tx, scope.tenant, id)) }
}
