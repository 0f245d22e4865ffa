import { sharesApi } from '@zhuguan/contract/features/shares/shares.api.ts'
import { shareColumns } from '@zhuguan/contract/features/shares/shares.columns.ts'

import { found } from '../../kit/refuse.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { openingsOf, shareOf, sharePage } from './shares.queries.ts'

/** Whether a link still shows something is no matter of whose branch that is: the statements say who reads which. */
const inGroup = (call: Call): Call => call.within(wholeGroup(call.user.tenant))

export const sharesFeature = serve(sharesApi, {
  list: ({ query }, call) => inGroup(call).read((tx) => pageJson(tx, sharePage(call.user.scope, query))),
  openings: ({ query }, call) =>
    inGroup(call).read(async (tx) => {
      const link = found(await shareOf(tx, call.user.scope, query.id))
      return { link, list: await openingsOf(tx, call.user.tenant, link.id) }
    }),
  export: ({ query }, call) =>
    sendList(inGroup(call), '分享管理', shareColumns, sharePage(call.user.scope, query)),
})
