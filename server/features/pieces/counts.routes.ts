import { countsApi } from '@zhuguan/contract/features/pieces/counts.api.ts'

import { serve } from '../../kit/serve.ts'
import { boardOf, branchHistory, countByBranch, countByManager, managerHistory } from './counts.queries.ts'

export const countsFeature = serve(countsApi, {
  dcountbc: async ({ query }, call) => ({
    list: await call.read((tx) => countByBranch(tx, call.user.scope, query)),
  }),
  dcountwboss: async ({ query }, call) => ({
    list: await call.read((tx) => countByManager(tx, call.user.scope, query)),
  }),
  dcountbchistory: async ({ query }, call) => ({
    list: await call.read((tx) => branchHistory(tx, call.user.scope, query)),
  }),
  dcountwbosshistory: async ({ query }, call) => ({
    list: await call.read((tx) => managerHistory(tx, call.user.scope, query)),
  }),
  board: ({ query }, call) => call.read((tx) => boardOf(tx, call.user.scope, query)),
})
