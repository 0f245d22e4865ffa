import { z } from 'zod'

import { measure } from '../../kit/decimals.ts'
import { phone, typed, words } from '../../kit/fields.ts'
import { logged } from '../../kit/logged.ts'
import { uuid } from '../../kit/paging.ts'

export const customerPhone = phone('电话').min(1, { error: '电话不能为空' })
/** Who a quotation is for; signing makes an owner of them. */
export const customerFacts = z.object({
  bc_id: uuid.meta({ title: '分公司' }),
  /** Empty: of the branch itself. */
  store_id: uuid.nullable().default(null).meta({ title: '门店' }),
  name: typed()
    .min(1, { error: '客户姓名不能为空' })
    .max(20, { error: '客户姓名最多 20 个字' })
    .meta({ title: '客户' }),
  phone: customerPhone,
  community: words('小区', 40),
  address: words('地址', 100),
  area: measure('面积').nullable().default(null),
  consultant_id: uuid.nullable().default(null).meta({ title: '顾问' }),
})
export type CustomerFacts = z.output<typeof customerFacts>

export const customerRow = z.object({
  id: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  store_id: z.string().nullable(),
  storeName: z.string(),
  name: z.string(),
  phone: z.string(),
  community: z.string(),
  address: z.string(),
  area: z.string().nullable(),
  consultant_id: z.string().nullable(),
  consultantName: z.string(),
  version: z.number().int(),
})
export type CustomerRow = z.output<typeof customerRow>

/** What the log tells of a customer. */
export const customerLog = logged('客户', {
  name: '客户',
  phone: '电话',
  bc_id: ['分公司', 'company'],
  store_id: ['门店', 'store'],
  community: '小区',
  address: '地址',
  area: '面积',
  consultant_id: ['顾问', 'user'],
})
