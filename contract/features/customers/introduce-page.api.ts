import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { typed } from '../../kit/fields.ts'
import { uuid } from '../../kit/paging.ts'
import { bearer } from '../links/links.record.ts'
import { customerPhone } from './customer-phone.record.ts'

/** The words that a friend of an owner agrees to; whoever changes them gives them a new version. */
export const INTRODUCE_NOTICE = {
  version: '2026-11',
  words:
    '我（朋友本人）同意装修顾问打这个电话联系我；姓名和电话只用于装修咨询，不愿再联系时告诉我们即可停止。',
} as const

/** A friend leaves a name and a number on an owner's page. */
export const introducePageApi = defineApi({
  /** Whether the number was known before is for nobody outside to learn: there is no answer but that it came. */
  introduce: {
    method: 'POST',
    path: '/open/home/introduce',
    title: '业主：介绍朋友',
    access: 'public',
    body: z.object({
      ...bearer,
      act: uuid.meta({ title: '操作编号' }),
      name: typed()
        .min(1, { error: '请写怎么称呼朋友' })
        .max(20, { error: '称呼最多 20 个字' })
        .meta({ title: '称呼' }),
      phone: customerPhone,
      agreed: z.literal(true, { error: '请朋友先勾选同意，我们才能联系' }).meta({ title: '同意' }),
    }),
    data: nothing,
  },
})
