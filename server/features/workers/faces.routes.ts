import { facesApi } from '@zhuguan/contract/features/workers/faces.api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { found } from '../../kit/refuse.ts'
import { type Feature, serve } from '../../kit/serve.ts'
import { answersOf } from '../consents/consents.reads.ts'
import type { FileStore } from '../files/files.service.ts'
import { finishRemoval, removalsIn } from './face-removals.service.ts'
import { answerFace, faceAsked, withdrawFace } from './faces.service.ts'
import { seesWorker } from './workers.reads.ts'

export function facesFeature(files: FileStore): Feature {
  return serve(facesApi, {
    consents: ({ query: { worker_id } }, call) =>
      call.read(async (tx) => {
        const { user } = call
        found(await seesWorker(tx, user.scope, worker_id))
        return answersOf(tx, user.tenant, faceAsked(worker_id), hasPermission(user, 'worker:face'))
      }),
    answer: ({ body }, call) => call.write((tx) => answerFace(tx, call, files, body)),
    removals: (_input, call) => call.read((tx) => removalsIn(tx, call.user.scope)),
    removed: ({ body }, call) => call.write((tx) => finishRemoval(tx, call, body)),
    withdraw: ({ body }, call) => call.write((tx) => withdrawFace(tx, call, files, body)),
  })
}
