import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { uuid } from '../../kit/paging.ts'

export const notificationsApi = defineApi({
  list: {
    method: 'POST',
    path: '/user/api/notification/list',
    title: '通知',
    access: 'signedIn',
    data: z.object({
      unread: z.number().int(),
      list: z.array(
        z.object({
          id: z.string(),
          title: z.string(),
          link: z.string(),
          at: z.number().int(),
          /** How often it was told while it was unread. */
          times: z.number().int(),
          read: z.boolean(),
        }),
      ),
    }),
  },
  /** Without ids: all of them. */
  read: {
    method: 'POST',
    path: '/user/api/notification/read',
    title: '标记已读',
    access: 'signedIn',
    body: z.object({ ids: z.array(uuid).max(200).optional() }),
    data: nothing,
  },
})
