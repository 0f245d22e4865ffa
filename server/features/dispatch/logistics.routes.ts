import { logisticsApi } from '@zhuguan/contract/features/dispatch/logistics.api.ts'
import { logisticsColumns } from '@zhuguan/contract/features/dispatch/logistics.columns.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { legDetail, legPage } from './legs.queries.ts'
import { addNodeBy, signLegBy } from './legs.service.ts'

export const logisticsFeature = serve(logisticsApi, {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, legPage(call.user.scope, query))),
  export: ({ query }, call) => sendList(call, '物流', logisticsColumns, legPage(call.user.scope, query)),
  details: async ({ query }, call) =>
    found(await call.read((tx) => legDetail(tx, call.user.scope, query.id))),
  node: ({ body }, call) => addNodeBy(call, body),
  sign: ({ body }, call) => signLegBy(call, body),
})
