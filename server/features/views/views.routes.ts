import { viewsApi } from '@zhuguan/contract/features/views/views.api.ts'
import { serve } from '../../kit/serve.ts'
import { changeNamed, dropNamed, keepNamed, namedViews, readView, writeView } from './views.service.ts'

export const viewsFeature = serve(viewsApi, {
  get: ({ query }, call) => call.read((tx) => readView(tx, call.user, query.name)),
  save: ({ body }, call) => call.write(async (tx) => (await writeView(tx, call.user, body.name, body.value), null)),
  named: ({ query }, call) => call.read((tx) => namedViews(tx, call.user, query.page)),
  keep: ({ body }, call) => call.write(async (tx) => ({ id: await keepNamed(tx, call.user, call.newId(), body) })),
  change: ({ body }, call) => call.write(async (tx) => (await changeNamed(tx, call.user, body), null)),
  drop: ({ body }, call) => call.write(async (tx) => (await dropNamed(tx, call.user, body.id), null)),
})
