import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { consentHow, consentState } from '../consents/consents.record.ts'
import { deviceStatus } from '../devices/devices.record.ts'
import { contactRelation } from './owners.record.ts'

/** The wording that a contact agrees to; whoever changes the words gives them a new version. */
export const VIDEO_WORDING = '2026-11'
export const VIDEO_SCOPE = '本人在手机上看自己家的施工现场'
export const VIDEO_WORDS = [
  '同意后，管家可以给您开通“看现场”：在约定的日期和时段，用您确认过的手机看您家摄像头的实时画面，不能看录像。',
  '现场有工人施工，请只供自己和家人了解进度，不要转发、录屏或公开。',
  '您每次看了哪台摄像头、从几点到几点，公司会记录下来；公司的人看了您家，您也能在这里看到是谁、为什么。',
  '您可以随时撤回，正在看的画面 5 秒内停止。不同意不影响施工和服务。',
] as const

export const grantState = defineCodes('grantState', '视频授权', {
  active: ['active', '已授权'],
  stopped: ['stopped', '已停止'],
  ended: ['ended', '已结束'],
})
/** One grant is for so many days at most. */
export const MOST_DAYS = 366

export const grantCamera = z.object({
  id: z.string(),
  sn: z.string(),
  /** Still where it stood when it was granted. */
  here: z.boolean(),
})
export const videoGrant = z.object({
  id: z.string(),
  contact_id: z.string(),
  state: grantState.schema,
  cameras: z.array(grantCamera),
  fromDay: z.string(),
  toDay: z.string(),
  from: z.string(),
  to: z.string(),
  grantedBy: z.string(),
  changedBy: z.string(),
  changedAt: z.number().int(),
  reason: z.string(),
  version: z.number().int(),
})
export type VideoGrant = z.output<typeof videoGrant>

export const contactVideo = z.object({
  contact_id: z.string(),
  name: z.string(),
  relation: contactRelation.schema,
  /** The newest answer; null for who was never asked. */
  consent: consentState.schema.nullable(),
  consentAt: z.number().int().nullable(),
  consentBy: z.string(),
  grant: videoGrant.nullable(),
})
export type ContactVideo = z.output<typeof contactVideo>

/** The consents and grants of a home, and the cameras that a grant may name. */
export const homeVideoPage = z.object({
  contacts: z.array(contactVideo),
  cameras: z.array(z.object({ id: z.string(), sn: z.string(), status: deviceStatus.schema })),
  /** Nobody looks outside of these. */
  hours: z.object({ from: z.string(), to: z.string() }),
  /** Why nothing can be granted now, whoever asks; empty where it can. */
  why: z.string(),
})
export type HomeVideoPage = z.output<typeof homeVideoPage>

export const homeVideoLog = logged('业主视频', {
  site_id: ['工地', 'site'],
  person: ['联系人', 'personal'],
  answer: ['本人答复', consentState],
  how: ['答复方式', consentHow],
  answeredOn: '答复日期',
  scope: '用途',
  wording: '说明版本',
  proof: '凭证',
  state: ['授权', grantState],
  cameras: '摄像头',
  days: '日期',
  hours: '时段',
  reason: '原因',
})
