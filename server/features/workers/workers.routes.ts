import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { serve } from '../../kit/serve.ts'
import { matching, workerScope } from './workers.queries.ts'

const PICKED = 30

export const workersFeature = serve(workersApi, {
  pick: ({ query }, call) =>
    call.read(async (tx) => {
      const where = matching(workerScope(call.user.scope), query.keyword, false).when(query.id, (p) => `k.id = ${p}::uuid`)
      return (await tx.query<{ id: string; w_id: string; w_name: string }>('workers.pick', `SELECT k.id, k.w_id, k.w_name FROM workers k WHERE ${where.text} ORDER BY k.status, k.w_id LIMIT ${PICKED}`, where.values)).rows
    }),
})
