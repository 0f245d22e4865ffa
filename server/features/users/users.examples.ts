import { absencesApi } from '@zhuguan/contract/features/users/absences.api.ts'
import { accountsApi } from '@zhuguan/contract/features/users/accounts.api.ts'
import { usersApi } from '@zhuguan/contract/features/users/users.api.ts'

import { examplesOf } from '../../testing/example.ts'

export const usersExamples = examplesOf(usersApi, (r) => ({
  pick: { query: { id: r.person, site_id: r.site, bc_id: r.bc_id } },
}))
export const accountsExamples = examplesOf(accountsApi, (r) => {
  const one = { id: r.person, version: 0 }
  const account = {
    userName: 'stranger',
    nickname: '外人',
    bc_id: r.bc_id,
    branches: [r.bc_id],
    stores: [r.store],
    roles: [r.role],
  }
  const handing = { successors: [{ kind: 'corrections' as const, user_id: r.person }], confirmed: true }
  const filters = { bc_id: [r.bc_id], role_id: [r.role] }
  return {
    list: { query: filters },
    export: { query: filters },
    details: { query: { id: r.person } },
    add: { body: account, answers: { stores: 400 } },
    edit: { body: { ...one, ...account, ...handing }, answers: { stores: 400 } },
    del: { body: { ...one, reason: '试试', ...handing } },
    state: { body: { ...one, status: 2, ...handing } },
    leaving: { query: { id: r.person } },
    resetPassword: { body: one },
    endSessions: { body: { id: r.person, key: r.session }, answers: { key: 200 } },
  }
})
export const absencesExamples = examplesOf(absencesApi, (r) => {
  const when = { from: '2099-01-01', to: '2099-01-02', deputy_id: r.person }
  const one = { id: r.absence, version: 0 }
  return {
    away: { body: when },
    back: { body: one },
    list: { query: { user_id: r.person } },
    deputies: { query: { user_id: r.person } },
    set: { body: { ...when, user_id: r.person } },
    end: { body: one },
  }
})
