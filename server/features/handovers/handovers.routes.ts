import { handoversApi } from '@zhuguan/contract/features/handovers/handovers.api.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { siteInReach } from '../sites/sites.reads.ts'
import { sheetOfSite } from './handovers.queries.ts'
import {
  answerSteward,
  askConsultant,
  confirmSheet,
  promiseEarly,
  readBrief,
  withdrawEarly,
  writeBrief,
} from './handovers.service.ts'

export const handoversFeature = serve(handoversApi, {
  brief: ({ query }, call) => call.read((tx) => readBrief(tx, call, query.customer_id)),
  write: ({ body }, call) => call.write((tx) => writeBrief(tx, call, body)),
  promise: ({ body }, call) => call.write((tx) => promiseEarly(tx, call, body)),
  withdraw: ({ body }, call) => call.write((tx) => withdrawEarly(tx, call, body)),
  ofSite: ({ query }, call) =>
    call.read(async (tx) => {
      found(await siteInReach(tx, call.user.scope, query.site_id))
      return { sheet: (await sheetOfSite(tx, call.user.scope, query.site_id)) ?? null }
    }),
  confirm: ({ body }, call) => call.write((tx) => confirmSheet(tx, call, body)),
  ask: ({ body }, call) => call.write((tx) => askConsultant(tx, call, body)),
  answer: ({ body }, call) => call.write((tx) => answerSteward(tx, call, body)),
})
