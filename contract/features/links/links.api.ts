import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { words } from '../../kit/fields.ts'
import { uuid } from '../../kit/paging.ts'
import { bearer, LINK_HOURS, LINK_POWERS, linkKind, linkRow } from './links.record.ts'

const access = [...new Set(Object.values(LINK_POWERS).flat())]
const target = {
  kind: linkKind.schema.meta({ title: '链接' }),
  target_id: uuid.meta({ title: '对象' }),
}
const MOST_HOURS = Math.max(...Object.values(LINK_HOURS).map(({ most }) => most))
export const linksApi = defineApi({
  /** The only time that the secret is told. */
  create: {
    method: 'POST',
    path: '/user/api/link/create',
    title: '新建链接',
    access,
    body: z.object({
      ...target,
      person: words('给谁', 20),
      /** Of a case: the customer that it is for. What is of a customer already needs none. */
      customer_id: uuid.nullable().default(null).meta({ title: '客户' }),
      hours: z
        .number()
        .int()
        .min(1, { error: '至少有效 1 小时' })
        .max(MOST_HOURS, { error: '有效时间太长' })
        .nullable()
        .default(null)
        .meta({ title: '有效小时' }),
      most: z.number().int().min(1).max(1_000).nullable().default(null).meta({ title: '打开次数上限' }),
      password: z
        .string()
        .regex(/^[0-9A-Za-z]{4,20}$/, { error: '密码应为 4-20 位字母或数字' })
        .nullable()
        .default(null)
        .meta({ title: '密码' }),
    }),
    data: z.object({ id: z.string(), token: z.string(), expiresAt: z.number().int() }),
  },
  list: {
    method: 'POST',
    path: '/user/api/link/list',
    title: '链接',
    access,
    query: z.object(target),
    data: z.array(linkRow),
  },
  /** The secret of a link for customers once more, for whoever may make it. */
  copy: {
    method: 'POST',
    path: '/user/api/link/copy',
    title: '复制链接',
    access,
    body: z.object({ id: uuid.meta({ title: '链接' }) }),
    data: z.object({ token: z.string(), expiresAt: z.number().int() }),
  },
  /** Another secret takes the place of the one before, which is dead from then on. */
  renew: {
    method: 'POST',
    path: '/user/api/link/renew',
    title: '换新链接',
    access,
    body: z.object({ id: uuid.meta({ title: '链接' }) }),
    data: z.object({ token: z.string(), expiresAt: z.number().int() }),
  },
  revoke: {
    method: 'POST',
    path: '/user/api/link/revoke',
    title: '收回链接',
    access,
    body: z.object({ id: uuid.meta({ title: '链接' }) }),
    data: nothing,
  },
  open: {
    method: 'POST',
    path: '/open/link/open',
    title: '打开链接',
    access: 'public',
    body: z.object({ ...bearer, password: z.string().max(40).default('') }),
    /** `pass` goes along with everything that is done through the link afterwards. */
    data: z.object({ kind: linkKind.schema, pass: z.string() }),
  },
  /** A picture of what the link shows, as bytes; its key alone opens nothing. */
  picture: {
    method: 'POST',
    path: '/open/link/picture',
    title: '链接里的照片',
    access: 'public',
    body: z.object({
      ...bearer,
      key: z.string().max(60).meta({ title: '照片' }),
      size: z.enum(['thumb', 'medium']).default('medium').meta({ title: '大小' }),
    }),
    data: nothing,
    raw: true,
  },
  /** The page is there: only this counts, since chat applications fetch links by themselves. */
  painted: {
    method: 'POST',
    path: '/open/link/painted',
    title: '链接已显示',
    access: 'public',
    body: z.object(bearer),
    data: nothing,
  },
})
