import { z } from 'zod'
import { defineApi } from '../../kit/api.ts'
import { keyword, optional, uuid } from '../../kit/paging.ts'

export const workersApi = defineApi({
  /** People a filter or a form can name, inside the caller's scope. */
  pick: {
    method: 'POST', path: '/osmcore/api/worker/pick', title: '选择工人', access: ['page:WorkerAttend'], query: z.object({ keyword, id: optional(uuid).meta({ title: '工人' }) }),
    data: z.array(z.object({ id: z.string(), w_id: z.string(), w_name: z.string() })),
  },
})
