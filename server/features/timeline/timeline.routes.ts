import { timelineApi } from '@zhuguan/contract/features/timeline/timeline.api.ts'

import { serve } from '../../kit/serve.ts'
import { timelineOf } from './timeline.queries.ts'

export const timelineFeature = serve(timelineApi, {
  list: ({ query }, call) => call.read((tx) => timelineOf(tx, call.user.scope, query, call.now())),
})
