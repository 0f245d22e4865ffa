import { alarmType, alarmVerdict } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { alarmActions } from '@zhuguan/contract/features/corrections/corrections.actions.ts'
import type { trustsApi } from '@zhuguan/contract/features/trusts/trusts.api.ts'
import {
  ENOUGH_VERDICTS,
  trustEvent,
  type TrustRow,
  trustState,
} from '@zhuguan/contract/features/trusts/trusts.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int4, row, type RowOf, text, texts, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { contains, epoch, type PageOf, settled, type Where } from '../../kit/statement.ts'

const { none, real, wrong } = alarmVerdict.code
/** So many of the last verdicts are shown one by one. */
const LAST = 10

/** The alarms of the pair `p`, on the alias `a`. */
const OF_PAIR = 'a.tenant_id = $1 AND a.device_id = p.device_id AND a.site_id = p.site_id AND a.type = p.type'
const COLUMNS = `p.id, p.device_id, d.sn AS "deviceSn", p.site_id, w.ws_name AS "siteName", p.bc_id,
     c.bc_name, p.type, p.model, p.n, p.wrong, p.undecided, p.share, p.state, p.why, p.changed_by AS by,
     ${epoch('p.changed_at')} AS since, p.version,
     coalesce((SELECT array_agg(v.verdict ORDER BY v.at, v.id)
       FROM (SELECT a.verdict, a.at, a.id
         FROM alarms a
         WHERE ${OF_PAIR} AND a.model = p.model AND a.verdict IN ('${real}', '${wrong}')
         ORDER BY a.at DESC, a.id DESC
         LIMIT ${LAST}) v), '{}') AS last`
const JOINS = `JOIN devices d ON d.tenant_id = $1 AND d.id = p.device_id
   JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id`
/** Pairs with how their present version was judged; `where` speaks of `k`. */
const pairsOf = (
  where: Where,
) => `(SELECT k.*, coalesce(t."real" + t.wrong, 0) AS n, coalesce(t.wrong, 0) AS wrong,
     coalesce(t.undecided, 0) AS undecided,
     CASE WHEN t."real" + t.wrong >= ${ENOUGH_VERDICTS} THEN t.wrong::float8 / (t."real" + t.wrong) END AS share
   FROM alarm_pairs k
   LEFT JOIN alarm_trusts t ON t.tenant_id = $1 AND t.device_id = k.device_id AND t.site_id = k.site_id
     AND t.type = k.type AND t.model = k.model
   WHERE ${where.text}) p`

export function trustPage(scope: Scope, q: QueryOf<(typeof trustsApi)['list']>): PageOf {
  const where = scoped(scope, 'k')
    .when(q.id, (p) => `k.id = ${p}::uuid`)
    .when(q.type, (p) => `k.type = ANY(${p}::text[])`)
    .when(q.state, (p) => `k.state = ANY(${p}::text[])`)
    .when(q.bc_id, (p) => `k.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `k.site_id = ${p}::uuid`)
    .when(q.device_id, (p) => `k.device_id = ${p}::uuid`)
    .when(q.model || undefined, (p) => `lower(k.model) LIKE ${p}`, contains)
    .when(
      q.keyword || undefined,
      (p) =>
        `(EXISTS (SELECT 1 FROM devices x WHERE x.tenant_id = $1 AND x.id = k.device_id AND lower(x.sn) LIKE ${p})
           OR EXISTS (SELECT 1 FROM sites y
             WHERE y.tenant_id = $1 AND y.id = k.site_id AND lower(y.ws_name) LIKE ${p}))`,
      contains,
    )
    // What a camera saw on a site where it stands no more is history.
    .plain(
      `EXISTS (SELECT 1 FROM devices h WHERE h.tenant_id = $1 AND h.id = k.device_id AND h.site_id = k.site_id)`,
    )
  return {
    name: 'trusts.page',
    columns: COLUMNS,
    base: pairsOf(where),
    alias: 'p',
    joins: JOINS,
    where: settled(where),
    sort: q.sort,
    // What cost the most looks in vain leads.
    otherwise: ['p.wrong DESC', 'p.n ASC'],
    tie: 'p.id',
    sortable: { n: 'p.n', wrong: 'p.wrong', share: 'p.share', since: 'p.changed_at' },
    filled: ['n', 'wrong'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const trustRow = row<TrustRow>({
  id: uuid,
  device_id: uuid,
  deviceSn: text,
  site_id: uuid,
  siteName: text,
  bc_id: uuid,
  bc_name: text,
  type: text.of(alarmType),
  model: text,
  n: int4,
  wrong: int4,
  undecided: int4,
  share: float8.null,
  last: texts.of(alarmVerdict),
  state: text.of(trustState),
  why: text,
  by: text,
  since: float8.null,
  version: int4,
})
export async function trustDetails(tx: Tx, scope: Scope, id: string) {
  const where = scoped(scope, 'k').add((p) => `k.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'trusts.one',
    trustRow,
    `SELECT ${COLUMNS} FROM ${pairsOf(where)} ${JOINS}`,
    where.values,
  )
  const pair = rows[0]
  if (!pair) return undefined
  const key = [scope.tenant, pair.device_id, pair.site_id, pair.type]
  const models = await tx.query(
    'trusts.models',
    row({ model: text, n: int4, wrong: int4, undecided: int4 }),
    `SELECT t.model, (t."real" + t.wrong) AS n, t.wrong, t.undecided
     FROM alarm_trusts t
     WHERE t.tenant_id = $1 AND t.device_id = $2 AND t.site_id = $3 AND t.type = $4
       AND t."real" + t.wrong + t.undecided > 0
     ORDER BY t.model = $5 DESC, t.model DESC`,
    [...key, pair.model],
  )
  const history = await tx.query(
    'trusts.history',
    row({ at: float8, actor: text, event: text.of(trustEvent), text, model: text }),
    `SELECT ${epoch('l.at')} AS at, l.actor, l.event, l.text, l.model
     FROM alarm_pair_logs l
     WHERE l.tenant_id = $1 AND l.pair_id = $2
     ORDER BY l.at DESC, l.id DESC`,
    [scope.tenant, id],
  )
  const alarms = await tx.query(
    'trusts.alarms',
    row({ id: uuid, at: float8, picture: text.null, verdict: text.of(alarmVerdict), model: text }),
    `SELECT a.id, ${epoch('a.at')} AS at, a.picture, a.verdict, a.model
     FROM alarms a
     WHERE a.tenant_id = $1 AND a.device_id = $2 AND a.site_id = $3 AND a.type = $4
     ORDER BY a.at DESC, a.id DESC
     LIMIT 12`,
    key,
  )
  return { ...pair, models: models.rows, history: history.rows, alarms: alarms.rows }
}

