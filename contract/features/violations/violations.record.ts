import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { tidinessResult } from '../sites/sites.record.ts'
import { workerType } from '../workers/trades.record.ts'

/** Violations that cameras tell by the names of their alarms, and those that a person writes down. */
export const violationType = defineCodes('violationType', '违规类型', {
  noclothes: ['noclothes', '未穿工服'],
  smoking: ['smoking', '抽烟'],
  helmet: ['helmet', '未戴安全帽'],
  electric: ['electric', '违规用电'],
  fire: ['fire', '违规动火'],
  litter: ['litter', '乱扔垃圾'],
  other: ['other', '其他'],
})
/** The points of each where a branch has not set them; what was taken off stays as it was written. */
export const VIOLATION_POINTS: Readonly<Record<(typeof violationType.values)[number], number>> = {
  noclothes: 2,
  smoking: 5,
  helmet: 3,
  electric: 5,
  fire: 6,
  litter: 1,
  other: 1,
}
export const violationStatus = defineCodes('violationStatus', '处理状态', {
  open: [1, '待处理'],
  handled: [2, '已处理'],
  objected: [3, '申诉中'],
  upheld: [4, '维持'],
  withdrawn: [5, '撤销'],
})

export const violationRow = z.object({
  id: z.string(),
  worker_id: z.string(),
  w_id: z.string(),
  w_name: z.string(),
  w_type: workerType.schema,
  site_id: z.string(),
  siteName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  type: violationType.schema,
  at: z.number().int(),
  /** The alarm that was found to be true; null where a person wrote it down. */
  alarm_id: z.string().nullable(),
  picture: z.string().nullable(),
  remark: z.string(),
  points: z.number().int(),
  status: violationStatus.schema,
  /** Until when an objection is to be decided. */
  dueAt: z.number().int().nullable(),
  enteredBy: z.string(),
  /** Those who have a part in it and may not judge an objection. */
  entered_id: z.string().nullable(),
  handled_id: z.string().nullable(),
  objected_id: z.string().nullable(),
  version: z.number().int(),
})
export type ViolationRow = z.output<typeof violationRow>
export const violationDetail = violationRow.extend({
  log: z.array(z.object({ at: z.number().int(), actor: z.string(), action: z.string(), text: z.string() })),
})

/** One look at how tidy a site is. */
export const tidinessCheck = z.object({
  id: z.string(),
  at: z.number().int(),
  picture: z.string().nullable(),
  result: tidinessResult.schema,
  /** Empty where no camera took it. */
  deviceSn: z.string(),
})
export type TidinessCheck = z.output<typeof tidinessCheck>

/** The user log\'s names for the fields of a violation. */
export const violationLog = logged('违规', {
  worker_id: ['工人', 'worker'],
  site_id: ['工地', 'site'],
  type: ['类型', violationType],
  at: ['时间', 'time'],
  points: '扣分',
  status: ['处理状态', violationStatus],
  text: ['说明', 'personal'],
})
