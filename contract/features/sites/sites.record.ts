import { z } from 'zod'

import { type Code, defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { siteStage, siteStatus, stageState } from './stages.record.ts'

export { siteStage, siteStatus, stageState, stageTold } from './stages.record.ts'

export const siteDeviceStatus = defineCodes('siteDeviceStatus', '设备在线', {
  online: [1, '在线'],
  offline: [2, '不在线'],
})
export const tidinessLevel = defineCodes('tidinessLevel', '整洁度', {
  excellent: [1, '优'],
  good: [2, '良'],
  poor: [3, '差'],
})
export const tidinessResult = defineCodes('tidinessResult', '整洁度结果', {
  excellent: [1, '优'],
  good: [2, '良'],
  poor: [3, '差'],
  skewed: [4, '摄像头偏移'],
})
/** 1–3 run of days without a clock-in (exactly 3; 4–7; over 7), 4–6 sum since the start (10; 11–30; over 30). */
export const noWork = defineCodes('noWork', '连续无人施工', {
  run3: [1, '连续3天'],
  run7: [2, '连续3-7天'],
  runMore: [3, '连续7天以上'],
  sum10: [4, '累计10天'],
  sum30: [5, '累计10-30天'],
  sumMore: [6, '累计30天以上'],
})
/** Codes for a run and a sum of days without work; null where neither threshold is reached. */
/** The code of a run of days, and of their sum; none below three and ten. */
function runCode(run: number): Code<typeof noWork> | undefined {
  if (run > 7) return noWork.code.runMore
  if (run > 3) return noWork.code.run7
  return run === 3 ? noWork.code.run3 : undefined
}
function sumCode(sum: number): Code<typeof noWork> | undefined {
  if (sum > 30) return noWork.code.sumMore
  if (sum > 10) return noWork.code.sum30
  return sum === 10 ? noWork.code.sum10 : undefined
}
export const noWorkCodes = (run: number, sum: number): Code<typeof noWork>[] =>
  [runCode(run), sumCode(sum)].filter((code) => code !== undefined)

const personRef = z.object({ id: z.string(), nickname: z.string(), phone: z.string() }).nullable()

export const siteRow = z.object({
  id: z.string(),
  code: z.string(),
  ws_name: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  storeName: z.string(),
  community: z.string(),
  address: z.string(),
  status: siteStatus.schema,
  stage: z.string().nullable(),
  /** Share of stages that are finished, 0–100. */
  progress: z.number().int(),
  startDate: z.string().nullable(),
  plannedFinish: z.string().nullable(),
  noWork: z.array(noWork.schema),
  /** Days of the current run without a clock-in. */
  noWorkRun: z.number().int(),
  steward_id: z.string().nullable(),
  stewardName: z.string(),
  manager_id: z.string().nullable(),
  managerName: z.string(),
  devicesOnline: z.number().int(),
  devicesTotal: z.number().int(),
  tidiness: tidinessLevel.schema.nullable(),
  /** People live there while it is built: its cameras are for working hours alone (docs/decisions/0505). */
  livedIn: z.boolean(),
  openAlarms: z.number().int(),
  /** Corrections that are not over, of patrols and checks. */
  openCorrections: z.number().int(),
  /** The number of its signed contract, while that lives. */
  contract: z.string(),
  ownerName: z.string(),
  /** Grows with every change; a command names the one it has seen. */
  version: z.number().int(),
})
export type SiteRow = z.output<typeof siteRow>

/** One entry a site in every column, in the same order. Positions are GCJ-02 in millionths of a degree. */
export const sitePoints = z.object({
  /** 32 hexadecimal digits a site, one after the other. */
  ids: z.string(),
  lng: z.array(z.number().int()),
  lat: z.array(z.number().int()),
  status: z.array(z.number().int()),
  /** Days of the current run without a clock-in, where it has reached a code; else 0. */
  stopped: z.array(z.number().int()),
  alarms: z.array(z.number().int()),
  /** 1 where one of the open alarms is past its time. */
  overdue: z.array(z.number().int()),
  /** Sites of the filters that have no position yet; with the points they are the list's total. */
  unplaced: z.number().int(),
  /** Sites of the filters, placed or not, by what the legend names; they overlap. */
  counts: z.object({
    all: z.number().int(),
    overdue: z.number().int(),
    inTime: z.number().int(),
    stopped: z.number().int(),
    quiet: z.number().int(),
    notStarted: z.number().int(),
    ended: z.number().int(),
  }),
})
export type SitePoints = z.output<typeof sitePoints>

export const stageRow = z.object({
  stage: siteStage.schema,
  state: stageState.schema,
  sort: z.number().int(),
  plannedStart: z.string().nullable(),
  plannedFinish: z.string().nullable(),
  actualStart: z.string().nullable(),
  actualFinish: z.string().nullable(),
  /** The plan of the day when the site began, whatever was planned since. */
  baselineStart: z.string().nullable(),
  baselineFinish: z.string().nullable(),
  acceptedBy: z.string(),
})

export const siteDetail = siteRow.extend({
  store_id: z.string().nullable(),
  area: z.string().nullable(),
  /** The reason why it began without a signed contract; empty where there is one, or where it has not begun. */
  outsideContract: z.string(),
  layout: z.string(),
  style: z.string(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  plannedStart: z.string().nullable(),
  actualFinish: z.string().nullable(),
  steward: personRef,
  manager: personRef,
  owner: z.object({ name: z.string(), phone: z.string() }).nullable(),
  stages: z.array(stageRow),
  team: z.array(
    z.object({
      id: z.string(),
      w_name: z.string(),
      w_type: z.number().int(),
      enteredOn: z.string(),
      present: z.boolean(),
    }),
  ),
  devices: z.array(
    z.object({
      id: z.string(),
      sn: z.string(),
      type: z.string(),
      deviceStatus: z.number().int(),
      lastSeen: z.number().int().nullable(),
    }),
  ),
  /** The reason why nobody looks through its cameras now; empty where somebody may. */
  noLook: z.string(),
  /** The newest picture of the site, and when it was taken; none while nobody looks. */
  picture: z.object({ key: z.string(), at: z.number().int() }).nullable(),
  today: z.object({
    /** A day off by the calendar: nobody has to come. */
    rests: z.boolean(),
    expected: z.number().int(),
    present: z.number().int(),
    /** Those present who were not expected here. */
    guests: z.number().int(),
    alarms: z.number().int(),
    firstIn: z.number().int().nullable(),
  }),
})
export type SiteDetail = z.output<typeof siteDetail>

/** The log\'s names for the fields of a site. */
export const siteLog = logged('工地', {
  ws_name: ['工地名称', 'personal'],
  bc_id: ['分公司', 'company'],
  store_id: ['门店', 'store'],
  community: '小区',
  address: ['地址', 'personal'],
  area: '面积',
  layout: '户型',
  style: '风格',
  plannedStart: '计划开工',
  plannedFinish: '计划完工',
  startDate: '开工日期',
  status: ['状态', siteStatus],
  steward_id: ['项目管家', 'user'],
  manager_id: ['项目经理', 'user'],
  aftercare_id: ['售后负责人', 'user'],
  livedIn: '有人居住',
  owner: ['业主', 'personal'],
  ownerPhone: ['业主电话', 'personal'],
  lng: ['经度', 'personal'],
  lat: ['纬度', 'personal'],
  run: '停工天数',
  until: '到哪天',
  waitsFor: ['在等', 'personal'],
  stage: ['阶段', siteStage],
  state: ['阶段状态', stageState],
  day: '日期',
  stages: ['阶段排期', { stage: ['', siteStage], plannedStart: '计划开始', plannedFinish: '计划完成' }],
})