const lockedPair = row({
  id: uuid,
  bc_id: uuid,
  site_id: uuid,
  device_id: uuid,
  deviceSn: text,
  type: text.of(alarmType),
  model: text,
  state: text.of(trustState),
  by: text,
  since: float8.null,
  version: int4,
})
export type LockedPair = RowOf<typeof lockedPair>
/** One pair inside the scope, its row locked until the transaction ends. */
export async function lockPair(tx: Tx, scope: Scope, id: string): Promise<LockedPair | undefined> {
  const where = scoped(scope, 'p').add((p) => `p.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'trusts.lock',
    lockedPair,
    `SELECT p.id, p.bc_id, p.site_id, p.device_id, d.sn AS "deviceSn", p.type, p.model, p.state, p.changed_by AS by,
       ${epoch('p.changed_at')} AS since, p.version
     FROM alarm_pairs p
     JOIN devices d ON d.tenant_id = $1 AND d.id = p.device_id
     WHERE ${where.text}
     FOR UPDATE OF p`,
    where.values,
  )
  return rows[0]
}

const JUDGINGS = ['cancel', 'assign', 'reopen'] as const
/** Judged alarms, each with what was said when it was found to be wrong. */
export const labelPage = (scope: Scope, q: QueryOf<(typeof trustsApi)['labels']>): PageOf => ({
  name: 'trusts.labels',
  columns: `a.id, a.picture, a.type, a.verdict, a.model, round(a.confidence::numeric, 4)::float8 AS confidence,
     ${epoch('a.at')} AS at, w.ws_name AS "siteName", c.bc_name, d.sn AS "deviceSn",
     coalesce((SELECT CASE l.action WHEN '${alarmActions.table.cancel.label}' THEN l.text END
       FROM correction_logs l
       WHERE l.tenant_id = $1 AND l.correction_id = a.id
         AND l.action IN (${JUDGINGS.map((name) => `'${alarmActions.table[name].label}'`).join(', ')})
       ORDER BY l.at DESC, l.id DESC
       LIMIT 1), '') AS reason`,
  base: 'alarms a',
  joins: `JOIN sites w ON w.tenant_id = $1 AND w.id = a.site_id
     JOIN companies c ON c.tenant_id = $1 AND c.bc_id = a.bc_id
     JOIN devices d ON d.tenant_id = $1 AND d.id = a.device_id`,
  where: scoped(scope, 'a')
    .plain(`a.verdict <> '${none}'`)
    .when(q.type, (p) => `a.type = ANY(${p}::text[])`)
    .when(q.verdict, (p) => `a.verdict = ANY(${p}::text[])`)
    .when(q.bc_id, (p) => `a.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `a.site_id = ${p}::uuid`)
    .when(q.model || undefined, (p) => `lower(a.model) LIKE ${p}`, contains)
    .when(q.from, (p) => `a.at >= to_timestamp(${p})`)
    .when(q.to, (p) => `a.at < to_timestamp(${p})`),
  sort: q.sort,
  otherwise: 'a.at DESC',
  tie: 'a.id DESC',
  sortable: { at: 'a.at' },
  filled: ['at'],
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})
