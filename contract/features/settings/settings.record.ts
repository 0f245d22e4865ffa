import { z } from 'zod'

import { badLine, type DatedDay, readCalendar } from '../../kit/calendar.ts'
import { logged } from '../../kit/logged.ts'
import { alarmType } from '../alarms/alarms.record.ts'
import { VIOLATION_POINTS, violationType } from '../violations/violations.record.ts'
import { CUSTOMER_SETTINGS } from './customer-settings.ts'
import { FEEDBACK_SETTINGS } from './feedback-settings.ts'
import { KEEPING_SETTINGS } from './keeping-settings.ts'
import { OWNER_VIDEO_SETTINGS } from './owner-video-settings.ts'
import { count, type Setting, setting, time } from './setting.ts'
import { WARNING_SETTINGS } from './warning-settings.ts'

export type { Setting } from './setting.ts'

/** As text, a day or a span of days a line; kept as days. */
const dated = z.string({ error: '应为文字，每行一天或一段' }).transform((text, ctx): DatedDay[] => {
  const { days, bad } = readCalendar(text)
  if (bad.length === 0) return days
  ctx.addIssue({ code: 'custom', message: bad.slice(0, 3).map(badLine).join('；') })
  return z.NEVER
})

/** The points of a violation from now on. */
const points = (type: keyof typeof VIOLATION_POINTS) =>
  setting({
    group: '违规扣分',
    title: violationType.label(type),
    what: '以后每次这类违规扣多少分；已经记下的扣分不变',
    unit: '分',
    value: count(0, 100),
    otherwise: VIOLATION_POINTS[type],
    input: 'number',
  })

/** How long ago something may have been that is written down today. */
const daysBack = <const G extends string>(group: G, title: string, what: string) =>
  setting({ group, title, what, unit: '天', value: count(0, 90), otherwise: 7, input: 'number' })

