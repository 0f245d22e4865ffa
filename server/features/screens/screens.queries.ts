import { KEPT_DAYS } from '@zhuguan/contract/features/keeping/keeping.record.ts'
import { holidayLight, type Scene } from '@zhuguan/contract/features/screens/arrangements.record.ts'
import type { screensApi } from '@zhuguan/contract/features/screens/screens.api.ts'
import { screenKind, screenState, SILENT_SECONDS } from '@zhuguan/contract/features/screens/screens.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, int4, jsonb, row, type RowOf, text, uuid } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import { epoch, type PageOf } from '../../kit/statement.ts'

const { paired, revoked, silent } = screenState.code
/** A screen `s` whose frames have moved lately. */
export const PAINTS = `coalesce(s.moved_at > :now - interval '${SILENT_SECONDS} seconds', false)`
const STATE = `CASE WHEN s.revoked_at IS NOT NULL THEN '${revoked}' WHEN ${PAINTS} THEN '${paired}'
       ELSE '${silent}' END`
const COLUMNS = `s.id, s.name, s.bc_id, c.bc_name, s.store_id, k.name AS "storeName", k.status AS "storeStatus",
     s.kind, ${STATE} AS state, s.arrangement_id, a.name AS "arrangementName", s.width, s.height, s.bundle,
     s.scene, s.item, s.frames, s.age, 
     (SELECT coalesce(sum(l.openings), 0)::int FROM links l
       WHERE l.tenant_id = $1 AND l.screen_id = s.id) AS scanned,
     ${epoch('s.said_at')} AS "saidAt", ${epoch('s.moved_at')} AS "movedAt",
     s.paired_by AS "pairedBy", ${epoch('s.paired_at')} AS "pairedAt", ${epoch('s.revoked_at')} AS "revokedAt",
     s.why, s.version`
const JOINS = `JOIN companies c ON c.tenant_id = $1 AND c.bc_id = s.bc_id
   JOIN stores k ON k.tenant_id = $1 AND k.id = s.store_id
   LEFT JOIN arrangements a ON a.tenant_id = $1 AND a.id = s.arrangement_id`

