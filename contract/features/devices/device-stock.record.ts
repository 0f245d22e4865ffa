import { z } from 'zod'

import { deviceType } from './devices.record.ts'

/** Devices of one model in one branch, by where they are. */
export const stockRow = z.object({
  id: z.string(),
  model: z.string(),
  type: deviceType.schema,
  bc_id: z.string().nullable(),
  bc_name: z.string(),
  inStock: z.number().int(),
  spare: z.number().int(),
  bound: z.number().int(),
  faulty: z.number().int(),
  total: z.number().int(),
})
export type StockRow = z.output<typeof stockRow>
/** One line of a device's history: stocked, distributed, bound, taken back. */
export const bindLogRow = z.object({
  id: z.string(),
  device_id: z.string(),
  sn: z.string(),
  type: deviceType.schema,
  action: z.string(),
  site_id: z.string().nullable(),
  siteName: z.string(),
  actor: z.string(),
  at: z.number().int(),
  remark: z.string(),
})
/** Names of the history's lines, in the order of a device's life. */
export const BIND_ACTIONS = [
  '入库',
  '分配',
  '调拨',
  '启用',
  '绑定',
  '解绑',
  '报修',
  '修复',
  '回收入库',
  '换密钥',
  '报废',
] as const
export const serialNumber = z
  .string()
  .trim()
  .regex(/^[\w.:-]{1,64}$/, { error: '序列号只能用字母、数字和 . : - _，最多 64 位' })
/** The number of a new device: numbers of dots alone lead nowhere. */
export const newSerialNumber = serialNumber.regex(/^[a-z\d]|[^a-z\d.:_-]/i, {
  error: '序列号应以字母或数字开头',
})
export const MAX_STOCK = 500
