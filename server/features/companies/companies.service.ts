import type { companiesApi, storesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import { companyStatus } from '@zhuguan/contract/features/companies/companies.record.ts'
import { receiveState } from '@zhuguan/contract/features/orders/orders.record.ts'
import type { BodyOf, Tie } from '@zhuguan/contract/kit/api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { changed } from '../../kit/changed.ts'
import { found, invalid, outside, Refused, unlessSeen } from '../../kit/refuse.ts'
import { bool, float8, int2, int4, row, text, there, uuid } from '../../kit/row.ts'
import { hasBranch, whole } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { closeScreens } from '../screens/screens.service.ts'
import { tellAccess } from '../session/access.service.ts'

type Company = BodyOf<(typeof companiesApi)['add']>
type Store = BodyOf<(typeof storesApi)['add']>
interface One {
  id: string
  version: number
}
const DISABLED = 2

/** Only whoever sees the whole group opens and closes branches. */
const groupOnly = (call: Call) => {
  if (!whole(call.user.scope)) throw outside()
}
const ownBranch = (call: Call, bc: string) => {
  if (!hasBranch(call.user.scope, bc)) throw outside()
}
/** Says what is in the way, with the lists that show it. */
function refuseTies(what: string, ties: readonly Tie[]): void {
  const links = ties.filter((t) => t.count > 0)
  if (links.length)
    throw new Refused(
      `${what}还有 ${links.map((t) => `${t.count} 个${t.title}`).join('、')}，不能删除`,
      409,
      200,
      { links },
    )
}

export async function addCompany(tx: Tx, call: Call, c: Company): Promise<{ id: string }> {
  groupOnly(call)
  const { tenant } = call.user
  await freeCompany(tx, tenant, c, null)
  const id = call.newId()
  await tx.run(
    'companies.add',
    `INSERT INTO companies (tenant_id, bc_id, bc_name, code, city, address, principal, phone, receives_orders,
         lng, lat, status, sort)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, coalesce(max(sort), 0) + 1
     FROM companies
     WHERE tenant_id = $1`,
    [
      tenant,
      id,
      c.bc_name,
      c.code,
      c.city,
      c.address,
      c.principal,
      c.phone,
      c.receivesOrders ?? true,
      c.lng ?? null,
      c.lat ?? null,
      c.status,
    ],
  )
  await call.log(tx, { action: '新增分公司', object: 'company', objectId: id, after: c })
  return { id }
}
/** A place is two numbers or none. */
function refuseHalfPlace({ lng, lat }: Pick<Company, 'lng' | 'lat'>): void {
  const isMissing = (n: number | null | undefined) => n === null || n === undefined
  if (isMissing(lng) !== isMissing(lat)) throw invalid(isMissing(lng) ? 'lng' : 'lat', '经度、纬度要一起填')
}
async function freeCompany(tx: Tx, tenant: string, c: Company, id: string | null): Promise<void> {
  refuseHalfPlace(c)
  const { rows } = await tx.query(
    'companies.same',
    row({ code: text }),
    `SELECT code
     FROM companies
     WHERE tenant_id = $1 AND (code = $2 OR bc_name = $3) AND ($4::uuid IS NULL OR bc_id <> $4)`,
    [tenant, c.code, c.bc_name, id],
  )
  if (rows.some((r) => r.code === c.code)) throw invalid('code', '已经有这个编号的分公司')
  if (rows.length) throw invalid('bc_name', '已经有同名的分公司')
}
const COMPANY = `bc_id AS id, bc_name, code, city, address, principal, phone, receives_orders AS "receivesOrders", lng, lat,
     status, version`
const lockCompany = async (tx: Tx, tenant: string, one: One) => {
  const branch = found(
    (
      await tx.query(
        'companies.lock',
        row({
          id: uuid,
          bc_name: text,
          code: text,
          city: text,
          address: text,
          principal: text,
          phone: text,
          receivesOrders: bool,
          lng: float8.null,
          lat: float8.null,
          status: int2.of(companyStatus),
          version: int4,
        }),
        `SELECT ${COMPANY} FROM companies WHERE tenant_id = $1 AND bc_id = $2 FOR UPDATE`,
        [tenant, one.id],
      )
    ).rows[0],
  )
  unlessSeen(branch, one.version, '个分公司')
  return branch
}

export async function editCompany(tx: Tx, call: Call, c: Company & One): Promise<void> {
  const { tenant } = call.user
  groupOnly(call)
  const before = await lockCompany(tx, tenant, c)
  await freeCompany(tx, tenant, c, c.id)
  await tx.run(
    'companies.edit',
    `UPDATE companies
     SET bc_name = $3, code = $4, city = $5, address = $6, principal = $7, phone = $8, receives_orders = $9,
       lng = $10, lat = $11, status = $12, version = version + 1
     WHERE tenant_id = $1 AND bc_id = $2`,
    [
      tenant,
      c.id,
      c.bc_name,
      c.code,
      c.city,
      c.address,
      c.principal,
      c.phone,
      c.receivesOrders ?? before.receivesOrders,
      c.lng ?? null,
      c.lat ?? null,
      c.status,
    ],
  )
  await call.log(tx, {
    action: c.status === DISABLED && before.status !== DISABLED ? '停用分公司' : '编辑分公司',
    object: 'company',
    objectId: c.id,
    ...changed(before, c),
  })
  if (c.status === DISABLED && before.status !== DISABLED)
    await closeScreens(tx, call, { bc: c.id }, `${before.bc_name}已经停用`)
  tellAccess(tx, call)
}

export async function deleteCompany(tx: Tx, call: Call, one: One): Promise<void> {
  const { tenant } = call.user
  groupOnly(call)
  const before = await lockCompany(tx, tenant, one)
  const { rows } = await tx.query(
    'companies.ties',
    row({
      users: int4,
      stores: int4,
      sites: int4,
      workers: int4,
      devices: int4,
      orders: int4,
      received: int4,
      notes: int4,
      changes: int4,
    }),
    `SELECT (SELECT count(*)::int FROM users WHERE tenant_id = $1 AND bc_id = $2) AS users, (SELECT count(*)::int FROM stores WHERE tenant_id = $1 AND bc_id = $2) AS stores, (SELECT count(*)::int FROM sites WHERE tenant_id = $1 AND bc_id = $2) AS sites,
      (SELECT count(*)::int FROM workers WHERE tenant_id = $1 AND bc_id = $2) AS workers, (SELECT count(*)::int FROM devices WHERE tenant_id = $1 AND bc_id = $2) AS devices,
      (SELECT count(*)::int FROM orders WHERE tenant_id = $1 AND bc_id = $2) AS orders,
      (SELECT count(*)::int FROM orders WHERE tenant_id = $1 AND receiver_id = $2) AS received,
      (SELECT count(*)::int FROM dispatches WHERE tenant_id = $1 AND (bc_id = $2 OR receiver_id = $2)) AS notes,
      (SELECT count(*)::int FROM goods_changes WHERE tenant_id = $1 AND (bc_id = $2 OR receiver_id = $2)) AS changes`,
    [tenant, one.id],
  )
  const n = rows[0]!
  refuseTies(before.bc_name, [
    { title: '门店', count: n.stores, link: linkTo('CompanyStore', { bc_id: one.id }) },
    { title: '用户（含已删除的）', count: n.users, link: linkTo('UserList', { bc_id: one.id }) },
    { title: '工地', count: n.sites, link: linkTo('SiteList', { bc_id: one.id }) },
    { title: '工人', count: n.workers, link: linkTo('WorkerList', { bc_id: one.id }) },
    { title: '设备', count: n.devices, link: linkTo('DeviceList', { bc_id: one.id }) },
    // Sites may have moved to another branch; their orders stay with the one that placed them.
    { title: '下的订单', count: n.orders, link: linkTo('OrderList', { bc_id: one.id }) },
    { title: '接的订单', count: n.received, link: linkTo('OrderList', { receiver_id: one.id }) },
    { title: '发货单', count: n.notes, link: linkTo('DispatchList', { bc_id: one.id }) },
    { title: '退换补单', count: n.changes, link: linkTo('ChangeGoods', { bc_id: one.id }) },
  ])
  await tx.run('companies.settings', 'DELETE FROM settings WHERE tenant_id = $1 AND bc_id = $2', [
    tenant,
    one.id,
  ])
  await tx.run('companies.helpers', 'DELETE FROM user_branches WHERE tenant_id = $1 AND bc_id = $2', [
    tenant,
    one.id,
  ])
  await tx.run('companies.del', 'DELETE FROM companies WHERE tenant_id = $1 AND bc_id = $2', [tenant, one.id])
  await call.log(tx, { action: '删除分公司', object: 'company', objectId: one.id, before })
}

async function freeStore(tx: Tx, tenant: string, s: Store, id: string | null): Promise<void> {
  refuseHalfPlace(s)
  const { rows } = await tx.query(
    'stores.same',
    there,
    'SELECT 1 FROM stores WHERE tenant_id = $1 AND bc_id = $2 AND name = $3 AND ($4::uuid IS NULL OR id <> $4)',
    [tenant, s.bc_id, s.name, id],
  )
  if (rows.length) throw invalid('name', '这个分公司已经有同名的门店')
}
const branchExists = async (tx: Tx, tenant: string, bc: string) =>
  void found(
    (
      await tx.query('stores.branch', there, 'SELECT 1 FROM companies WHERE tenant_id = $1 AND bc_id = $2', [
        tenant,
        bc,
      ])
    ).rows[0],
  )

export async function addStore(tx: Tx, call: Call, s: Store): Promise<{ id: string }> {
  const { tenant } = call.user
  ownBranch(call, s.bc_id)
  await branchExists(tx, tenant, s.bc_id)
  await freeStore(tx, tenant, s, null)
  const id = call.newId()
  await tx.run(
    'stores.add',
    `INSERT INTO stores (tenant_id, id, bc_id, name, address, principal, phone, lng, lat, status, receives_orders)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      tenant,
      id,
      s.bc_id,
      s.name,
      s.address,
      s.principal,
      s.phone,
      s.lng ?? null,
      s.lat ?? null,
      s.status,
      s.receivesOrders ?? false,
    ],
  )
  await call.log(tx, { action: '新增门店', object: 'store', objectId: id, after: s })
  return { id }
}
const lockStore = async (tx: Tx, call: Call, one: One) => {
  const store = found(
    (
      await tx.query(
        'stores.lock',
        row({
          id: uuid,
          bc_id: uuid,
          name: text,
          address: text,
          principal: text,
          phone: text,
          lng: float8.null,
          lat: float8.null,
          receivesOrders: bool,
          status: int2.of(companyStatus),
          version: int4,
        }),
        `SELECT id, bc_id, name, address, principal, phone, lng, lat, receives_orders AS "receivesOrders", status,
           version
         FROM stores
         WHERE tenant_id = $1 AND id = $2
         FOR UPDATE`,
        [call.user.tenant, one.id],
      )
    ).rows[0],
  )
  ownBranch(call, store.bc_id)
  unlessSeen(store, one.version, '个门店')
  return store
}

/** Orders that wait for the answer of who receives no more: named before, and told to who placed them. */
async function tellStopped(
  tx: Tx,
  call: Call,
  store: { id: string; name: string },
  confirmed: boolean,
): Promise<void> {
  const { id: actor, tenant } = call.user
  const { rows } = await tx.query(
    'stores.unanswered',
    row({ id: uuid, code: text, bc_id: uuid, site_id: uuid, made_by: uuid }),
    `SELECT o.id, o.code, o.bc_id, o.site_id, o.made_by
     FROM orders o
     WHERE o.tenant_id = $1 AND o.receiver_id = $2 AND o.receive_state = ${receiveState.code.waiting} AND o.ended = ''
     ORDER BY o.code`,
    [tenant, store.id],
  )
  if (rows.length === 0) return
  const codes = rows.slice(0, 3).map((o) => o.code)
  const named = `${codes.join('、')}${rows.length > 3 ? ' 等' : ''}`
  if (!confirmed)
    throw new Refused(
      `${store.name}还有 ${rows.length} 张订单没有答复（${named}）；仍要停用请确认，下单人会收到通知`,
      409,
      200,
      { needs: 'confirmed' },
    )
  for (const o of rows)
    await passTurn(tx, 'order', 'stopped', {
      tenant,
      actor,
      place: { bc_id: o.bc_id, site_id: o.site_id },
      named: { author: o.made_by },
      cause: { kind: 'order', id: o.id },
      link: linkTo('OrderDetail', { id: o.id }),
      title: `商家${store.name}已停用，订单 ${o.code} 还没有答复：请撤回后改给别的商家`,
    })
}

export async function editStore(
  tx: Tx,
  call: Call,
  { confirmed, ...s }: Store & One & { confirmed: boolean },
): Promise<void> {
  const { tenant } = call.user
  const before = await lockStore(tx, call, s)
  const isStopped = s.status === DISABLED && before.status !== DISABLED
  if (isStopped) await tellStopped(tx, call, before, confirmed)
  if (s.bc_id !== before.bc_id) throw invalid('bc_id', '门店不能换分公司，请在新分公司里新增')
  await freeStore(tx, tenant, s, s.id)
  await tx.run(
    'stores.edit',
    `UPDATE stores
     SET name = $3, address = $4, principal = $5, phone = $6, lng = $7, lat = $8, status = $9,
       receives_orders = $10, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [
      tenant,
      s.id,
      s.name,
      s.address,
      s.principal,
      s.phone,
      s.lng ?? null,
      s.lat ?? null,
      s.status,
      s.receivesOrders ?? before.receivesOrders,
    ],
  )
  await call.log(tx, { action: '编辑门店', object: 'store', objectId: s.id, ...changed(before, s) })
  if (isStopped) await closeScreens(tx, call, { store: s.id }, `${before.name}已经停用`)
  tellAccess(tx, call)
}

export async function deleteStore(tx: Tx, call: Call, one: One): Promise<void> {
  const { tenant } = call.user
  const before = await lockStore(tx, call, one)
  const { rows } = await tx.query(
    'stores.ties',
    row({ users: int4, sites: int4, orders: int4, screens: int4, arrangements: int4 }),
    `SELECT
       (SELECT count(*)::int FROM user_stores us JOIN users u ON u.tenant_id = us.tenant_id
         AND u.id = us.user_id AND u.deleted_at IS NULL WHERE us.tenant_id = $1 AND us.store_id = $2) AS users,
       (SELECT count(*)::int FROM sites WHERE tenant_id = $1 AND store_id = $2) AS sites,
       (SELECT count(*)::int FROM orders WHERE tenant_id = $1 AND receiver_id = $2) AS orders,
       (SELECT count(*)::int FROM screens s WHERE s.tenant_id = $1 AND s.store_id = $2
         AND s.revoked_at IS NULL) AS screens,
       (SELECT count(*)::int FROM arrangements a WHERE a.tenant_id = $1 AND a.store_id = $2) AS arrangements`,
    [tenant, one.id],
  )
  refuseTies(before.name, [
    { title: '用户', count: rows[0]!.users, link: linkTo('UserList', { bc_id: before.bc_id }) },
    { title: '工地', count: rows[0]!.sites, link: linkTo('SiteList', { store_id: one.id }) },
    { title: '接的订单', count: rows[0]!.orders, link: linkTo('OrderList', { receiver_id: one.id }) },
    {
      title: '屏幕',
      count: rows[0]!.screens,
      link: linkTo('BoardSetting', { view: 'screens', store_id: one.id }),
    },
    { title: '屏幕编排', count: rows[0]!.arrangements, link: linkTo('BoardSetting', { store_id: one.id }) },
  ])
  await tx.run('stores.left', 'DELETE FROM user_stores WHERE tenant_id = $1 AND store_id = $2', [
    tenant,
    one.id,
  ])
  await tx.run('stores.del', 'DELETE FROM stores WHERE tenant_id = $1 AND id = $2', [tenant, one.id])
  await call.log(tx, { action: '删除门店', object: 'store', objectId: one.id, before })
}
