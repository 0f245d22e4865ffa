import { companiesApi, storesApi } from '@zhuguan/contract/features/companies/companies.api.ts'
import { receiveState } from '@zhuguan/contract/features/orders/orders.record.ts'

import { scopedBranches } from '../../kit/scoped.ts'
import { serve, type SessionUser } from '../../kit/serve.ts'
import { contains, pageJson, Where } from '../../kit/statement.ts'
import {
  addCompany,
  addStore,
  deleteCompany,
  deleteStore,
  editCompany,
  editStore,
} from './companies.service.ts'

const STORES = `(SELECT count(*)::int FROM stores t WHERE t.tenant_id = c.tenant_id AND t.bc_id = c.bc_id)`
const SITES = `(SELECT count(*)::int FROM sites w WHERE w.tenant_id = c.tenant_id AND w.bc_id = c.bc_id
       AND w.deleted_at IS NULL)`
const USERS = `(SELECT count(*)::int FROM users u WHERE u.tenant_id = c.tenant_id AND u.bc_id = c.bc_id
       AND u.deleted_at IS NULL)`
/** What it was asked as a company that receives orders, and has not answered or has taken on. */
const asked = (state: number) =>
  `(SELECT count(*)::int FROM orders o WHERE o.tenant_id = c.tenant_id AND o.receiver_id = c.bc_id
       AND o.receive_state = ${state})`
const STORE_USERS = `(SELECT count(*)::int FROM user_stores us JOIN users u ON u.tenant_id = us.tenant_id AND u.id = us.user_id
       AND u.deleted_at IS NULL WHERE us.tenant_id = t.tenant_id AND us.store_id = t.id)`

/** Branches of the caller; of single sites, those the sites belong to. */
const within = ({ scope }: SessionUser, alias: string): Where => scopedBranches(scope, alias)

export const companiesFeature = serve(companiesApi, {
  list: ({ query }, call) =>
    call.read((tx) =>
      pageJson(tx, {
        name: 'companies.page',
        base: 'companies c',
        joins: '',
        pageNo: query.pageNo,
        pageSize: query.pageSize,
        sort: query.sort,
        otherwise: 'c.sort, c.bc_name',
        tie: 'c.bc_id',
        filled: ['code', 'bc_name', 'city', 'sites', 'stores', 'sort'],
        columns: `c.bc_id AS id, c.code, c.bc_name, c.city, c.address, c.principal, c.phone, c.lng, c.lat,
             ${STORES} AS stores, ${SITES} AS sites, ${USERS} AS users, c.receives_orders AS "receivesOrders",
             ${asked(receiveState.code.waiting)} AS "ordersWaiting",
             ${asked(receiveState.code.accepted)} AS "ordersTaken",
             c.status, c.sort, c.version`,
        sortable: {
          code: 'c.code',
          bc_name: 'c.bc_name COLLATE "zh-x-icu"',
          city: 'c.city',
          sites: SITES,
          stores: STORES,
          sort: 'c.sort',
        },
        where: within(call.user, 'c')
          .when(
            query.keyword || undefined,
            (p) => `(c.bc_name ILIKE ${p} OR c.code ILIKE ${p} OR c.principal ILIKE ${p})`,
            contains,
          )
          .when(query.city || undefined, (p) => `c.city ILIKE ${p}`, contains)
          .when(query.status, (p) => `c.status = ${p}::smallint`),
      }),
    ),
  add: ({ body }, call) => call.write((tx) => addCompany(tx, call, body)),
  edit: ({ body }, call) => call.write((tx) => editCompany(tx, call, body)),
  del: ({ body }, call) => call.write((tx) => deleteCompany(tx, call, body)),
})

export const storesFeature = serve(storesApi, {
  list: ({ query }, call) =>
    call.read((tx) =>
      pageJson(tx, {
        name: 'stores.page',
        base: 'stores t',
        joins: 'JOIN companies c ON c.tenant_id = t.tenant_id AND c.bc_id = t.bc_id',
        pageNo: query.pageNo,
        pageSize: query.pageSize,
        sort: query.sort,
        otherwise: 't.bc_id, t.name',
        tie: 't.id',
        filled: ['name', 'users'],
        columns: `t.id, t.name, t.bc_id, c.bc_name, t.address, t.principal, t.phone, t.lng, t.lat,
             ${STORE_USERS} AS users, t.receives_orders AS "receivesOrders", t.status, t.version`,
        sortable: { name: 't.name COLLATE "zh-x-icu"', users: STORE_USERS },
        where: within(call.user, 't')
          .when(
            query.keyword || undefined,
            (p) => `(t.name ILIKE ${p} OR t.address ILIKE ${p} OR t.principal ILIKE ${p})`,
            contains,
          )
          .when(query.bc_id, (p) => `t.bc_id = ANY(${p}::uuid[])`)
          .when(query.status, (p) => `t.status = ${p}::smallint`),
      }),
    ),
  add: ({ body }, call) => call.write((tx) => addStore(tx, call, body)),
  edit: ({ body }, call) => call.write((tx) => editStore(tx, call, body)),
  // Orders that it receives may be of branches that are not the caller's.
  del: ({ body }, call) => {
    const { scope } = call.user
    return call
      .within({ ...scope, receivers: [...(scope.receivers ?? []), body.id] })
      .write((tx) => deleteStore(tx, call, body))
  },
})
