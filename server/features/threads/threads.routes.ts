import { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'
import { threadColumns } from '@zhuguan/contract/features/threads/threads.columns.ts'

import { found } from '../../kit/refuse.ts'
import { type Feature, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import type { FileStore } from '../files/files.service.ts'
import { printThread } from './thread-paper.service.ts'
import { homeOf, threadPage } from './threads.queries.ts'
import { become, hear, saveTemplates, say, silence, takeBack, threadDetails } from './threads.service.ts'
import { writers } from './writers.ts'

export function threadsFeature(files: FileStore): Feature {
  const writing = writers()
  return serve(threadsApi, {
    list: ({ query }, call) =>
      call.read(async (tx) => {
        found(await homeOf(tx, call.user.scope, query.site_id, false))
        return pageJson(tx, threadPage(call.user.scope, query))
      }),
    details: ({ query }, call) => call.read((tx) => threadDetails(tx, call.user.scope, query.site_id)),
    say: ({ body }, call) => call.write((tx) => say(tx, call, body)),
    hear: ({ body }, call) => call.write((tx) => hear(tx, call, body)),
    takeBack: ({ body }, call) => call.write((tx) => takeBack(tx, call, files, body.id)),
    silence: ({ body }, call) => call.write((tx) => silence(tx, call, body)),
    become: ({ body }, call) => call.write((tx) => become(tx, call, body)),
    async writing({ body }, call) {
      const { id, nickname: name, scope } = call.user
      const home = found(await call.read((tx) => homeOf(tx, scope, body.site_id, false)))
      return writing.note(home.id, { id, name }, call.now())
    },
    saveTemplates: ({ body }, call) => call.write((tx) => saveTemplates(tx, call, body)),
    print: ({ query }, call) => printThread(call, files, query),
    async export({ query }, call) {
      found(await call.read((tx) => homeOf(tx, call.user.scope, query.site_id, false)))
      return sendList(call, '业主互动', threadColumns, threadPage(call.user.scope, query))
    },
  })
}
