import { trustsApi } from '@zhuguan/contract/features/trusts/trusts.api.ts'
import { labelColumns, trustColumns } from '@zhuguan/contract/features/trusts/trusts.columns.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { labelPage, trustDetails, trustPage } from './trusts.queries.ts'
import { pinPair } from './trusts.service.ts'

export const trustsFeature = serve(trustsApi, {
  list: ({ query }, call) => call.read((tx) => pageJson(tx, trustPage(call.user.scope, query))),
  details: ({ query }, call) =>
    call.read(async (tx) => found(await trustDetails(tx, call.user.scope, query.id))),
  pinNotify: ({ body }, call) => call.write((tx) => pinPair(tx, call, 'pinNotify', body)),
  pinReview: ({ body }, call) => call.write((tx) => pinPair(tx, call, 'pinReview', body)),
  unpin: ({ body }, call) => call.write((tx) => pinPair(tx, call, 'unpin', body)),
  export: ({ query }, call) => sendList(call, 'AI 信任账', trustColumns, trustPage(call.user.scope, query)),
  labels: ({ query }, call) => call.read((tx) => pageJson(tx, labelPage(call.user.scope, query))),
  exportLabels: ({ query }, call) =>
    sendList(call, '训练标签', labelColumns, labelPage(call.user.scope, query)),
})
