import { absencesApi } from '@zhuguan/contract/features/users/absences.api.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { absencesOf } from './absences.queries.ts'
import { comeBack, deputiesFor, editable, goAway } from './absences.service.ts'
import { oneAccount } from './accounts.queries.ts'

export const absencesFeature = serve(absencesApi, {
  mine: (_asked, call) => call.read((tx) => absencesOf(tx, call.user.tenant, call.user.id)),
  myDeputies: ({ query }, call) =>
    call.read((tx) => deputiesFor(tx, call.user.tenant, call.user.id, query.keyword)),
  away: ({ body }, call) => call.write((tx) => goAway(tx, call, call.user.id, body)),
  back: ({ body }, call) => call.write((tx) => comeBack(tx, call, body, 'own')),
  list: ({ query }, call) =>
    call.read(async (tx) => {
      const account = found(await oneAccount(tx, call.user, query.user_id, false))
      return absencesOf(tx, call.user.tenant, account.id)
    }),
  deputies: ({ query }, call) =>
    call.read(async (tx) => {
      const account = found(await oneAccount(tx, call.user, query.user_id, false))
      return deputiesFor(tx, call.user.tenant, account.id, query.keyword)
    }),
  set: ({ body }, call) =>
    call.write(async (tx) => goAway(tx, call, await editable(tx, call, body.user_id), body)),
  end: ({ body }, call) => call.write((tx) => comeBack(tx, call, body, 'others')),
})
