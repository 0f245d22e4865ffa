import type { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'
import {
  type ArrangementDetail,
  type ArrangementRow,
  type HolidayLight,
  holidayLight,
  isStaffOnly,
  type Scene,
  sceneKind,
} from '@zhuguan/contract/features/screens/arrangements.record.ts'
import { type ScreenKind, screenKind } from '@zhuguan/contract/features/screens/screens.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int4, jsonb, row, text, uuid } from '../../kit/row.ts'
import { scopedStores, whole } from '../../kit/scoped.ts'
import { contains, epoch, type PageOf, Where } from '../../kit/statement.ts'
import { PAINTS } from './screens.queries.ts'

const STAFF = sceneKind.values
  .filter(isStaffOnly)
  .map((kind) => `'${kind}'`)
  .join(', ')
const SHOWN = 's.tenant_id = $1 AND s.arrangement_id = a.id AND s.revoked_at IS NULL'
const COLUMNS = `a.id, a.name, a.bc_id, c.bc_name, a.store_id, k.name AS "storeName",
     jsonb_array_length(a.scenes) AS "sceneCount",
     (SELECT sum((x->>'seconds')::int)::int FROM jsonb_array_elements(a.scenes) x) AS seconds,
     EXISTS (SELECT FROM jsonb_array_elements(a.scenes) x WHERE x->>'kind' IN (${STAFF})) AS "staffOnly",
     (SELECT count(*)::int FROM screens s WHERE ${SHOWN}) AS screens,
     (SELECT count(*)::int FROM screens s WHERE ${SHOWN} AND ${PAINTS}) AS online,
     a.changed_by AS "changedBy", ${epoch('a.changed_at')} AS "changedAt", a.before IS NOT NULL AS "hasBefore",
     a.version`
const JOINS = `JOIN companies c ON c.tenant_id = $1 AND c.bc_id = a.bc_id
   JOIN stores k ON k.tenant_id = $1 AND k.id = a.store_id`

export function arrangementPage(scope: Scope, q: QueryOf<(typeof arrangementsApi)['list']>): PageOf {
  return {
    name: 'arrangements.page',
    columns: COLUMNS,
    base: 'arrangements a',
    joins: JOINS,
    where: scopedStores(scope, 'a')
      .when(q.id, (v) => `a.id = ${v}::uuid`)
      .when(q.bc_id, (v) => `a.bc_id = ANY(${v}::uuid[])`)
      .when(q.store_id, (v) => `a.store_id = ${v}::uuid`)
      .when(q.keyword && contains(q.keyword), (v) => `a.name ILIKE ${v}`),
    sort: q.sort,
    otherwise: 'a.changed_at DESC',
    tie: 'a.id',
    sortable: { name: 'a.name', changedAt: 'a.changed_at' },
    filled: ['name', 'changedAt'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const detail = row<ArrangementDetail>({
  id: uuid,
  name: text,
  bc_id: uuid,
  bc_name: text,
  store_id: uuid,
  storeName: text,
  sceneCount: int4,
  seconds: int4,
  staffOnly: bool,
  screens: int4,
  online: int4,
  changedBy: text,
  changedAt: float8,
  hasBefore: bool,
  version: int4,
  scenes: jsonb<Scene[]>(),
  opens: text.null,
  closes: text.null,
  holidays: text.of(holidayLight),
})
export async function arrangementOf(
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<ArrangementDetail | undefined> {
  const where = scopedStores(scope, 'a').add((p) => `a.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'arrangements.one',
    detail,
    `SELECT ${COLUMNS}, a.scenes, a.opens, a.closes, a.holidays FROM arrangements a ${JOINS} WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

/** What a version is made of. */
export interface Facts {
  name: string
  scenes: Scene[]
  opens: string | null
  closes: string | null
  holidays: HolidayLight
}
/** A version that was kept before walls knew holidays is lit on them. */
type Before = Omit<Facts, 'holidays'> & Partial<Pick<Facts, 'holidays'>>
/** One, held until the transaction ends: what is on it and who shows it are decided one after the other. */
export async function lockArrangement(tx: Tx, scope: Scope, id: string) {
  const where = scopedStores(scope, 'a').add((p) => `a.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'arrangements.lock',
    row({
      id: uuid,
      bc_id: uuid,
      store_id: uuid,
      name: text,
      scenes: jsonb<Scene[]>(),
      opens: text.null,
      closes: text.null,
      holidays: text.of(holidayLight),
      before: jsonb<Before>().null,
      changedBy: text,
      changedAt: float8,
      version: int4,
    }),
    `SELECT a.id, a.bc_id, a.store_id, a.name, a.scenes, a.opens, a.closes, a.holidays, a.before,
       a.changed_by AS "changedBy",
       ${epoch('a.changed_at')} AS "changedAt", a.version
     FROM arrangements a
     WHERE ${where.text}
     FOR UPDATE`,
    where.values,
  )
  return rows[0]
}
/** Those that a person may show, by store. */
export async function arrangementsIn(tx: Tx, scope: Scope) {
  const where = scopedStores(scope, 'a')
  const { rows } = await tx.query(
    'arrangements.names',
    row<Pick<ArrangementRow, 'id' | 'name' | 'storeName'>>({ id: uuid, name: text, storeName: text }),
    `SELECT a.id, a.name, k.name AS "storeName"
     FROM arrangements a
     JOIN stores k ON k.tenant_id = $1 AND k.id = a.store_id
     WHERE ${where.text}
     ORDER BY k.name, a.name
     LIMIT 200`,
    where.values,
  )
  return rows
}
/** A store in its branch, as far as it goes on. */
export async function storeOf(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'arrangements.store',
    row({ id: uuid, bc_id: uuid, name: text, active: bool }),
    `SELECT k.id, k.bc_id, k.name, k.status = 1 AS active FROM stores k WHERE k.tenant_id = $1 AND k.id = $2`,
    [tenant, id],
  )
  return rows[0]
}
/** Stores that go on, with their branches. */
export async function storesIn(tx: Tx, scope: Scope) {
  const where = new Where().add((p) => `k.tenant_id = ${p}::uuid`, scope.tenant).plain('k.status = 1')
  if (!whole(scope))
    where.either([
      [(p) => `k.bc_id = ANY(${p}::uuid[])`, scope.bcs ?? []],
      [(p) => `k.id = ANY(${p}::uuid[])`, scope.stores ?? []],
    ])
  const { rows } = await tx.query(
    'arrangements.stores',
    row({ id: uuid, name: text, bc_id: uuid, bc_name: text }),
    `SELECT k.id, k.name, k.bc_id, c.bc_name
     FROM stores k
     JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
     WHERE ${where.text}
     ORDER BY c.sort, c.bc_name, k.name`,
    where.values,
  )
  return rows
}
export async function isNameTaken(
  tx: Tx,
  tenant: string,
  o: { store: string; name: string; but: string | null },
): Promise<boolean> {
  const { rows } = await tx.query(
    'arrangements.same',
    row({ id: uuid }),
    `SELECT a.id FROM arrangements a
     WHERE a.tenant_id = $1 AND a.store_id = $2 AND a.name = $3 AND ($4::uuid IS NULL OR a.id <> $4::uuid)`,
    [tenant, o.store, o.name, o.but],
  )
  return rows.length > 0
}
export const addArrangement = (
  tx: Tx,
  a: Facts & { tenant: string; id: string; bc: string; store: string; by: string },
) =>
  tx.run(
    'arrangements.add',
    `INSERT INTO arrangements (tenant_id, id, bc_id, store_id, name, scenes, opens, closes, holidays, changed_by,
       changed_at)
     VALUES ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, $10, :now)`,
    [a.tenant, a.id, a.bc, a.store, a.name, JSON.stringify(a.scenes), a.opens, a.closes, a.holidays, a.by],
  )
/** The new version; the one of before stays to go back to. */
export const editArrangement = (
  tx: Tx,
  a: Facts & { tenant: string; id: string; by: string; before: Facts },
) =>
  tx.run(
    'arrangements.edit',
    `UPDATE arrangements a SET name = $3, scenes = $4::jsonb, opens = $5, closes = $6, holidays = $7,
       before = $8::jsonb, changed_by = $9, changed_at = :now, version = a.version + 1
     WHERE a.tenant_id = $1 AND a.id = $2`,
    [
      a.tenant,
      a.id,
      a.name,
      JSON.stringify(a.scenes),
      a.opens,
      a.closes,
      a.holidays,
      JSON.stringify(a.before),
      a.by,
    ],
  )
export const deleteArrangement = (tx: Tx, tenant: string, id: string) =>
  tx.run('arrangements.del', 'DELETE FROM arrangements a WHERE a.tenant_id = $1 AND a.id = $2', [tenant, id])

/** The screens that show it, of one kind or of both. */
export async function screensShowing(tx: Tx, tenant: string, id: string, kind: ScreenKind | null) {
  const { rows } = await tx.query(
    'arrangements.shownon',
    row({ name: text, kind: text.of(screenKind) }),
    `SELECT s.name, s.kind FROM screens s
     WHERE s.tenant_id = $1 AND s.arrangement_id = $2 AND s.revoked_at IS NULL
       AND ($3::text IS NULL OR s.kind = $3::text)
     ORDER BY s.name`,
    [tenant, id, kind],
  )
  return rows
}
/** The name of the group. */
export async function groupOf(tx: Tx, tenant: string): Promise<string> {
  const { rows } = await tx.query(
    'arrangements.group',
    row({ name: text }),
    'SELECT t.name FROM tenants t WHERE t.id = $1',
    [tenant],
  )
  return rows[0]?.name ?? ''
}
/** A case of this branch, whatever may be shown of it. */
export async function caseIn(tx: Tx, tenant: string, bc: string, id: string) {
  const { rows } = await tx.query(
    'arrangements.case',
    row({ id: uuid }),
    'SELECT k.id FROM cases k WHERE k.tenant_id = $1 AND k.bc_id = $2 AND k.id = $3',
    [tenant, bc, id],
  )
  return rows[0]
}
