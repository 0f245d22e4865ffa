import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'

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
  status: companyStatus.schema,
  version: z.number().int(),
})
export type StoreRow = z.output<typeof storeRow>