/** Every setting, once: a branch's value counts before the group's, and that before ours. Each is wired to what it steers. */
export const SETTINGS = {
  workStart: setting({
    group: '作息',
    title: '上班时间',
    what: '期限只在上班时间里走：下班就停住，下一个上班时间接着走',
    value: time,
    otherwise: '00:00',
    input: 'time',
  }),
  workEnd: setting({
    group: '作息',
    title: '下班时间',
    what: '与上班时间合成工作时段；00:00 到 23:59 表示全天，期限不停',
    value: time,
    otherwise: '23:59',
    input: 'time',
  }),
  restDays: setting({
    group: '作息',
    title: '每周休息日',
    what: '休息日不算无人施工，不算应出勤，期限也停住',
    value: z
      .array(count(0, 6))
      .transform((days) => [...new Set(days)].sort((one, other) => one - other))
      .refine((days) => days.length < 7, { error: '一周至少有一个工作日' }),
    otherwise: [],
    input: 'days',
  }),
  calendar: setting({
    group: '作息',
    title: '节假日和调休',
    what: '按日期写明的休息日和上班日，先于每周休息日；分公司写的日期先于集团的。还没到期的期限随它改，已经过去的不变',
    value: dated,
    otherwise: [],
    input: 'calendar',
  }),
  noWorkTellDays: setting({
    group: '停工',
    title: '停工通知天数',
    what: '连续无人施工满这些天，当夜通知项目经理和管家；0 表示不通知',
    unit: '天',
    value: count(0, 60),
    otherwise: 3,
    input: 'number',
  }),
  makeupDays: daysBack('考勤', '补卡期限', '多少天以内的考勤可以补卡'),
  offlineMinutes: setting({
    group: '设备',
    title: '离线判定',
    what: '设备多少分钟没有心跳算离线',
    unit: '分钟',
    value: count(1, 1_440),
    otherwise: 5,
    input: 'number',
  }),
  answerHours: setting({
    group: '整改期限',
    title: '判定期限',
    what: '报警或整改单没有人负责时，多少个工作小时内由能指派的人指派或取消，过了算超期；超期当时提醒轮到的人，满一天和三天连主管一起提醒，以后每周一次，直到办结',
    unit: '小时',
    clock: '现在报警',
    value: count(1, 720),
    otherwise: 24,
    input: 'number',
  }),
  objectionHours: setting({
    group: '审核',
    title: '申诉裁定期限',
    what: '违规申诉后多少个工作小时内裁定，过了提醒可以裁定的人，以后每天提醒；从不自动裁定',
    unit: '小时',
    clock: '现在申诉',
    value: count(1, 720),
    otherwise: 24,
    input: 'number',
  }),
  examineHours: setting({
    group: '审核',
    title: '审核期限',
    what: '提交后多少个工作小时内审核，过了提醒审核人，再过一天提醒上级；从不自动通过',
    unit: '小时',
    clock: '现在提交',
    value: count(1, 720),
    otherwise: 8,
    input: 'number',
  }),
  orderHours: setting({
    group: '订单',
    title: '接单期限',
    what: '下单后多少个工作小时内由商家答复，过了提醒双方；从不自动接单',
    unit: '小时',
    clock: '现在下单',
    value: count(1, 720),
    otherwise: 8,
    input: 'number',
  }),
  pickupDays: setting({
    group: '订单',
    title: '自提期限',
    what: '到店自提的货最晚多少天内取走，过了提醒下单员处理',
    unit: '天',
    value: count(1, 90),
    otherwise: 7,
    input: 'number',
  }),
  complaintDays: setting({
    group: '订单',
    title: '验收后申诉期',
    what: '验收以后多少天内还可以申请补货、换货或退货',
    unit: '天',
    value: count(0, 365),
    otherwise: 15,
    input: 'number',
  }),
  warrantyDays: setting({
    group: '订单',
    title: '保修期',
    what: '完工以后多少天内还可以申请补货、换货和退货，并发售后的货',
    unit: '天',
    value: count(0, 3650),
    otherwise: 730,
    input: 'number',
  }),
  changeHours: setting({
    group: '订单',
    title: '退换补答复期限',
    what: '申请后多少个工作小时内由商家同意或提出异议，过了提醒双方',
    unit: '小时',
    clock: '现在申请',
    value: count(1, 720),
    otherwise: 24,
    input: 'number',
  }),
  payFirst: setting({
    group: '订单',
    title: '款到下单',
    what: '合同有到期未收的款时，它的商品不能下单',
    value: z.boolean(),
    otherwise: false,
    input: 'switch',
  }),
  'correctionHours.smoking': setting({
    group: '整改期限',
    title: alarmType.label('smoking'),
    what: '指派后多少个工作小时内整改',
    unit: '小时',
    clock: '现在指派',
    value: count(1, 720),
    otherwise: 24,
    input: 'number',
  }),
  'correctionHours.noclothes': setting({
    group: '整改期限',
    title: alarmType.label('noclothes'),
    what: '指派后多少个工作小时内整改',
    unit: '小时',
    clock: '现在指派',
    value: count(1, 720),
    otherwise: 24,
    input: 'number',
  }),
  'correctionHours.cameraproblem': setting({
    group: '整改期限',
    title: alarmType.label('cameraproblem'),
    what: '指派后多少个工作小时内整改',
    unit: '小时',
    clock: '现在指派',
    value: count(1, 720),
    otherwise: 24,
    input: 'number',
  }),
  'correctionHours.patrol': setting({
    group: '整改期限',
    title: '巡检问题',
    what: '指派后多少个工作小时内整改',
    unit: '小时',
    clock: '现在指派',
    value: count(1, 720),
    otherwise: 48,
    input: 'number',
  }),
  'correctionHours.tidiness': setting({
    group: '整改期限',
    title: '整洁度',
    what: '指派后多少个工作小时内整改',
    unit: '小时',
    clock: '现在指派',
    value: count(1, 720),
    otherwise: 24,
    input: 'number',
  }),
  'correctionHours.feedback': setting({
    group: '整改期限',
    title: '业主反馈',
    what: '由反馈开出的整改单没有写明日期时，指派后多少个工作小时内整改',
    unit: '小时',
    clock: '现在指派',
    value: count(1, 720),
    otherwise: 48,
    input: 'number',
  }),
  ...CUSTOMER_SETTINGS,
  ...FEEDBACK_SETTINGS,
  ...WARNING_SETTINGS,
  reopenDays: setting({
    group: '整改期限',
    title: '可重开天数',
    what: '整改完成或取消后多少天内可以重开',
    unit: '天',
    value: count(0, 90),
    otherwise: 7,
    input: 'number',
  }),
  rankSize: setting({
    group: '巡检',
    title: '今日该巡数',
    what: '每天早上列出最该巡的这么多个工地，其中十分之一随机抽查',
    unit: '个',
    value: count(1, 200),
    otherwise: 10,
    input: 'number',
  }),
  tidinessTimes: setting({
    group: '整洁度',
    title: '每天什么时间应检',
    what: '在建工地的摄像头每天到这些时间应有一次整洁度检查，前后 30 分钟内都算；过了还没有的，在整洁度检查页提示应检未检。休息日不提示；不填表示不要求',
    value: z
      .array(time)
      .max(6, { error: '一天最多 6 个时间' })
      .refine((all) => new Set(all).size === all.length, { error: '同一个时间写了两遍' })
      .transform((all) => [...all].sort()),
    otherwise: [],
    input: 'times',
  }),
  violationDays: daysBack('违规扣分', '违规登记期限', '多少天以内的违规可以登记'),
  'violationPoints.noclothes': points('noclothes'),
  'violationPoints.smoking': points('smoking'),
  'violationPoints.helmet': points('helmet'),
  'violationPoints.electric': points('electric'),
  'violationPoints.fire': points('fire'),
  'violationPoints.litter': points('litter'),
  'violationPoints.other': points('other'),
  trustSample: setting({
    group: 'AI 报警',
    title: '看最近多少条判定',
    what: '一台摄像头的一类报警按最近这么多条判定算误报率；不足这么多条，不改变提醒方式',
    unit: '条',
    value: count(5, 100),
    otherwise: 10,
    input: 'number',
  }),
  trustDemote: setting({
    group: 'AI 报警',
    title: '转为需人工看',
    what: '误报率达到多少，这台摄像头的这类报警转为需人工看：照常入库和统计，不再提醒人',
    unit: '%',
    value: count(1, 100),
    otherwise: 60,
    input: 'number',
  }),
  trustPromote: setting({
    group: 'AI 报警',
    title: '恢复通知',
    what: '需人工看的，误报率降到多少以下恢复通知；应低于上一项',
    unit: '%',
    value: count(0, 99),
    otherwise: 30,
    input: 'number',
  }),
  payDays: setting({
    group: '合同',
    title: '付款期限',
    what: '款项到期后多少天内付清不算逾期；0 表示到期当天付清',
    unit: '天',
    value: count(0, 90),
    otherwise: 7,
    input: 'number',
  }),
  ...OWNER_VIDEO_SETTINGS,
  retrievalDays: setting({
    group: '设备',
    title: '回收期限',
    what: '工地完工或终止后多少天内收回设备，过期提醒负责人和设备管理员',
    unit: '天',
    value: count(1, 90),
    otherwise: 7,
    input: 'number',
  }),
  watermark: setting({
    group: '图片',
    title: '原图水印',
    what: '查看和下载原图时叠加查看人的姓名、账号和时间，外传了能追查到人；列表里的小图不加',
    value: z.boolean({ error: '应为是或否' }),
    otherwise: false,
    input: 'switch',
  }),
  ...KEEPING_SETTINGS,
} as const
export type SettingKey = keyof typeof SETTINGS
export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[]
export const WEEKDAYS = ['周日', '周一', '周二', '周三', '周四', '周五', '周六'] as const

