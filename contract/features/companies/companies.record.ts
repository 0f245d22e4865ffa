import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'

export const companyStatus = defineCodes('companyStatus', '状态', {
  active: [1, '启用'],
  disabled: [2, '停用'],
})
export const companyRow = z.object({
  id: z.string(),
  code: z.string(),
  bc_name: z.string(),
  city: z.string(),
  address: z.string(),
  principal: z.string(),
  phone: z.string(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  stores: z.number().int(),
  sites: z.number().int(),
  users: z.number().int(),
  receivesOrders: z.boolean(),
  /** Orders that it receives itself: not answered, and taken on. */
  ordersWaiting: z.number().int(),
  ordersTaken: z.number().int(),
  status: companyStatus.schema,
  sort: z.number().int(),
  version: z.number().int(),
})
export type CompanyRow = z.output<typeof companyRow>
export const storeRow = z.object({
  id: z.string(),
  name: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  address: z.string(),
  principal: z.string(),
  phone: z.string(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  users: z.number().int(),
  receivesOrders: z.boolean(),
  status: companyStatus.schema,
  version: z.number().int(),
})
export type StoreRow = z.output<typeof storeRow>

const placeLog = {
  address: '地址',
  principal: ['负责人', 'personal'],
  phone: ['电话', 'personal'],
  lng: '经度',
  lat: '纬度',
  status: ['状态', companyStatus],
} as const
/** The log\'s names for the fields of a branch. */
export const companyLog = logged('分公司', {
  bc_name: '名称',
  code: '编号',
  city: '城市',
  receivesOrders: '接单',
  ...placeLog,
})
/** The log\'s names for the fields of a store. */
export const storeLog = logged('门店', {
  name: '门店',
  bc_id: ['分公司', 'company'],
  receivesOrders: '接单',
  ...placeLog,
})
