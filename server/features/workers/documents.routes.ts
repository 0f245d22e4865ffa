import { documentsApi } from '@zhuguan/contract/features/workers/documents.api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { found } from '../../kit/refuse.ts'
import { type Feature, serve } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import type { FileStore } from '../files/files.service.ts'
import { documentsOf } from './documents.queries.ts'
import { addDocument, deleteDocument, editDocument, readNumber } from './documents.service.ts'
import { seesWorker } from './workers.reads.ts'

export function documentsFeature(files: FileStore): Feature {
  return serve(documentsApi, {
    list: ({ query: { worker_id } }, call) =>
      call.read(async (tx) => {
        found(await seesWorker(tx, call.user.scope, worker_id))
        return documentsOf(tx, call.user.scope, {
          worker_id,
          today: shanghaiDay(call.now()),
          pictures: hasPermission(call.user, 'worker:document'),
        })
      }),
    add: ({ body }, call) => call.write((tx) => addDocument(tx, call, body)),
    edit: ({ body }, call) => call.write((tx) => editDocument(tx, call, files, body)),
    del: ({ body }, call) => call.write((tx) => deleteDocument(tx, call, files, body)),
    number: ({ body }, call) => call.write((tx) => readNumber(tx, call, body)),
  })
}
