import { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import { accountColumns } from '@zhuguan/contract/features/users/accounts.columns.ts'
import { maskPhone } from '@zhuguan/contract/kit/masked.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { sendList } from '../exports/exports.service.ts'
import { accountPage, accountsPage, oneAccount } from './accounts.queries.ts'
import {
  accountDetail,
  addAccount,
  deleteAccount,
  editAccount,
  resetPassword,
  setState,
  signOut,
} from './accounts.service.ts'
import { leavingOf, type WorkDeps } from './open-work.service.ts'

export const accountsFeature = (deps: WorkDeps) =>
  serve(accountsApi, {
    list: ({ query }, call) => call.read((tx) => accountsPage(tx, call.user, query)),
    details: ({ query }, call) =>
      call.read(async (tx) => {
        const account = await accountDetail(tx, call, query.id)
        // The whole number is for who edits it.
        return account.why ? { ...account, phone: maskPhone(account.phone) } : account
      }),
    add: ({ body }, call) => call.write((tx) => addAccount(tx, call, body)),
    edit: ({ body }, call) => call.write((tx) => editAccount(tx, call, deps, body)),
    del: ({ body }, call) => call.write((tx) => deleteAccount(tx, call, deps, body)),
    state: ({ body }, call) => call.write((tx) => setState(tx, call, deps, body)),
    leaving: ({ query }, call) =>
      call.read(async (tx) =>
        leavingOf(tx, call, deps, found(await oneAccount(tx, call.user, query.id, false))),
      ),
    resetPassword: ({ body }, call) => call.write((tx) => resetPassword(tx, call, body)),
    endSessions: ({ body }, call) => call.write((tx) => signOut(tx, call, body.id, body.key)),
    export: ({ query }, call) => sendList(call, '用户', accountColumns, accountPage(call.user, query)),
  })