export function screenPage(scope: Scope, q: QueryOf<(typeof screensApi)['list']>): PageOf {
  return {
    name: 'screens.page',
    columns: COLUMNS,
    base: 'screens s',
    joins: JOINS,
    where: scopedStores(scope, 's')
      .when(q.bc_id, (v) => `s.bc_id = ANY(${v}::uuid[])`)
      .when(q.store_id, (v) => `s.store_id = ${v}::uuid`)
      .when(q.arrangement_id, (v) => `s.arrangement_id = ${v}::uuid`)
      .when(q.kind, (v) => `s.kind = ANY(${v}::text[])`)
      .when(q.state, (v) => `${STATE} = ANY(${v}::text[])`),
    sort: q.sort,
    otherwise: ['s.revoked_at IS NOT NULL', 's.paired_at DESC'],
    tie: 's.id',
    sortable: { name: 's.name', saidAt: 's.said_at' },
    filled: ['name'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const locked = row({
  id: uuid,
  bc_id: uuid,
  store_id: uuid,
  storeName: text,
  name: text,
  kind: text.of(screenKind),
  state: text.of(screenState),
  arrangement: text.null,
  version: int4,
})
export type LockedScreen = RowOf<typeof locked>
/** These inside the scope, held until the transaction ends; who is not in it is not among them. */
export async function lockScreens(tx: Tx, scope: Scope, ids: readonly string[]): Promise<LockedScreen[]> {
  const where = scopedStores(scope, 's').add((p) => `s.id = ANY(${p}::uuid[])`, ids)
  const { rows } = await tx.query(
    'screens.lock',
    locked,
    `SELECT s.id, s.bc_id, s.store_id, k.name AS "storeName", s.name, s.kind, ${STATE} AS state,
       a.name AS arrangement, s.version
     FROM screens s
     JOIN stores k ON k.tenant_id = $1 AND k.id = s.store_id
     LEFT JOIN arrangements a ON a.tenant_id = $1 AND a.id = s.arrangement_id
     WHERE ${where.text}
     ORDER BY s.id
     FOR UPDATE OF s`,
    where.values,
  )
  return rows
}
export const addScreen = (
  tx: Tx,
  s: {
    tenant: string
    id: string
    bc: string
    store: string
    name: string
    kind: string
    arrangement: string | null
    by: string
    of: { hash: Buffer; width: number; height: number }
  },
) =>
  tx.run(
    'screens.add',
    `INSERT INTO screens (tenant_id, id, bc_id, store_id, name, kind, hash, arrangement_id, width, height, paired_by,
       paired_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, :now)`,
    [s.tenant, s.id, s.bc, s.store, s.name, s.kind, s.of.hash, s.arrangement, s.of.width, s.of.height, s.by],
  )
/** Another browser takes its place; the cookie of before opens nothing from now on. */
export const replaceScreen = (
  tx: Tx,
  tenant: string,
  s: { id: string; by: string; of: { hash: Buffer; width: number; height: number } },
) =>
  tx.run(
    'screens.replace',
    `UPDATE screens s SET hash = $3, width = $4, height = $5, paired_by = $6, paired_at = :now, said_at = NULL,
       moved_at = NULL, scene = '', item = '', frames = 0, age = 0, version = s.version + 1
     WHERE s.tenant_id = $1 AND s.id = $2`,
    [tenant, s.id, s.of.hash, s.of.width, s.of.height, s.by],
  )
export const sendTo = (tx: Tx, tenant: string, arrangement: string, screens: readonly string[]) =>
  tx.run(
    'screens.send',
    `UPDATE screens s SET arrangement_id = $2, version = s.version + 1
     WHERE s.tenant_id = $1 AND s.id = ANY ($3::uuid[])`,
    [tenant, arrangement, screens],
  )
export const revokeScreen = (tx: Tx, tenant: string, id: string, why: string) =>
  tx.run(
    'screens.revoke',
    `UPDATE screens s SET revoked_at = :now, why = $3, version = s.version + 1
     WHERE s.tenant_id = $1 AND s.id = $2`,
    [tenant, id, why],
  )
/** All of a store, or of a branch. @returns how many */
export async function revokeAll(
  tx: Tx,
  tenant: string,
  of: { store: string } | { bc: string },
  why: string,
): Promise<number> {
  const { rowCount } = await tx.run(
    'screens.revokeall',
    `UPDATE screens s SET revoked_at = :now, why = $4, version = s.version + 1
     WHERE s.tenant_id = $1 AND s.revoked_at IS NULL AND (s.store_id = $2::uuid OR s.bc_id = $3::uuid)`,
    [tenant, 'store' in of ? of.store : null, 'bc' in of ? of.bc : null, why],
  )
  return rowCount ?? 0
}
export async function isScreenNameTaken(tx: Tx, tenant: string, store: string, name: string) {
  const { rows } = await tx.query(
    'screens.same',
    row({ id: uuid }),
    `SELECT s.id FROM screens s
     WHERE s.tenant_id = $1 AND s.store_id = $2 AND s.name = $3 AND s.revoked_at IS NULL`,
    [tenant, store, name],
  )
  return rows.length > 0
}

const bearer = row({
  tenant: uuid,
  id: uuid,
  name: text,
  bc_id: uuid,
  store_id: uuid,
  kind: text.of(screenKind),
  revoked: bool,
  group: text,
  store: text,
  arrangement: text.null,
  scenes: jsonb<Scene[]>().null,
  opens: text.null,
  closes: text.null,
  holidays: text.of(holidayLight).null,
})
export type Bearer = RowOf<typeof bearer>
/** The wall that has this cookie; it finds its group by it, as a session does. */
export async function bearerOf(tx: Tx, hash: Buffer): Promise<Bearer | undefined> {
  const { rows } = await tx.query(
    'screens.bearer',
    bearer,
    `SELECT s.tenant_id AS tenant, s.id, s.name, s.bc_id, s.store_id, s.kind, s.revoked_at IS NOT NULL AS revoked,
       t.name AS "group", k.name AS store, a.name AS arrangement, a.scenes, a.opens, a.closes, a.holidays
     FROM screens s
     JOIN tenants t ON t.id = s.tenant_id
     JOIN stores k ON k.tenant_id = s.tenant_id AND k.id = s.store_id
     LEFT JOIN arrangements a ON a.tenant_id = s.tenant_id AND a.id = s.arrangement_id
     WHERE s.hash = $1`,
    [hash],
  )
  return rows[0]
}
export const noteWord = (
  tx: Tx,
  tenant: string,
  w: {
    id: string
    width: number
    height: number
    bundle: string
    scene: string
    item: string
    frames: number
    age: number
  },
) =>
  tx.run(
    'screens.word',
    `UPDATE screens s SET said_at = :now, moved_at = CASE WHEN s.frames <> $8 THEN :now ELSE s.moved_at END,
       width = $3, height = $4, bundle = $5, scene = $6, item = $7, frames = $8, age = $9
     WHERE s.tenant_id = $1 AND s.id = $2 AND s.revoked_at IS NULL`,
    [tenant, w.id, w.width, w.height, w.bundle, w.scene, w.item, w.frames, w.age],
  )

/** Walls that were taken back more than a year ago. */
export const forgetScreens = (tx: Tx, tenant: string, most: number) =>
  tx.run(
    'screens.forget',
    `DELETE FROM screens s
     WHERE s.tenant_id = $1 AND s.id = ANY (ARRAY(
       SELECT o.id FROM screens o
       WHERE o.tenant_id = $1 AND o.revoked_at < :now - interval '${KEPT_DAYS.screens} days'
       LIMIT $2))`,
    [tenant, most],
  )
