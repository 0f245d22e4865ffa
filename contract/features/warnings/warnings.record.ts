import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { siteStage } from '../sites/sites.record.ts'

export const warningKind = defineCodes('warningKind', '类型', {
  schedule: ['schedule', '工期'],
  quality: ['quality', '质量'],
})
/** A rule that is looked for; each has one threshold of a branch (settings). */
export const warningRule = defineCodes('warningRule', '规则', {
  lateStart: ['lateStart', '该开始没开始'],
  lateFinish: ['lateFinish', '到期没做完'],
  nobody: ['nobody', '阶段中无人施工'],
  unaccepted: ['unaccepted', '没验收就做下一项'],
  failed: ['failed', '同一项多次不合格'],
  overdue: ['overdue', '整改超期'],
  untidy: ['untidy', '整洁度连续差'],
})
export type WarningRule = (typeof warningRule.values)[number]
const { failed, lateFinish, lateStart, nobody, overdue, unaccepted, untidy } = warningRule.code
export const RULES_OF = {
  schedule: [lateStart, lateFinish, nobody, unaccepted],
  quality: [failed, overdue, untidy],
} as const satisfies Record<(typeof warningKind.values)[number], readonly WarningRule[]>
/** Rules that count how often something was found; the others count working days. */
export const COUNTED: readonly WarningRule[] = [failed, untidy]

/**
 * The reason why the warnings of nobody on a site are other ones than the sites that stand still: said on both
 * pages.
 */
export const NOBODY_COUNTS =
  '“阶段中无人施工”预警只看正在做的阶段：从阶段开始数起，' +
  '登记了停工原因的不算。停工预警看所有在建工地：从最后一次有人打卡数起，登记了原因也列出。' +
  '两边都不数休息日和设备全天离线的日子，所以条数和天数会不同。'

/** By the deviation: once, twice, three times the threshold. */
export const warningLevel = defineCodes('warningLevel', '等级', {
  normal: [1, '一般'],
  important: [2, '重要'],
  urgent: [3, '紧急'],
})
export const warningState = defineCodes('warningState', '预警状态', {
  open: ['open', '待处理'],
  handling: ['handling', '处理中'],
  closed: ['closed', '已关闭'],
})
/** The person whose turn it is. */
export const warningBall = defineCodes('warningBall', '轮到谁', {
  manager: ['manager', '项目经理'],
  owner: ['owner', '业主'],
  goods: ['goods', '材料'],
  assignee: ['assignee', '整改责任人'],
})
/** The reason why it is closed. A plan that was moved is counted apart from work that was done. */
export const warningEnd = defineCodes('warningEnd', '关闭方式', {
  done: ['done', '已办'],
  replanned: ['replanned', '改期消除'],
  lifted: ['lifted', '原因不在了'],
  over: ['over', '工地结束'],
  hand: ['hand', '人工关闭'],
})
/** Lines of the ledger. */
export const warningAct = defineCodes('warningAct', '预警记录', {
  open: ['open', '产生'],
  rise: ['rise', '升级'],
  ease: ['ease', '降级'],
  take: ['take', '处理'],
  back: ['back', '退回待处理'],
  close: ['close', '关闭'],
})

export const warningRow = z.object({
  id: z.string(),
  kind: warningKind.schema,
  rule: warningRule.schema,
  level: warningLevel.schema,
  state: warningState.schema,
  site_id: z.string(),
  siteName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  stage: siteStage.schema.nullable(),
  /** The subject, where that is no stage: the problem, the item of the patrols. */
  about: z.string(),
  /** The day of the plan from which it is late. */
  planned: z.string().nullable(),
  /** The fate of the stage until now. */
  actualStart: z.string().nullable(),
  actualFinish: z.string().nullable(),
  /** Working days, or how often (`COUNTED`). */
  deviation: z.number().int(),
  /** The same against the first plan, whatever was planned since. */
  baselineDeviation: z.number().int().nullable(),
  ball: warningBall.schema,
  /** The thing that is waited for: the goods with their state, the owner's question. */
  ballAbout: z.string(),
  /** Nobody where goods or the owner are waited for. */
  responsible_id: z.string().nullable(),
  responsibleName: z.string(),
  manager_id: z.string().nullable(),
  steward_id: z.string().nullable(),
  openedAt: z.number().int(),
  /** Somebody handles it; until this day nobody is reminded. */
  until: z.string().nullable(),
  takenBy: z.string(),
  closedAt: z.number().int().nullable(),
  end: warningEnd.schema.nullable(),
  correction_id: z.string().nullable(),
  version: z.number().int(),
})
export type WarningRow = z.output<typeof warningRow>
export const warningDetail = warningRow.extend({
  /** Orders of the goods that the stage lacks. */
  orders: z.array(z.object({ id: z.string(), code: z.string() })),
  log: z.array(
    z.object({
      at: z.number().int(),
      actor: z.string(),
      act: warningAct.schema,
      level: warningLevel.schema,
      deviation: z.number().int(),
      text: z.string(),
    }),
  ),
})
export type WarningDetail = z.output<typeof warningDetail>

/** A deviation with its unit. */
export const deviationWords = (rule: WarningRule, n: number): string =>
  COUNTED.includes(rule) ? `${n} 次` : `${n} 个工作日`

/** The user log\'s names for the fields of a warning. */
export const warningLog = logged('预警', {
  rule: ['规则', warningRule],
  site_id: ['工地', 'site'],
  level: ['等级', warningLevel],
  state: ['预警状态', warningState],
  until: '处理到',
  text: ['说明', 'personal'],
})
