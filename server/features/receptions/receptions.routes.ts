import { receptionsApi } from '@zhuguan/contract/features/receptions/receptions.api.ts'
import { receptionColumns } from '@zhuguan/contract/features/receptions/receptions.columns.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { siteInReach } from '../sites/sites.reads.ts'
import { changeHost } from './hosting.service.ts'
import { receptionPage } from './receptions.queries.ts'
import { addReception, besides, changeReception } from './receptions.service.ts'
import { callBack, ratesOf, scoreReception } from './scoring.service.ts'

export const receptionsFeature = serve(receptionsApi, {
  list: ({ query }, call) =>
    call.read(async (tx) => {
      found(await siteInReach(tx, call.user.scope, query.site_id))
      return pageJson(tx, receptionPage(call.user.scope, query))
    }),
  beside: ({ query }, call) => call.read((tx) => besides(tx, call, query)),
  add: ({ body }, call) => call.write((tx) => addReception(tx, call, body)),
  arrive: ({ body }, call) => call.write((tx) => changeReception(tx, call, 'arrive', body)),
  host: ({ body }, call) => call.write((tx) => changeHost(tx, call, body)),
  finish: ({ body }, call) => call.write((tx) => changeReception(tx, call, 'finish', body)),
  miss: ({ body }, call) => call.write((tx) => changeReception(tx, call, 'miss', body)),
  cancel: ({ body }, call) => call.write((tx) => changeReception(tx, call, 'cancel', body)),
  score: ({ body }, call) => call.write((tx) => scoreReception(tx, call, body)),
  callback: ({ body }, call) => call.write((tx) => callBack(tx, call, body)),
  rates: ({ query }, call) => call.read((tx) => ratesOf(tx, call, query.site_id)),
  async export({ query }, call) {
    found(await call.read((tx) => siteInReach(tx, call.user.scope, query.site_id)))
    return sendList(call, '业主到访', receptionColumns, receptionPage(call.user.scope, query))
  },
})
