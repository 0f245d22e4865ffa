import type { WarningRule } from '../warnings/warnings.record.ts'
import { count, setting } from './setting.ts'

const MOST = 60
const level = '达到门槛为一般，两倍为重要，三倍为紧急；0 不行，规则不能关掉'
const late = (title: string, what: string, otherwise: number) =>
  setting({
    group: '预警',
    title,
    what: `${what}；${level}`,
    unit: '个工作日',
    value: count(1, MOST),
    otherwise,
    input: 'number',
  })
const often = (title: string, what: string, otherwise: number) =>
  setting({
    group: '预警',
    title,
    what: `${what}；${level}`,
    unit: '次',
    value: count(2, MOST),
    otherwise,
    input: 'number',
  })

/** From how much on a rule warns. */
export const WARNING_SETTINGS = {
  warnStartDays: late('该开始没开始', '阶段过了计划开始多少个工作日还没有开始，产生预警', 3),
  warnFinishDays: late('到期没做完', '阶段过了计划完成多少个工作日还没有验收，产生预警', 3),
  warnDays: late('阶段中无人施工', '进行中的阶段连续多少个工作日没有人，产生预警', 3),
  warnAcceptDays: late('没验收就做下一项', '下一阶段开始多少个工作日了，上一阶段还没有验收，产生预警', 2),
  warnFailTimes: often('同一项多次不合格', '同一检查项连续多少次不合格，产生预警', 2),
  warnOverdueDays: late('整改超期', '整改过了期限多少个工作日，产生预警', 1),
  warnPoorTimes: often('整洁度连续差', '整洁度连续多少次为差，产生预警', 3),
} as const

/** The threshold of each rule. */
export const THRESHOLD_OF = {
  lateStart: 'warnStartDays',
  lateFinish: 'warnFinishDays',
  nobody: 'warnDays',
  unaccepted: 'warnAcceptDays',
  failed: 'warnFailTimes',
  overdue: 'warnOverdueDays',
  untidy: 'warnPoorTimes',
} as const satisfies Record<WarningRule, keyof typeof WARNING_SETTINGS>
