import { z } from 'zod'
import { defineApi, nothing } from '../../kit/api.ts'

/** What a user keeps for themselves: columns of a list, recent pages, settings. Small JSON by name. */
export const viewsApi = defineApi({
  get: { method: 'POST', path: '/user/api/view/get', title: '个人视图', access: 'signedIn', query: z.object({ name: z.string().regex(/^[A-Za-z0-9:._-]{1,60}$/, { error: '视图名不正确' }) }), data: z.record(z.string(), z.unknown()).nullable() },
  save: {
    method: 'POST', path: '/user/api/view/save', title: '保存个人视图', access: 'signedIn',
    body: z.object({ name: z.string().regex(/^[A-Za-z0-9:._-]{1,60}$/, { error: '视图名不正确' }), value: z.record(z.string(), z.unknown()).refine((v) => JSON.stringify(v).length <= 8000, { error: '内容太大' }) }), data: nothing,
  },
})
