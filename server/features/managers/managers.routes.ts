import { managersApi } from '@zhuguan/contract/features/managers/managers.api.ts'
import { isToldOf, managerColumns } from '@zhuguan/contract/features/managers/managers.columns.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import { reachOf } from '../../kit/reach.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { managerPage } from './managers.queries.ts'

const reachOn = (call: Call, page: PageName) => reachOf(call.user, pageLabel(page))
const pageOf = (call: Call, query: QueryOf<(typeof managersApi)['list']>) =>
  managerPage(call.user.scope, query, {
    feedback: reachOn(call, 'FeedbackList'),
    patrols: reachOn(call, 'PatrolRecord'),
  })

export const managersFeature = serve(managersApi, {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, pageOf(call, query))),
  export({ query }, call) {
    const columns = Object.entries(managerColumns).filter(([name]) =>
      isToldOf(name, (page) => reachOn(call, page) !== undefined),
    )
    return sendList(call, '管理人员', Object.fromEntries(columns), pageOf(call, query))
  },
})
