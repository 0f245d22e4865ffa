import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { optionalReason, phone, reason, seen, version } from '../../kit/fields.ts'
import { commaList, day, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import {
  noWork,
  siteDetail,
  siteDeviceStatus,
  sitePoints,
  siteRow,
  siteStage,
  siteStatus,
  tidinessLevel,
} from './sites.record.ts'

const filters = {
  keyword,
  bc_id: commaList(uuid).meta({ title: '分公司' }),
  store_id: commaList(uuid).meta({ title: '门店' }),
  status: commaList(siteStatus.schema).meta({ title: '状态' }),
  stage: commaList(siteStage.schema).meta({ title: '阶段' }),
  noWork: commaList(noWork.schema).meta({ title: '连续无人施工' }),
  /** Any of the six codes. */
  stopped: flag.meta({ title: '停工' }),
  alarmed: flag.meta({ title: '未办结报警' }),
  /** One of its open alarms is past its time. */
  overdue: flag.meta({ title: '超期报警' }),
  deviceStatus: optional(siteDeviceStatus.schema).meta({ title: '设备在线' }),
  tidiness: commaList(tidinessLevel.schema).meta({ title: '整洁度' }),
  steward_id: optional(uuid).meta({ title: '项目管家' }),
  manager_id: optional(uuid).meta({ title: '项目经理' }),
  startFrom: optional(day).meta({ title: '开工日期起' }),
  startTo: optional(day).meta({ title: '开工日期止' }),
  /** On the map, or not placed yet. */
  located: flag.meta({ title: '位置' }),
  /** Inside a drawn line: `lng,lat;lng,lat;…` */
  area: optional(
    z
      .string()
      .regex(
        /^(-?\d{1,3}(\.\d{1,6})?,-?\d{1,2}(\.\d{1,6})?;){2,79}-?\d{1,3}(\.\d{1,6})?,-?\d{1,2}(\.\d{1,6})?$/,
        { error: '圈选范围应为 3 到 80 个“经度,纬度”' },
      ),
  ).meta({ title: '圈选范围' }),
  ids: commaList(uuid).meta({ title: '指定工地' }),
}
const query = listQuery(
  [
    'code',
    'ws_name',
    'status',
    'progress',
    'startDate',
    'plannedFinish',
    'noWorkRun',
    'openAlarms',
    'tidiness',
  ],
  filters,
)
/** GCJ-02, inside the box that holds the country. */
const place = {
  lng: z
    .number({ error: '经度应为数字' })
    .min(73, { error: '位置不在国内' })
    .max(136, { error: '位置不在国内' })
    .meta({ title: '经度' }),
  lat: z
    .number({ error: '纬度应为数字' })
    .min(3, { error: '位置不在国内' })
    .max(54, { error: '位置不在国内' })
    .meta({ title: '纬度' }),
}
const one = z.object({ id: uuid.meta({ title: '工地' }) })
export const siteFacts = z.object({
  ws_name: z.string().trim().min(2, { error: '工地名称至少 2 个字' }).max(60).meta({ title: '工地名称' }),
  bc_id: uuid.meta({ title: '分公司' }),
  store_id: uuid.nullable().optional().meta({ title: '门店' }),
  community: z.string().trim().max(60).default('').meta({ title: '小区' }),
  address: z.string().trim().min(2, { error: '请填写地址' }).max(120).meta({ title: '地址' }),
  area: z
    .string()
    .regex(/^\d{1,5}(\.\d{1,2})?$/, { error: '面积应为数字，最多两位小数' })
    .nullable()
    .optional()
    .meta({ title: '面积' }),
  layout: z.string().trim().max(30).default('').meta({ title: '户型' }),
  style: z.string().trim().max(30).default('').meta({ title: '风格' }),
  plannedStart: day.nullable().optional().meta({ title: '计划开工' }),
  plannedFinish: day.nullable().optional().meta({ title: '计划完工' }),
})

/** The form's fields beside the facts: the owner, the leaders, the place. */
const siteForm = siteFacts.extend({
  /** Left out, it stays as it is. */
  owner: z.string().trim().max(20, { error: '业主姓名最多 20 个字' }).optional().meta({ title: '业主' }),
  /** Nobody reads the whole number in a form: empty, it stays as it is. */
  ownerPhone: phone('业主电话').default(''),
  steward_id: uuid.nullable().optional().meta({ title: '项目管家' }),
  manager_id: uuid.nullable().optional().meta({ title: '项目经理' }),
  lng: place.lng.nullable().optional(),
  lat: place.lat.nullable().optional(),
})

/** Pages whose lists are filtered by site. */
export const SITE_PAGES = [
  'SiteList',
  'SiteMap',
  'SiteInfo',
  'NoWork',
  'WorkerList',
  'WorkerAttend',
  'AlarmEvent',
  'DeviceList',
  'DeviceStock',
  'DeviceBindLog',
  'DeviceAdmin',
  'AttendStatistics',
  'DailySheet',
  'PatrolPlan',
  'PatrolRecord',
  'videoRecord',
  'OrderPlan',
  'FeedbackList',
] as const

export const sitesApi = defineApi({
  list: {
    method: 'POST',
    path: '/osmcore/api/site/list',
    title: '工地列表',
    access: ['page:SiteList', 'page:SiteMap'],
    query,
    data: paged(siteRow),
  },
  details: {
    method: 'POST',
    path: '/osmcore/api/site/details',
    title: '工地信息',
    access: ['page:SiteInfo'],
    query: one,
    data: siteDetail,
  },
  pick: {
    method: 'POST',
    path: '/osmcore/api/site/pick',
    title: '选择工地',
    // Whoever filters one of these lists by site; nobody else has a use for their names.
    access: SITE_PAGES.map((page) => `page:${page}`),
    query: z.object({
      keyword,
      id: optional(uuid).meta({ title: '工地' }),
      bc_id: optional(uuid).meta({ title: '分公司' }),
    }),
    data: z.array(z.object({ id: z.string(), code: z.string(), ws_name: z.string() })),
  },
  add: {
    method: 'POST',
    path: '/osmcore/api/site/add',
    title: '新增工地',
    access: ['site:add'],
    body: siteForm,
    data: z.object({ id: z.string(), code: z.string() }),
  },
  edit: {
    method: 'POST',
    path: '/osmcore/api/site/edit',
    title: '编辑工地',
    access: ['site:edit'],
    body: siteForm.extend(seen('工地')),
    data: nothing,
  },
  state: {
    method: 'POST',
    path: '/osmcore/api/site/state',
    title: '改变工地状态',
    access: ['site:state'],
    body: z.object({
      id: uuid,
      version,
      action: z.enum(['start', 'finish', 'terminate']).meta({ title: '动作' }),
      reason: optionalReason,
      /** The plan of a start: without a day, today; without an end, the plan is shifted as it is. */
      startDate: optional(day).meta({ title: '开工日期' }),
      plannedFinish: optional(day).meta({ title: '计划完工' }),
      /** The person who answers for what goes on after the handover of a finished home. */
      aftercare_id: optional(uuid).meta({ title: '售后负责人' }),
    }),
    data: nothing,
  },
  /** What a change of branch or an end will do, in words, and what must go first; nothing is changed. */
  foresee: {
    method: 'POST',
    path: '/osmcore/api/site/foresee',
    title: '预览变更',
    access: ['site:edit', 'site:state'],
    query: z.object({
      id: uuid.meta({ title: '工地' }),
      change: z.enum(['move', 'finish', 'terminate']).meta({ title: '变更' }),
      bc_id: optional(uuid).meta({ title: '分公司' }),
    }),
    data: z.object({
      effects: z.array(z.string()),
      blocks: z.array(z.string()),
      /** The commands that need a reason. */
      reasons: z.array(z.string()),
      /** What goes on after the handover: somebody is named for it. */
      later: z.array(z.string()),
      /** The person whom the branch names for it, and why they cannot. */
      aftercare: z.object({ id: z.string(), nickname: z.string(), why: z.string().nullable() }).nullable(),
    }),
  },
  move: {
    method: 'POST',
    path: '/osmcore/api/site/move',
    title: '转分公司',
    access: ['site:edit'],
    body: z.object({
      id: uuid.meta({ title: '工地' }),
      version,
      bc_id: uuid.meta({ title: '分公司' }),
      reason,
    }),
    data: nothing,
  },
  people: {
    method: 'POST',
    path: '/osmcore/api/site/people',
    title: '换管家/经理',
    access: ['site:edit'],
    body: z.object({
      id: uuid,
      version,
      steward_id: uuid.nullable().meta({ title: '项目管家' }),
      manager_id: uuid.nullable().meta({ title: '项目经理' }),
    }),
    data: nothing,
  },
  /** Whether people live there while it is built: then nobody looks, and nothing is kept, outside of working hours. */
  livedIn: {
    method: 'POST',
    path: '/osmcore/api/site/livedin',
    title: '登记有人居住',
    access: ['site:lived'],
    body: z.object({
      id: uuid.meta({ title: '工地' }),
      version,
      livedIn: z.boolean().meta({ title: '有人居住' }),
      reason,
    }),
    data: nothing,
  },
  /** Stores of the caller's branches, by name. */
  stores: {
    method: 'POST',
    path: '/osmcore/api/site/stores',
    title: '选择门店',
    access: ['page:SiteList', 'page:SiteMap'],
    query: z.object({ bc_id: optional(uuid).meta({ title: '分公司' }) }),
    data: z.array(z.object({ id: z.string(), bc_id: z.string(), name: z.string() })),
  },
  /** The owner's number, for a reason; every look is in the log. */
  phone: {
    method: 'POST',
    path: '/osmcore/api/site/ownerphone',
    title: '查看业主电话',
    access: ['site:phone'],
    body: z.object({ id: uuid.meta({ title: '工地' }), reason }),
    data: z.object({ phone: z.string() }),
  },
  /** Every site of the filters as columns of numbers: a map of 50,000 needs no more. */
  points: {
    method: 'POST',
    path: '/osmcore/api/site/points',
    title: '工地地图',
    access: ['page:SiteMap'],
    query: z.object(filters),
    data: sitePoints,
  },
  place: {
    method: 'POST',
    path: '/osmcore/api/site/place',
    title: '修正工地位置',
    access: ['site:edit'],
    body: z.object({ id: uuid, version, ...place }),
    data: nothing,
  },
  export: {
    method: 'POST',
    path: '/osmcore/api/site/export',
    title: '导出工地',
    access: ['site:export'],
    query,
    data: nothing,
    raw: true,
  },
})
