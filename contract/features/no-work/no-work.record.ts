import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { noWork } from '../sites/sites.record.ts'

/** The reason why a site stands still, as a person wrote it down; it holds up to a day. */
export const stopReason = defineCodes('stopReason', '停工原因', {
  material: ['material', '缺料'],
  owner: ['owner', '业主原因'],
  crew: ['crew', '缺工人'],
  process: ['process', '等待下道工序'],
  weather: ['weather', '天气'],
  dispute: ['dispute', '纠纷'],
  holiday: ['holiday', '放假'],
  device: ['device', '设备故障（实际有人）'],
  other: ['other', '其他'],
})
/** The reason that the data give while nobody has written anything. */
export const likelyCause = defineCodes('likelyCause', '可能原因', {
  blind: ['blind', '设备全部离线，情况不明'],
  owner: ['owner', '等业主决定'],
  nobody: ['nobody', '没有派驻工人'],
  goods: ['goods', '本阶段的商品还没到'],
  rest: ['rest', '今天休息'],
  waiting: ['waiting', '本阶段还没有进场'],
  late: ['late', '本阶段已超过计划完工日'],
  none: ['none', '看不出原因'],
})
/** Who has to move next, by the reason that was said or else by what the data say. */
export const stopBall = defineCodes('stopBall', '球在谁手里', {
  manager: ['manager', '项目经理'],
  clerk: ['clerk', '下单员'],
  supplier: ['supplier', '商家'],
  owner: ['owner', '业主'],
  keeper: ['keeper', '设备管理员'],
  branch: ['branch', '分公司'],
  /** Weather, holidays: it goes on by itself when their day comes. */
  nobody: ['nobody', '等日子到'],
})
/** Filter beside the codes: nobody has written a reason yet. */
export const NO_REASON = 'unsaid'

/** The time that a reason holds where nothing that it names has a day of its own. */
export const REASON_DAYS: Readonly<Record<(typeof stopReason.values)[number], number>> = {
  weather: 3,
  crew: 3,
  device: 3,
  material: 7,
  owner: 7,
  process: 7,
  holiday: 7,
  other: 7,
  dispute: 14,
}
/** No reason holds longer; what lasts is said again. */
export const LONGEST_REASON = 60

export const noWorkRow = z.object({
  id: z.string(),
  code: z.string(),
  ws_name: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  stage: z.string().nullable(),
  manager_id: z.string().nullable(),
  managerName: z.string(),
  noWork: z.array(noWork.schema),
  /** Days of the present run and of all such days since the start. */
  noWorkRun: z.number().int(),
  noWorkSum: z.number().int(),
  /** The last clock-in on the site; null when there never was one. */
  lastAt: z.number().int().nullable(),
  /** In force: until its day, and as long as the order or the question that it names is open. */
  reason: stopReason.schema.nullable(),
  /** What was said last and does not hold any more. */
  lapsed: stopReason.schema.nullable(),
  until: z.string().nullable(),
  remark: z.string(),
  reasonBy: z.string(),
  reasonAt: z.number().int().nullable(),
  likely: likelyCause.schema,
  ball: stopBall.schema,
  /** Since when it is theirs. */
  since: z.number().int().nullable(),
  /** The order that the reason names. */
  order: z.object({ id: z.string(), code: z.string() }).nullable(),
  /** The first working day to come, of a site whose branch rests today. */
  backOn: z.string().nullable(),
  /** Goods of the present stage that are not there, in words; and the orders that they stand in. */
  missing: z.string(),
  missingOrders: z.array(z.object({ id: z.string(), code: z.string() })),
  /** What the owner has to decide before it goes on, in words; overdue first. */
  undecided: z.string(),
  /** When the manager was last told of it. */
  toldAt: z.number().int().nullable(),
  version: z.number().int(),
})
export type NoWorkRow = z.output<typeof noWorkRow>

/** Something that a reason may name, in words, and the day up to which the reason would hold. */
const named = z.object({ id: z.string(), words: z.string(), until: z.string() })
export const stopChoices = z.object({
  /** Orders of the site whose goods are not all there. */
  orders: z.array(named),
  /** Goods of the site wait to be ordered. */
  toOrder: z.boolean(),
  /** The questions that the owner has not decided. */
  questions: z.array(named),
  /** Of a reason that names nothing. */
  until: z.record(stopReason.schema, z.string()),
})
export type StopChoices = z.output<typeof stopChoices>
