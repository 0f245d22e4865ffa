import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { typed } from '../../kit/fields.ts'
import { uuid } from '../../kit/paging.ts'
import { customerPhone } from '../customers/customer-phone.record.ts'
import { bearer } from '../links/links.record.ts'
import { sharePage } from './share-page.record.ts'
import { SEEN_EVERY_SECONDS, shareSection } from './shares.record.ts'

/** The calls behind a link that was sent to a customer. */
export const sharePageApi = defineApi({
  state: {
    method: 'POST',
    path: '/open/share/state',
    title: '客户：查看',
    access: 'public',
    body: z.object(bearer),
    data: sharePage,
  },
  /** Whether the page still may be shown, and how much of it was in sight since it last said so. */
  seen: {
    method: 'POST',
    path: '/open/share/seen',
    title: '客户：看了什么',
    access: 'public',
    body: z.object({
      ...bearer,
      seconds: z
        .number()
        .int()
        .min(0)
        .max(SEEN_EVERY_SECONDS + 5)
        .meta({ title: '秒数' }),
      looked: z.array(shareSection.schema).max(shareSection.values.length).meta({ title: '看了' }),
    }),
    data: nothing,
  },
  interest: {
    method: 'POST',
    path: '/open/share/interest',
    title: '客户：我要了解',
    access: 'public',
    body: z.object({
      ...bearer,
      act: uuid.meta({ title: '操作编号' }),
      name: typed()
        .min(1, { error: '请写怎么称呼您' })
        .max(20, { error: '称呼最多 20 个字' })
        .meta({ title: '称呼' }),
      phone: customerPhone,
      agreed: z.literal(true, { error: '请先勾选同意，我们才能联系您' }).meta({ title: '同意' }),
    }),
    data: nothing,
  },
})
