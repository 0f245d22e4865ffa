import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { phone } from '../../kit/fields.ts'
import { logged } from '../../kit/logged.ts'
import { uuid } from '../../kit/paging.ts'
import { consentHow, consentState } from '../consents/consents.record.ts'
import { workerType } from './trades.record.ts'

/** The use that a face is asked for, until the person agrees to something else. */
export const FACE_SCOPE = '只用于工地考勤打卡时核对本人'
export const workerSex = defineCodes('workerSex', '性别', { male: [1, '男'], female: [2, '女'] })
export const workerPhone = phone('联系方式')
export const workerFacts = z.object({
  w_id: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9-]{0,20}$/, { error: '工号只能是字母、数字和短横线，最多 20 位' })
    .default('')
    .meta({ title: '工号' }),
  w_name: z
    .string()
    .trim()
    .min(2, { error: '姓名至少 2 个字' })
    .max(20, { error: '姓名最多 20 个字' })
    .meta({ title: '姓名' }),
  bc_id: uuid.meta({ title: '分公司' }),
  w_type: workerType.schema.meta({ title: '工种' }),
  w_sex: workerSex.schema.default(workerSex.code.male).meta({ title: '性别' }),
  w_contact: workerPhone.default(''),
  team: z.string().trim().max(30, { error: '班组最多 30 个字' }).default('').meta({ title: '班组' }),
})
export const workerStatus = defineCodes('workerStatus', '状态', {
  active: [1, '在职'],
  stopped: [2, '已停用'],
})
/** Faces and consents together: without the person's consent none is taken. */
export const faceState = defineCodes('faceState', '人脸', {
  kept: [1, '已采集'],
  missing: [2, '未征询'],
  agreed: [3, '已同意未采集'],
  /** Taken before consents were kept. */
  pending: [4, '待补同意'],
  refused: [5, '不同意'],
})
/** How somebody agreed, as lines of the log from before consents were kept say it. */
export const faceConsent = defineCodes('faceConsent', '授权方式', {
  paper: ['paper', '本人签了纸质授权书'],
  phone: ['phone', '本人在手机上确认'],
})

export const workerRow = z.object({
  id: z.string(),
  w_id: z.string(),
  w_name: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  w_type: workerType.schema,
  w_sex: workerSex.schema,
  /** The middle is hidden from who may not read phones. */
  w_contact: z.string(),
  /** Sites they stand on now, joined. */
  ws_names: z.string(),
  /** Key of the picture. */
  w_face: z.string().nullable(),
  face: faceState.schema,
  team: z.string(),
  /** Code of `attendance`; null for who is expected nowhere today and did not come. */
  today: z.number().int().nullable(),
  /** Days of this month on which they clocked in. */
  monthDays: z.number().int(),
  /** Violations of theirs that stand. */
  breaks: z.number().int(),
  status: workerStatus.schema,
  /** Grows with every change; a command names the one it has seen. */
  version: z.number().int(),
})
export type WorkerRow = z.output<typeof workerRow>

export const membership = z.object({
  site_id: z.string(),
  ws_name: z.string(),
  siteStatus: z.number().int(),
  enteredOn: z.string(),
  leftOn: z.string().nullable(),
  /** Days on which they clocked in there. */
  days: z.number().int(),
})
export type Membership = z.output<typeof membership>

export const workerDetail = workerRow.extend({
  /** The account that is the same person, of who leads sites. */
  account: z.object({ id: z.string(), nickname: z.string() }).nullable(),
  /** The last clock-in anywhere the reader may see. */
  last: z
    .object({
      at: z.number().int(),
      site_id: z.string(),
      ws_name: z.string(),
      picture: z.string().nullable(),
    })
    .nullable(),
  sites: z.array(membership),
  /** The mean of what managers said when they left sites, and of how many; null before the first. */
  score: z.object({ mean: z.number(), n: z.number().int() }).nullable(),
  /** The version of the notice that they were given; empty: nobody said so. */
  notice: z.string(),
})
export type WorkerDetail = z.output<typeof workerDetail>

/** A day of one person over all sites: came, or was expected and did not. */
export const workerDay = z.object({
  day: z.string(),
  came: z.boolean(),
  hours: z.number().nullable(),
  sites: z.number().int(),
})
export type WorkerDay = z.output<typeof workerDay>

/** The log\'s names for the fields of a worker. */
export const workerLog = logged('工人', {
  notice: '告知版本',
  w_name: ['姓名', 'personal'],
  w_id: '工号',
  bc_id: ['分公司', 'company'],
  w_type: ['工种', workerType],
  w_sex: ['性别', workerSex],
  w_contact: ['联系方式', 'personal'],
  team: '班组',
  user_id: ['对应账号', 'user'],
  status: ['状态', workerStatus],
  site_id: ['工地', 'site'],
  day: '日期',
  enteredOn: '进场日期',
  left: '撤离工地',
  deviceSn: '设备',
  consent: ['同意方式', faceConsent],
  answer: ['本人答复', consentState],
  how: ['答复方式', consentHow],
  answeredOn: '答复日期',
  scope: '用途',
  proof: '凭证',
  score: '评分',
})
