import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { warningsApi } from '@zhuguan/contract/features/warnings/warnings.api.ts'
import {
  warningAct,
  warningBall,
  type WarningDetail,
  warningEnd,
  warningKind,
  warningLevel,
  type WarningRow,
  warningRule,
  warningState,
} from '@zhuguan/contract/features/warnings/warnings.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int2, int4, json, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { dayBegins, epoch, type PageOf } from '../../kit/statement.ts'
import { missingOrders } from '../no-work/missing-goods.reads.ts'

const { assignee, manager } = warningBall.code
const { closed } = warningState.code
/** The person who led the site when it was closed, else who leads it. */
const MANAGER = `CASE WHEN v.state = '${closed}' THEN v.closed_manager_id ELSE w.manager_id END`
/** The person whose turn it is, where that is one person: what nobody has to correct is the manager's. */
const RESPONSIBLE = `CASE WHEN v.ball = '${manager}' THEN ${MANAGER}
     WHEN v.ball = '${assignee}' THEN coalesce(k.assignee_id, ${MANAGER}) END`
const COLUMNS = `v.id, v.kind, v.rule, v.level, v.state, v.site_id, w.ws_name AS "siteName",
     v.bc_id, c.bc_name, v.stage, v.about, v.planned::text AS planned, g.actual_start::text AS "actualStart",
     g.actual_finish::text AS "actualFinish",
     v.deviation, v.baseline_deviation AS "baselineDeviation", v.ball, v.ball_about AS "ballAbout",
     ${RESPONSIBLE} AS responsible_id,
     coalesce(u.nickname, '') AS "responsibleName", ${MANAGER} AS manager_id, w.steward_id,
     ${epoch('v.opened_at')} AS "openedAt", v.until::text AS until, coalesce(t.nickname, '') AS "takenBy",
     ${epoch('v.closed_at')} AS "closedAt", v.ended AS "end", v.correction_id, v.version`
const JOINS = `JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = v.bc_id
   LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = v.site_id AND g.stage = v.stage
   LEFT JOIN corrections k ON k.tenant_id = $1 AND k.id = v.correction_id
   LEFT JOIN users u ON u.tenant_id = $1 AND u.id = ${RESPONSIBLE}
   LEFT JOIN users t ON t.tenant_id = $1 AND t.id = v.taken_by`

export const warningPage = (scope: Scope, q: QueryOf<(typeof warningsApi)['list']>): PageOf => ({
  name: 'warnings.page',
  columns: COLUMNS,
  base: 'warnings v',
  joins: JOINS,
  where: scoped(scope, 'v')
    .when(q.id, (p) => `v.id = ${p}::uuid`)
    .when(q.kind, (p) => `v.kind = ANY(${p}::text[])`)
    .when(q.rule, (p) => `v.rule = ANY(${p}::text[])`)
    .when(q.level, (p) => `v.level = ANY(${p}::smallint[])`)
    .when(q.state, (p) => `v.state = ANY(${p}::text[])`)
    .when(q.end, (p) => `v.ended = ANY(${p}::text[])`)
    .when(q.ball, (p) => `v.ball = ANY(${p}::text[])`)
    .when(q.bc_id, (p) => `v.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `v.site_id = ${p}::uuid`)
    .when(
      q.manager_id,
      (
        p,
      ) => `CASE WHEN v.state = '${closed}' THEN v.closed_manager_id = ${p}::uuid ELSE EXISTS (SELECT FROM sites m
         WHERE m.tenant_id = $1 AND m.id = v.site_id AND m.manager_id = ${p}::uuid) END`,
    )
    .when(q.from, (p) => `v.opened_at >= ${dayBegins(p)}`)
    .when(q.to, (p) => `v.opened_at < ${dayBegins(`(${p}::date + 1)`)}`),
  sort: q.sort,
  otherwise: ['v.place ASC', 'v.opened_at DESC'],
  tie: 'v.id',
  sortable: { openedAt: 'v.opened_at', deviation: 'v.deviation', level: 'v.level', closedAt: 'v.closed_at' },
  filled: ['openedAt', 'deviation', 'level'],
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})

const warningRowOf = row<WarningRow>({
  id: uuid,
  kind: text.of(warningKind),
  rule: text.of(warningRule),
  level: int2.of(warningLevel),
  state: text.of(warningState),
  site_id: uuid,
  siteName: text,
  bc_id: uuid,
  bc_name: text,
  stage: text.of(siteStage).null,
  about: text,
  planned: text.null,
  actualStart: text.null,
  actualFinish: text.null,
  deviation: int4,
  baselineDeviation: int4.null,
  ball: text.of(warningBall),
  ballAbout: text,
  responsible_id: uuid.null,
  responsibleName: text,
  manager_id: uuid.null,
  steward_id: uuid.null,
  openedAt: float8,
  until: text.null,
  takenBy: text,
  closedAt: float8.null,
  end: text.of(warningEnd).null,
  correction_id: uuid.null,
  version: int4,
})

const lockedRow = row({ ...warningRowOf, changedBy: text, changedAt: float8 })
/** One warning inside the scope, its row locked until the transaction ends. */
export async function lockWarning(tx: Tx, scope: Scope, id: string) {
  const where = scoped(scope, 'v').add((p) => `v.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'warnings.lock',
    lockedRow,
    `SELECT ${COLUMNS}, v.changed_by AS "changedBy", ${epoch('v.changed_at')} AS "changedAt"
     FROM warnings v ${JOINS} WHERE ${where.text} FOR UPDATE OF v`,
    where.values,
  )
  return rows[0]
}
/** These, whoever looks: what the system tells of. */
export async function warningsOf(tx: Tx, tenant: string, ids: readonly string[]): Promise<WarningRow[]> {
  const { rows } = await tx.query(
    'warnings.these',
    warningRowOf,
    `SELECT ${COLUMNS} FROM warnings v ${JOINS} WHERE v.tenant_id = $1 AND v.id = ANY ($2) ORDER BY v.bc_id, v.id`,
    [tenant, ids],
  )
  return rows
}

export async function warningDetails(tx: Tx, scope: Scope, id: string): Promise<WarningDetail | undefined> {
  const where = scoped(scope, 'v').add((p) => `v.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'warnings.one',
    row({ ...warningRowOf, orders: json<WarningDetail['orders']>() }),
    `SELECT ${COLUMNS}, ${missingOrders({ tenant: '$1', site: 'v.site_id', stage: 'v.stage' })} AS orders
     FROM warnings v ${JOINS}
     WHERE ${where.text}`,
    where.values,
  )
  if (!rows[0]) return undefined
  const log = await tx.query(
    'warnings.events',
    row({
      at: float8,
      actor: text,
      act: text.of(warningAct),
      level: int2.of(warningLevel),
      deviation: int4,
      text,
    }),
    `SELECT ${epoch('e.at')} AS at, e.actor, e.act, e.level, e.deviation, e.text
     FROM warning_events e
     WHERE e.tenant_id = $1 AND e.warning_id = $2
     ORDER BY e.at, e.id`,
    [scope.tenant, id],
  )
  return { ...rows[0], log: log.rows }
}
