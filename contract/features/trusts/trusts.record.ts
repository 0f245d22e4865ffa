import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { alarmType, alarmVerdict } from '../alarms/alarms.record.ts'

/** Whether new alarms of a pair, a camera on a site and a type, are worth a notice; a person may say so for good. */
export const trustState = defineCodes('trustState', '提醒', {
  notify: ['notify', '通知'],
  review: ['review', '需人工看'],
  alwaysNotify: ['alwaysNotify', '固定通知'],
  alwaysReview: ['alwaysReview', '固定需人工看'],
})
export type TrustState = (typeof trustState.values)[number]
/** The lines of its history. */
export const trustEvent = defineCodes('trustEvent', '变动', {
  demoted: ['demoted', '转为需人工看'],
  promoted: ['promoted', '恢复通知'],
  pinNotify: ['pinNotify', '固定通知'],
  pinReview: ['pinReview', '固定需人工看'],
  unpin: ['unpin', '取消固定'],
  model: ['model', '更换型号'],
  shift: ['shift', '误报率变化'],
})
/** Of fewer verdicts no share is told, only how many. */
export const ENOUGH_VERDICTS = 10
/** The device that reported no version. */
export const modelOf = (model: string): string => model || '未报版本'

/** Verdicts on alarms of one version. */
const verdicts = {
  model: z.string(),
  /** 属实 and 误报; 重复 and 停工 say nothing of the model. */
  n: z.number().int(),
  wrong: z.number().int(),
  undecided: z.number().int(),
}
export const trustRow = z.object({
  id: z.string(),
  device_id: z.string(),
  deviceSn: z.string(),
  site_id: z.string(),
  siteName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  type: alarmType.schema,
  ...verdicts,
  /** Nothing where there are too few verdicts. */
  share: z.number().nullable(),
  /** The last verdicts, the oldest first. */
  last: z.array(alarmVerdict.schema),
  state: trustState.schema,
  why: z.string(),
  /** The person who changed it last and when; nobody has, where it is as it began. */
  by: z.string(),
  since: z.number().int().nullable(),
  version: z.number().int(),
})
export type TrustRow = z.output<typeof trustRow>

export const trustDetail = trustRow.extend({
  /** Every version that this camera has seen with, the newest first. */
  models: z.array(z.object(verdicts)),
  /** Newest first. */
  history: z.array(
    z.object({
      at: z.number().int(),
      actor: z.string(),
      event: trustEvent.schema,
      text: z.string(),
      model: z.string(),
    }),
  ),
  /** Its last alarms, newest first. */
  alarms: z.array(
    z.object({
      id: z.string(),
      at: z.number().int(),
      picture: z.string().nullable(),
      verdict: alarmVerdict.schema,
      model: z.string(),
    }),
  ),
})

/** A judged alarm, as somebody who trains a model needs it. */
export const labelRow = z.object({
  id: z.string(),
  picture: z.string().nullable(),
  type: alarmType.schema,
  verdict: alarmVerdict.schema,
  /** What was said with it. */
  reason: z.string(),
  model: z.string(),
  confidence: z.number(),
  at: z.number().int(),
  siteName: z.string(),
  bc_name: z.string(),
  deviceSn: z.string(),
})

/** The user log\'s names for the fields of a pair. */
export const trustLog = logged('报警信任', {
  device_id: ['设备', 'device'],
  site_id: ['工地', 'site'],
  type: ['报警类型', alarmType],
  state: ['提醒', trustState],
})
