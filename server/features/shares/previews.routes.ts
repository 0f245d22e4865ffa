import { previewsApi } from '@zhuguan/contract/features/shares/previews.api.ts'

import { found } from '../../kit/refuse.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { choicesOf } from './preview-choices.service.ts'
import { previewOf, previewsOf } from './previews.queries.ts'
import { addPreview, customerFor, endPreview, previewDetail, savePreview } from './previews.service.ts'
import { pageOfPreview } from './share-page.service.ts'

/** As its customer would see it now; prices too, since a link with prices has a password. */
async function shown(call: Call, id: string) {
  const v = found(await call.read((tx) => previewOf(tx, call.user.scope, id)))
  return call.within(wholeGroup(call.user.tenant)).read((tx) => pageOfPreview(tx, call.user.tenant, v))
}

export const previewsFeature = serve(previewsApi, {
  list: ({ query }, call) => call.read((tx) => previewsOf(tx, call.user.scope, query.customer_id)),
  details: ({ query }, call) => previewDetail(call, query.id),
  choices: async ({ query }, call) => choicesOf(call, await customerFor(call, query.customer_id), query),
  shown: ({ query }, call) => shown(call, query.id),
  add: ({ body }, call) => addPreview(call, body),
  async save({ body }, call) {
    await savePreview(call, body)
    return null
  },
  async end({ body }, call) {
    await call.write((tx) => endPreview(tx, call, body))
    return null
  },
})
