import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { workerType } from '../workers/trades.record.ts'

export const alarmType = defineCodes('alarmType', '报警类型', {
  cameraproblem: ['cameraproblem', '摄像头偏移'],
  noclothes: ['noclothes', '未穿工服'],
  smoking: ['smoking', '抽烟'],
})
export const correctionStatus = defineCodes('correctionStatus', '整改状态', {
  open: [1, '未整改'],
  correcting: [2, '整改中'],
  corrected: [3, '已整改'],
  cancelled: [4, '已取消'],
})
/** Beside the code: what the reviewer found (docs/states.md). */
export const alarmVerdict = defineCodes('alarmVerdict', '判定', {
  none: ['none', '未判'],
  real: ['real', '属实'],
  wrong: ['wrong', '误报'],
})
/** Whether somebody was told of it: what a camera is too often wrong about only stands in the list. */
export const alarmAttention = defineCodes('alarmAttention', '提醒', {
  notify: ['notify', '通知'],
  review: ['review', '需人工看'],
})
/** The step inside 整改中. */
export const correctionStep = defineCodes('correctionStep', '步骤', {
  assigned: ['assigned', '已指派'],
  doing: ['doing', '处理中'],
  submitted: ['submitted', '已提交'],
})
export const cancelReason = defineCodes('cancelReason', '取消原因', {
  wrong: ['wrong', '误报'],
  repeated: ['repeated', '重复'],
  stopped: ['stopped', '停工'],
})
export type CancelReason = (typeof cancelReason.values)[number]

/** What waits for whoever asks: to correct it, or to judge what somebody else has corrected. */
export const alarmTodo = defineCodes('alarmTodo', '待我处理', {
  correct: ['correct', '指派给我'],
  verify: ['verify', '待我复核'],
  assign: ['assign', '待我指派'],
})
export type AlarmTodo = (typeof alarmTodo.values)[number]

export const alarmRow = z.object({
  id: z.string(),
  type: alarmType.schema,
  picture: z.string().nullable(),
  clip: z.string().nullable(),
  site_id: z.string(),
  siteName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  device_id: z.string(),
  deviceSn: z.string(),
  at: z.number().int(),
  lastSeen: z.number().int(),
  /** Number of times the open alarm was seen. */
  seen: z.number().int(),
  confidence: z.number(),
  /** The camera was skewed when it saw this (docs/states.md). */
  lowTrust: z.boolean(),
  attention: alarmAttention.schema,
  /** The version of the model that saw it; empty where it told none. */
  model: z.string(),
  correctionStatus: correctionStatus.schema,
  verdict: alarmVerdict.schema,
  step: correctionStep.schema.nullable(),
  round: z.number().int(),
  /** Its assignee disputes it, and nobody has answered yet. */
  disputed: z.boolean(),
  assignee_id: z.string().nullable(),
  assigneeName: z.string(),
  /** The one who corrected; may not verify (docs/states.md). */
  corrector_id: z.string().nullable(),
  /** The person who corrected in this or an earlier round. */
  corrector_ids: z.array(z.string()),
  /** The end of the clock that runs now: to be judged while it is open, to be corrected while it is being corrected. */
  dueAt: z.number().int().nullable(),
  closedAt: z.number().int().nullable(),
  /** A closed one may be opened again until then: the branch's days (setting `reopenDays`). */
  reopenUntil: z.number().int().nullable(),
  version: z.number().int(),
})
export type AlarmRow = z.output<typeof alarmRow>

export const alarmLog = z.object({
  at: z.number().int(),
  actor: z.string(),
  action: z.string(),
  text: z.string(),
  pictures: z.array(z.string()),
})
export const alarmDetail = alarmRow.extend({
  log: z.array(alarmLog),
  /** The pictures of the log: when each came, and when it was taken where its file says so. */
  photos: z.array(
    z.object({
      key: z.string(),
      uploadedAt: z.number().int(),
      takenAt: z.number().int().nullable(),
    }),
  ),
  workerName: z.string(),
  /** People clocked in on its site when it was seen; the middle of a number is hidden from everybody. */
  onSite: z.array(
    z.object({
      id: z.string(),
      w_name: z.string(),
      w_type: workerType.schema,
      w_contact: z.string(),
      since: z.number().int(),
    }),
  ),
  /** For who may assign it: the site's steward, where they can correct, and when it would then be due. */
  assign: z
    .object({
      steward: z.object({ id: z.string(), nickname: z.string() }).nullable(),
      dueAt: z.number().int().nullable(),
    })
    .nullable(),
  /** Earlier alarms of the same camera, newest first. */
  sameCamera: z.array(
    z.object({
      id: z.string(),
      type: alarmType.schema,
      at: z.number().int(),
      correctionStatus: correctionStatus.schema,
      picture: z.string().nullable(),
    }),
  ),
})

/** The user log\'s names for the fields of an alarm. */
export const alarmUserLog = logged('报警', {
  type: ['类型', alarmType],
  correctionStatus: ['整改状态', correctionStatus],
  step: ['步骤', correctionStep],
  assignee_id: ['责任人', 'user'],
  verdict: ['判定', alarmVerdict],
  text: ['说明', 'personal'],
})
