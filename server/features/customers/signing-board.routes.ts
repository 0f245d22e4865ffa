import { signingBoardApi } from '@zhuguan/contract/features/customers/signing-board.api.ts'

import { serve } from '../../kit/serve.ts'
import { targetsOf } from './signing-board.queries.ts'
import { readBoard, setTarget } from './signing-board.service.ts'

export const signingBoardFeature = serve(signingBoardApi, {
  read: ({ query }, call) => call.read((tx) => readBoard(tx, call, query)),
  targets: ({ query }, call) => call.read((tx) => targetsOf(tx, call.user.scope, query)),
  setTarget: ({ body }, call) => call.write((tx) => setTarget(tx, call, body)),
})
