import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { subsystem } from '../session/session.record.ts'

export const logOutcome = defineCodes('logOutcome', '结果', {
  done: ['done', '成功'],
  refused: ['refused', '被拒绝'],
})
/** Kinds of things that lines are about; anything else is an address that was refused. */
export const logObject = defineCodes('logObject', '对象', {
  user: ['user', '用户'],
  role: ['role', '角色'],
  page: ['page', '页面'],
  company: ['company', '分公司'],
  store: ['store', '门店'],
  setting: ['setting', '设置'],
  site: ['site', '工地'],
  worker: ['worker', '工人'],
  attendance: ['attendance', '考勤'],
  device: ['device', '设备'],
  alarm: ['alarm', '报警'],
  export: ['export', '导出'],
  import: ['import', '导入'],
  log: ['log', '操作日志'],
})
export const logRow = z.object({
  id: z.string(),
  at: z.number().int(),
  user_id: z.string().nullable(),
  userName: z.string(),
  nickname: z.string(),
  system: z.union([subsystem.schema, z.literal('')]),
  action: z.string(),
  object: z.string(),
  objectId: z.string(),
  outcome: logOutcome.schema,
  ip: z.string(),
  agent: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  /** Its place in the chain; null for the second until it is sealed. */
  seq: z.number().int().nullable(),
})
export type LogRow = z.output<typeof logRow>
export const logVerdict = z.object({ ok: z.boolean(), checked: z.number().int(), why: z.string() })
