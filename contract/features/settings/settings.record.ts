import { z } from 'zod'

import { logged } from '../../kit/logged.ts'
import { alarmType } from '../alarms/alarms.record.ts'

export interface Setting {
  group: string
  title: string
  /** What it steers, in a sentence a manager understands. */
  what: string
  unit?: string
  value: z.ZodType
  otherwise: unknown
  /** How the page asks for it. */
  input: 'number' | 'days' | 'time' | 'switch'
}
const setting = <const S extends Setting>(s: S): S => s
const count = (min: number, max: number) =>
  z
    .number({ error: '应为数字' })
    .int({ error: '应为整数' })
    .min(min, { error: `至少 ${min}` })
    .max(max, { error: `最多 ${max}` })
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: '时间格式应为 08:00' })

/** Every setting, once: a branch's value counts before the group's, and that before ours. Each is wired to what it steers. */
export const SETTINGS = {
  workStart: setting({
    group: '作息',
    title: '上班时间',
    what: '整改期限落在下班之后的，顺延到下一个上班时间',
    value: time,
    otherwise: '00:00',
    input: 'time',
  }),
  workEnd: setting({
    group: '作息',
    title: '下班时间',
    what: '与上班时间合成工作时段；00:00 到 23:59 表示不区分',
    value: time,
    otherwise: '23:59',
    input: 'time',
  }),
  restDays: setting({
    group: '作息',
    title: '每周休息日',
    what: '休息日不算无人施工，也不算应出勤',
    value: z.array(count(0, 6)).max(6, { error: '一周至少有一个工作日' }),
    otherwise: [],
    input: 'days',
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
  makeupDays: setting({
    group: '考勤',
    title: '补卡期限',
    what: '多少天以内的考勤可以补卡',
    unit: '天',
    value: count(0, 90),
    otherwise: 7,
    input: 'number',
  }),
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
    what: '报警出现后多少小时内由复核人指派或取消，过了算超期',
    unit: '小时',
    value: count(1, 720),
    otherwise: 24,
    input: 'number',
  }),
  'correctionHours.smoking': setting({
    group: '整改期限',
    title: alarmType.label('smoking'),
    what: '指派后多少小时内整改',
    unit: '小时',
    value: count(1, 720),
    otherwise: 24,
    input: 'number',
  }),
  'correctionHours.noclothes': setting({
    group: '整改期限',
    title: alarmType.label('noclothes'),
    what: '指派后多少小时内整改',
    unit: '小时',
    value: count(1, 720),
    otherwise: 24,
    input: 'number',
  }),
  'correctionHours.cameraproblem': setting({
    group: '整改期限',
    title: alarmType.label('cameraproblem'),
    what: '指派后多少小时内整改',
    unit: '小时',
    value: count(1, 720),
    otherwise: 24,
    input: 'number',
  }),
  reopenDays: setting({
    group: '整改期限',
    title: '可重开天数',
    what: '整改完成或取消后多少天内可以重开',
    unit: '天',
    value: count(0, 90),
    otherwise: 7,
    input: 'number',
  }),
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
  rawDays: setting({
    group: '保留',
    title: '原始事件保留',
    what: '设备原始上报保留多少天，过期的每天凌晨删除，保留最久的随整月一起删（最多晚一个月）；考勤和报警不受影响',
    unit: '天',
    value: count(30, 1_095),
    otherwise: 400,
    input: 'number',
  }),
} as const
export type SettingKey = keyof typeof SETTINGS
export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[]
export const WEEKDAYS = ['周日', '周一', '周二', '周三', '周四', '周五', '周六'] as const

export const settingRow = z.object({
  key: z.enum(SETTING_KEYS as [SettingKey, ...SettingKey[]]),
  /** What counts now, and where it comes from. */
  value: z.unknown(),
  from: z.enum(['branch', 'group', 'product']),
  /** What it would be without the value set here. */
  inherited: z.unknown(),
})
export type SettingRow = z.output<typeof settingRow>
export const settingsOfBranch = z.object({
  bc_id: z.string(),
  bc_name: z.string(),
  editable: z.boolean(),
  settings: z.array(settingRow),
})

/** What the log tells of settings. */
export const settingLog = logged('设置', {
  branch: '分公司',
  ...Object.fromEntries(
    Object.entries<Setting>(SETTINGS).map(([key, s]) => [key, s.unit ? `${s.title}（${s.unit}）` : s.title]),
  ),
})
