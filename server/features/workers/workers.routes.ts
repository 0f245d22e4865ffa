import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { workerColumns } from '@zhuguan/contract/features/workers/workers.columns.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { found, invalid } from '../../kit/refuse.ts'
import { type Call, type Feature, serve } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { pageJson } from '../../kit/statement.ts'
import { countSearch } from '../customers/number-looks.service.ts'
import { sendList } from '../exports/exports.service.ts'
import type { FileStore } from '../files/files.service.ts'
import { forgetFace, keepFace } from './faces.service.ts'
import { pickWorkers, type Reader, workerDays, workerDetail, workerPage } from './workers.queries.ts'
import { seesWorker } from './workers.reads.ts'
import {
  addWorker,
  changeWorker,
  editWorker,
  readPhone,
  recallWorker,
  sendWorker,
} from './workers.service.ts'

const MAX_DAYS = 400
const reader = ({ user, now }: Call): Reader => ({
  scope: user.scope,
  phones: hasPermission(user, 'worker:phone'),
  today: shanghaiDay(now()),
})

/** A whole number in the search tells whose it is: it is counted before anybody looks. */
export function workersFeature({ files, secretKey }: { files: FileStore; secretKey: Buffer }): Feature {
  const search = (call: Call, words: string | undefined) => countSearch(call, secretKey, words, 'worker')
  return serve(workersApi, {
    list: async ({ query }, call) => {
      await search(call, query.keyword)
      return call.read((tx) => pageJson(tx, workerPage(reader(call), query)))
    },
    details: ({ query }, call) =>
      call.read(async (tx) => found(await workerDetail(tx, reader(call), query.id))),
    calendar: ({ query }, call) => {
      if (query.from > query.to) throw invalid('to', '结束日期不能早于开始日期')
      if (query.from < addDays(query.to, 1 - MAX_DAYS)) throw invalid('from', `一次最多查看 ${MAX_DAYS} 天`)
      return call.read(async (tx) => {
        found(await seesWorker(tx, call.user.scope, query.id))
        return workerDays(tx, call.user.scope, query)
      })
    },
    pick: ({ query }, call) => call.read((tx) => pickWorkers(tx, call.user.scope, query)),
    add: ({ body }, call) => call.write((tx) => addWorker(tx, call, body)),
    edit: ({ body }, call) => call.write((tx) => editWorker(tx, call, body)),
    state: ({ body }, call) => call.write((tx) => changeWorker(tx, call, files, body)),
    send: ({ body }, call) => call.write((tx) => sendWorker(tx, call, body)),
    recall: ({ body }, call) => call.write((tx) => recallWorker(tx, call, body)),
    face: ({ body }, call) => call.write((tx) => keepFace(tx, call, files, body)),
    forgetFace: ({ body }, call) => call.write((tx) => forgetFace(tx, call, files, body)),
    phone: ({ body }, call) => call.write((tx) => readPhone(tx, call, body)),
    export: async ({ query }, call) => {
      await search(call, query.keyword)
      return sendList(call, '工人', workerColumns, workerPage(reader(call), query))
    },
  })
}
