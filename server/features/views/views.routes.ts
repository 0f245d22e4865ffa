import { viewsApi } from '@zhuguan/contract/features/views/views.api.ts'
import { serve } from '../../kit/serve.ts'
import { readView, writeView } from './views.service.ts'

export const viewsFeature = serve(viewsApi, {
  get: ({ query }, call) => call.read((tx) => readView(tx, call.user, query.name)),
  save: ({ body }, call) =>
    call.write(async (tx) => {
      await writeView(tx, call.user, body.name, body.value)
      return null
    }),
})
