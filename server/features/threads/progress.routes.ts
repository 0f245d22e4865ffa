import { progressApi } from '@zhuguan/contract/features/threads/progress.api.ts'

import { type Feature, serve } from '../../kit/serve.ts'
import type { FileStore } from '../files/files.service.ts'
import { homesToday } from './progress.queries.ts'
import { proposalOf, sendProgress } from './progress.service.ts'

export const progressFeature = (files: FileStore): Feature =>
  serve(progressApi, {
    homes: (_, call) => call.read((tx) => homesToday(tx, call.user.scope, call.user.id)),
    proposal: ({ query }, call) =>
      call.read((tx) => proposalOf(tx, call.user.scope, query.site_id, call.now())),
    send: ({ body }, call) => call.write((tx) => sendProgress(tx, call, files, body)),
  })
