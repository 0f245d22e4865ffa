import { staysApi } from '@zhuguan/contract/features/workers/stays.api.ts'
import { stayColumns } from '@zhuguan/contract/features/workers/stays.columns.ts'

import { found } from '../../kit/refuse.ts'
import { serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { stayPage, trackOf } from './stays.queries.ts'
import { seesWorker } from './workers.reads.ts'

export const staysFeature = serve(staysApi, {
  async list({ query }, call) {
    found(await call.read((tx) => seesWorker(tx, call.user.scope, query.worker_id)))
    return call.read((tx) => pageJson(tx, stayPage(call.user.scope, query)))
  },
  async export({ query }, call) {
    found(await call.read((tx) => seesWorker(tx, call.user.scope, query.worker_id)))
    await sendList(call, '项目经历', stayColumns, stayPage(call.user.scope, query))
  },
  track: ({ query }, call) =>
    call.read(async (tx) => {
      found(await seesWorker(tx, call.user.scope, query.worker_id))
      return trackOf(tx, call.user.scope, query)
    }),
})
