import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'

/** Somebody of a home comes to the site, and is received; strangers are `visits`. */
export const receptionState = defineCodes('receptionState', '到访状态', {
  planned: ['planned', '已约'],
  arrived: ['arrived', '到访中'],
  done: ['done', '已完成'],
  missed: ['missed', '未到'],
  cancelled: ['cancelled', '已取消'],
})
export const receptionPurpose = defineCodes('receptionPurpose', '到访目的', {
  look: ['look', '看工地'],
  choose: ['choose', '选材确认'],
  accept: ['accept', '阶段验收'],
  repair: ['repair', '维修'],
  complain: ['complain', '反映问题'],
  other: ['other', '其他'],
})

export const receptionRow = z.object({
  id: z.string(),
  site_id: z.string(),
  siteName: z.string(),
  ownerName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  /** When they are expected; of who came unasked, when they came. */
  at: z.number().int(),
  planned: z.boolean(),
  arrivedAt: z.number().int().nullable(),
  endedAt: z.number().int().nullable(),
  host_id: z.string(),
  hostName: z.string(),
  purpose: receptionPurpose.schema,
  remark: z.string(),
  /** What was shown, said and agreed; why nobody came, or it was called off. */
  record: z.string(),
  state: receptionState.schema,
  enteredBy: z.string(),
  version: z.number().int(),
})
export type ReceptionRow = z.output<typeof receptionRow>

export const receptionLog = logged('业主到访', {
  site_id: ['工地', 'site'],
  at: ['时间', 'time'],
  host_id: ['接待人', 'user'],
  purpose: ['目的', receptionPurpose],
  state: ['状态', receptionState],
  text: '说明',
})
