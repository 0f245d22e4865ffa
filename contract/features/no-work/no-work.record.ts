import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { noWork } from '../sites/sites.record.ts'

/** Why a site stands still, as a person wrote it down. */
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
/** What the data say while nobody has written anything, and who has to move next. */
export const likelyCause = defineCodes('likelyCause', '可能原因', {
  blind: ['blind', '设备全部离线，情况不明'],
  owner: ['owner', '等业主决定'],
  nobody: ['nobody', '没有派驻工人'],
  goods: ['goods', '本阶段的商品还没到'],
  waiting: ['waiting', '本阶段还没有进场'],
  late: ['late', '本阶段已超过计划完工日'],
  none: ['none', '看不出原因'],
})
export const BALL: Record<string, string> = {
  blind: '设备管理员',
  owner: '业主',
  nobody: '项目经理',
  goods: '下单员',
  waiting: '项目经理',
  late: '项目经理',
  none: '项目经理',
}
/** Filter beside the codes: nobody has written a reason yet. */
export const NO_REASON = 'unsaid'

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
  reason: stopReason.schema.nullable(),
  remark: z.string(),
  reasonBy: z.string(),
  reasonAt: z.number().int().nullable(),
  likely: likelyCause.schema,
  /** Goods of the present stage that are not there, in words; and the orders that they stand in. */
  missing: z.string(),
  missingOrders: z.array(z.object({ id: z.string(), code: z.string() })),
  /** What the owner has to decide before the present stage goes on, in words; overdue first. */
  undecided: z.string(),
  /** When the manager was last told of it. */
  toldAt: z.number().int().nullable(),
  version: z.number().int(),
})
export type NoWorkRow = z.output<typeof noWorkRow>
