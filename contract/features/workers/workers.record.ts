import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'

export const workerType = defineCodes('workerType', '工种', {
  steward: [1, '项目管家'],
  manager: [2, '项目经理'],
  tiler: [3, '瓦工'],
  carpenter: [4, '木工'],
  painter: [5, '油工'],
  plumber: [6, '水电工'],
  other: [7, '其他'],
})
export const workerSex = defineCodes('workerSex', '性别', { male: [1, '男'], female: [2, '女'] })
export const workerStatus = defineCodes('workerStatus', '状态', {
  active: [1, '在职'],
  stopped: [2, '已停用'],
})
export const faceState = defineCodes('faceState', '人脸', { kept: [1, '已录入'], missing: [2, '未录入'] })
/** How the person agreed to their face being kept; without it none is. */
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
  consent: z.object({ how: faceConsent.schema, at: z.number().int(), by: z.string() }).nullable(),
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

/** What the log tells of a worker. */
export const workerLog = logged('工人', {
  w_name: '姓名',
  w_id: '工号',
  bc_id: ['分公司', 'company'],
  w_type: ['工种', workerType],
  w_sex: ['性别', workerSex],
  w_contact: '联系方式',
  team: '班组',
  status: ['状态', workerStatus],
  site_id: ['工地', 'site'],
  day: '日期',
  enteredOn: '进场日期',
  left: '撤离工地',
  consent: ['同意方式', faceConsent],
  score: '评分',
})
