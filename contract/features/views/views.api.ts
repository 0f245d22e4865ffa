import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { uuid } from '../../kit/paging.ts'

const key = z.string().regex(/^[A-Za-z0-9:._-]{1,60}$/, { error: '视图名不正确' })
const page = z
  .string()
  .regex(/^\/[A-Za-z/]{1,60}$/, { error: '页面地址不正确' })
  .meta({ title: '页面' })
const title = z
  .string()
  .trim()
  .min(1, { error: '请写一个名字' })
  .max(20, { error: '名字最多 20 个字' })
  .meta({ title: '名字' })
/** Filters, sort and columns as they stand in the address of the page. */
const search = z
  .string()
  .regex(/^(\?.*)?$/, { error: '地址不正确' })
  .max(1500, { error: '条件太多，存不下' })
  .meta({ title: '条件' })
export const namedView = z.object({ id: z.string(), title: z.string(), search: z.string() })
export type NamedView = z.output<typeof namedView>

/**
 * Values that a user keeps for themselves: small JSON by name (columns, recent pages, cards), and addresses of
 * lists.
 */
export const viewsApi = defineApi({
  /** All of it at once: pages read theirs from what came with the first. */
  all: {
    method: 'POST',
    path: '/user/api/view/all',
    title: '个人视图',
    access: 'signedIn',
    data: z.record(z.string(), z.record(z.string(), z.unknown())),
  },
  save: {
    method: 'POST',
    path: '/user/api/view/save',
    title: '保存个人视图',
    access: 'signedIn',
    body: z.object({
      name: key,
      value: z
        .record(z.string(), z.unknown())
        .refine((v) => JSON.stringify(v).length <= 8000, { error: '内容太大' }),
    }),
    data: nothing,
  },
  named: {
    method: 'POST',
    path: '/user/api/view/named',
    title: '保存的视图',
    access: 'signedIn',
    query: z.object({ page }),
    data: z.array(namedView),
  },
  keep: {
    method: 'POST',
    path: '/user/api/view/keep',
    title: '保存视图',
    access: 'signedIn',
    body: z.object({ page, title, search }),
    data: z.object({ id: z.string() }),
  },
  /** A new name, a new address, or both. */
  change: {
    method: 'POST',
    path: '/user/api/view/change',
    title: '修改视图',
    access: 'signedIn',
    body: z.object({ id: uuid, title: title.optional(), search: search.optional() }),
    data: nothing,
  },
  drop: {
    method: 'POST',
    path: '/user/api/view/drop',
    title: '删除视图',
    access: 'signedIn',
    body: z.object({ id: uuid }),
    data: nothing,
  },
})
