import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { viewPurpose } from '../video/purposes.record.ts'

export const bindStatus = defineCodes('bindStatus', '绑定状态', {
  unbound: [1, '未绑定'],
  bound: [2, '已绑定'],
})
export const deviceStatus = defineCodes('deviceStatus', '设备状态', {
  online: [1, '在线'],
  offline: [2, '离线'],
  notEnabled: [3, '未启用'],
  faulty: [4, '故障'],
  spare: [5, '备用'],
  inStock: [6, '在库'],
})
/** 0 stands for all of them and is a filter only (docs/product.md). */
export const DEVICE_STATUS_ALL = { value: 0, label: '全部' } as const
export const deviceType = defineCodes('deviceType', '设备类型', {
  camera: ['camera', '摄像头'],
  faceTerminal: ['faceTerminal', '人脸考勤机'],
  edgeBox: ['edgeBox', '边缘盒子'],
  router: ['router', '路由器'],
})
/** Why a device is in the state it is in. */
export const spanCause = defineCodes('spanCause', '原因', {
  heartbeat: ['heartbeat', '心跳恢复'],
  silent: ['silent', '超时无心跳'],
  frozen: ['frozen', '画面冻结'],
  bound: ['bound', '绑定'],
  unbound: ['unbound', '解绑'],
  reported: ['reported', '报修'],
  repaired: ['repaired', '修复'],
  stocked: ['stocked', '入库'],
  distributed: ['distributed', '分配'],
})

export const deviceRow = z.object({
  id: z.string(),
  sn: z.string(),
  type: deviceType.schema,
  model: z.string(),
  bc_id: z.string().nullable(),
  bc_name: z.string(),
  bindStatus: bindStatus.schema,
  site_id: z.string().nullable(),
  siteName: z.string(),
  deviceStatus: deviceStatus.schema,
  cause: z.string().nullable(),
  signal: z.number().int().nullable(),
  lastSeen: z.number().int().nullable(),
  firmware: z.string(),
  /** Share of the last 7 days on line, 0–100; null before the first heartbeat. */
  onlineRate: z.number().nullable(),
  /** Live stream address of its last heartbeat, if it gave one. */
  hasLive: z.boolean(),
  remark: z.string(),
  /** Its site has ended: to be brought back until this day. */
  retrieveBy: z.string().nullable(),
  version: z.number().int(),
})
export type DeviceRow = z.output<typeof deviceRow>

/** One hour of a device: the mean of the signals that its heartbeats told. */
export const signalHour = z.object({ at: z.number().int(), signal: z.number() })
export const deviceDetail = deviceRow.extend({
  /** The newest picture and when it was taken, for who may look through the device. */
  picture: z.string().nullable(),
  /** The reason why nobody looks through it now; empty where somebody may. */
  noLook: z.string(),
  pictureAt: z.number().int().nullable(),
  /** Since when it signs with the secret that it has now. */
  secretAt: z.number().int().nullable(),
  /** Hours of the last seven days, oldest first; hours without a heartbeat are left out. */
  signals: z.array(signalHour),
  /** The version of the notice that was given when it came to its site; empty: nobody said so. */
  notice: z.string(),
})
export type DeviceDetail = z.output<typeof deviceDetail>

export const deviceSpan = z.object({
  state: deviceStatus.schema,
  from: z.number().int(),
  to: z.number().int().nullable(),
  cause: z.string(),
})
export const deviceBinding = z.object({
  action: z.string(),
  siteName: z.string(),
  actor: z.string(),
  at: z.number().int(),
  remark: z.string(),
})

export type DeviceSpan = z.output<typeof deviceSpan>

/** The log\'s names for the fields of a device. */
export const deviceLog = logged('设备', {
  notice: '告知版本',
  sn: '序列号',
  type: ['类型', deviceType],
  model: '型号',
  bc_id: ['分公司', 'company'],
  site_id: ['工地', 'site'],
  deviceStatus: ['设备状态', deviceStatus],
  /** Lines of the releases before. */
  shown: '看到的画面',
  purpose: ['目的', viewPurpose],
  words: ['目的说明', 'personal'],
  offHours: '下班时间',
  count: '台数',
  sns: '序列号',
  refused: '没有办理的',
})