interface SettingRule {
  keys: readonly SettingKey[]
  /** Where it is said, unless what was changed is another of them. */
  at: SettingKey
  why: string
  says(value: (key: SettingKey) => unknown): string
  holds(value: (key: SettingKey) => unknown): boolean
}
/** Deadlines count working hours: a shorter day would put them off by months. */
const SHORTEST_DAY = 4 * 60
const minutesOf = (clock: unknown): number => {
  const [hours = 0, minutes = 0] = String(clock).split(':').map(Number)
  return hours * 60 + minutes
}
/** Settings that only make sense together, whoever set each of them: the product, the group or the branch. */
export const SETTING_RULES: readonly SettingRule[] = [
  {
    keys: ['workStart', 'workEnd'],
    at: 'workEnd',
    why: '下班时间应比上班时间至少晚 4 小时：整改和答复的时限按工作时间计算',
    says: (value) => `${String(value('workStart'))}–${String(value('workEnd'))}`,
    holds: (value) => minutesOf(value('workEnd')) - minutesOf(value('workStart')) >= SHORTEST_DAY,
  },
  {
    keys: ['trustDemote', 'trustPromote'],
    at: 'trustPromote',
    why: '“恢复通知”的误报率应低于“转为需人工看”的，否则同一个误报率又转又恢复',
    says: (value) =>
      `达到 ${String(value('trustDemote'))}% 转为需人工看，低于 ${String(value('trustPromote'))}% 恢复通知`,
    holds: (value) => Number(value('trustPromote')) < Number(value('trustDemote')),
  },
]

export const settingRow = z.object({
  key: z.enum(SETTING_KEYS as [SettingKey, ...SettingKey[]]),
  /** The value that counts now, and its source. */
  value: z.unknown(),
  from: z.enum(['branch', 'group', 'product']),
  /** The value that would count without the one set here. */
  inherited: z.unknown(),
})
export type SettingRow = z.output<typeof settingRow>
export const settingsOfBranch = z.object({
  bc_id: z.string(),
  bc_name: z.string(),
  editable: z.boolean(),
  settings: z.array(settingRow),
  /** People whom a setting names, and why work cannot be given to them today. */
  people: z.array(z.object({ id: z.string(), nickname: z.string(), why: z.string().nullable() })),
})

/** The log\'s names for the fields of settings. */
export const settingLog = logged('设置', {
  branch: '分公司',
  ...Object.fromEntries(
    Object.entries<Setting>(SETTINGS).map(([key, s]) => [key, s.unit ? `${s.title}（${s.unit}）` : s.title]),
  ),
})
