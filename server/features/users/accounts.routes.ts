import { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import { accountColumns } from '@zhuguan/contract/features/users/accounts.columns.ts'
import { managersApi } from '@zhuguan/contract/features/users/managers.api.ts'
import { maskPhone } from '@zhuguan/contract/kit/masked.ts'

import { phoneText } from '../../kit/masked.ts'
import { reaching } from '../../kit/scoped.ts'
import { serve } from '../../kit/serve.ts'
import { contains, pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { accountPage, accountsPage } from './accounts.queries.ts'
import {
  accountDetail,
  addAccount,
  deleteAccount,
  editAccount,
  resetPassword,
  setState,
  signOut,
} from './accounts.service.ts'

const SITES = `(SELECT count(*)::int FROM sites w WHERE w.tenant_id = u.tenant_id
       AND (w.steward_id = u.id OR w.manager_id = u.id) AND w.deleted_at IS NULL AND w.status = 1)`

const MASKED = phoneText('u.phone', false)
export const accountsFeature = serve(accountsApi, {
  list: ({ query }, call) => call.read((tx) => accountsPage(tx, call.user, query)),
  details: ({ query }, call) =>
    call.read(async (tx) => {
      const account = await accountDetail(tx, call, query.id)
      // The whole number is for who edits it.
      return account.why ? { ...account, phone: maskPhone(account.phone) } : account
    }),
  add: ({ body }, call) => call.write((tx) => addAccount(tx, call, body)),
  edit: ({ body }, call) => call.write((tx) => editAccount(tx, call, body)),
  del: ({ body }, call) => call.write((tx) => deleteAccount(tx, call, body)),
  state: ({ body }, call) => call.write((tx) => setState(tx, call, body)),
  resetPassword: ({ body }, call) => call.write((tx) => resetPassword(tx, call, body)),
  endSessions: ({ body }, call) => call.write((tx) => signOut(tx, call, body.id, body.key)),
  export: ({ query }, call) => sendList(call, '用户', accountColumns, accountPage(call.user, query)),
})

/** Stewards and managers of the caller's branches; of single sites, those who are in charge of them. */
export const managersFeature = serve(managersApi, {
  list: ({ query }, call) =>
    call.read((tx) => {
      const { scope } = call.user
      const where = reaching(scope, 'u', {
        branch: (p) => `u.bc_id = ANY(${p}::uuid[])`,
        site: (p) =>
          `EXISTS (SELECT 1 FROM sites k WHERE k.tenant_id = u.tenant_id AND k.id = ANY(${p}::uuid[])
               AND (k.steward_id = u.id OR k.manager_id = u.id))`,
      })
        .plain('u.deleted_at IS NULL AND u.status = 1 AND u.post IS NOT NULL')
        .when(query.keyword || undefined, (p) => `u.nickname ILIKE ${p}`, contains)
        .when(query.bc_id, (p) => `u.bc_id = ANY(${p}::uuid[])`)
        .when(query.post, (p) => `u.post = ${p}::smallint`)
      return pageJson(tx, {
        name: 'managers.page',
        columns: `u.id, u.nickname, ${MASKED} AS phone, u.bc_id, coalesce(c.bc_name, '') AS bc_name, u.post,
             ${SITES} AS sites`,
        base: 'users u',
        joins: 'LEFT JOIN companies c ON c.tenant_id = u.tenant_id AND c.bc_id = u.bc_id',
        where,
        sort: query.sort,
        otherwise: 'u.post, u.nickname',
        tie: 'u.id',
        sortable: { nickname: 'u.nickname COLLATE "zh-x-icu"', sites: SITES },
        filled: ['nickname', 'sites'],
        pageNo: query.pageNo,
        pageSize: query.pageSize,
      })
    }),
})
