import { boardsApi } from '@zhuguan/contract/features/boards/boards.api.ts'

import { serve } from '../../kit/serve.ts'
import { totalOf } from './board-total.service.ts'

export const boardsFeature = serve(boardsApi, {
  total: ({ query }, call) => call.read((tx) => totalOf(tx, call, query)),
})
