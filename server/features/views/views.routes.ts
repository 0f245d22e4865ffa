import { viewsApi } from '@zhuguan/contract/features/views/views.api.ts'

import { serve } from '../../kit/serve.ts'
import { allViews, changeNamed, dropNamed, keepNamed, namedViews, writeView } from './views.service.ts'

export const viewsFeature = serve(viewsApi, {
  all: (_input, call) => call.read((tx) => allViews(tx, call.user)),
  save: ({ body }, call) => call.write((tx) => writeView(tx, call.user, body.name, body.value)),
  named: ({ query }, call) => call.read((tx) => namedViews(tx, call.user, query.page)),
  keep: ({ body }, call) =>
    call.write(async (tx) => ({ id: await keepNamed(tx, call.user, call.newId(), body) })),
  change: ({ body }, call) => call.write((tx) => changeNamed(tx, call.user, body)),
  drop: ({ body }, call) => call.write((tx) => dropNamed(tx, call.user, body.id)),
})
