import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { someOf } from '../../kit/decimals.ts'
import { uploaded, words } from '../../kit/fields.ts'
import { logged } from '../../kit/logged.ts'
import { uuid } from '../../kit/paging.ts'
import {
  dispatchState,
  logisticsProgress,
  logisticsStatus,
  logisticsType,
} from '../dispatch/dispatch.record.ts'
import { examineState } from '../examine/examine.record.ts'
import { acceptanceResult, checkState } from '../pieces/pieces.record.ts'

/** An acceptor's finding about goods that have arrived. */
export const finding = defineCodes('finding', '验收结论', {
  accepted: [2, '合格'],
  short: [3, '补货'],
  exchange: [4, '换货'],
  return: [5, '退货'],
})
export const goodsReason = defineCodes('goodsReason', '原因', {
  short: ['short', '少件'],
  wrong: ['wrong', '错货'],
  broken: ['broken', '破损'],
  quality: ['quality', '质量'],
  colour: ['colour', '色差/批次'],
  mind: ['mind', '客户改主意'],
  other: ['other', '其他'],
})
/** A step of a change as its details have it. */
export const changeDetailType = defineCodes('changeDetailType', '退换补明细', {
  ship: [0, '发货'],
  short: [1, '补货'],
  exchange: [2, '换货'],
  return: [3, '退货'],
})
export const goodsChangeState = defineCodes('goodsChangeState', '处理状态', {
  open: ['open', '处理中'],
  closed: ['closed', '已完成'],
  unsolved: ['unsolved', '未解决'],
  withdrawn: ['withdrawn', '已撤回'],
  rejected: ['rejected', '已驳回'],
})
export const goodsAnswer = defineCodes('goodsAnswer', '商家答复', {
  none: ['', '未答复'],
  agree: ['agree', '同意'],
  dispute: ['dispute', '有异议'],
})
/** The fate of goods that go back, and of those beyond the order. */
export const goodsOutcome = defineCodes('goodsOutcome', '处理方式', {
  none: ['', '--'],
  again: ['again', '再订'],
  reduce: ['reduce', '不要，走减项'],
  borne: ['borne', '不要，公司承担'],
  back: ['back', '退回商家'],
  bought: ['bought', '另下单买下'],
})
export const goodsGrade = defineCodes('goodsGrade', '退货验货', {
  none: ['', '未验'],
  good: ['good', '完好'],
  damaged: ['damaged', '损坏'],
})
/** From this round on a supervisor hears of it. */
export const LATE_ROUND = 3
export const MOST_FINDINGS = 200
export const MOST_OF_LINE = 10
/** The reason why these findings of one line cannot be handed in together. */
export function splitTooFar(findings: readonly { result: number }[]): string | undefined {
  if (findings.filter((f) => f.result === finding.code.accepted).length > 1)
    return '同一行的“合格”请合并成一条'
  return findings.length > MOST_OF_LINE ? `同一行一次最多 ${MOST_OF_LINE} 条结论` : undefined
}
const decimal = z.string()

/** A note that has arrived: the sheet on which it is accepted. */
export const sheetRow = z.object({
  id: z.string(),
  sheetCode: z.string(),
  code: z.string(),
  order_id: z.string(),
  orderCode: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  site_id: z.string(),
  ws_name: z.string(),
  receiverName: z.string(),
  state: dispatchState.schema,
  lines: z.number().int(),
  /** Lines of which everything has been judged. */
  linesChecked: z.number().int(),
  checkState: checkState.schema,
  checkedBy: z.string(),
  checkedAt: z.number().int().nullable(),
  deliveredAt: z.number().int(),
  buyer: z.boolean(),
  version: z.number().int(),
})
export type SheetRow = z.output<typeof sheetRow>
export const sheetLine = z.object({
  line_id: z.string(),
  code: z.string(),
  name: z.string(),
  detail: z.string(),
  unit: z.string(),
  /** That the note brought, and what of it nobody has judged yet. */
  quantity: decimal,
  waiting: decimal,
  /** Accepted quantity that is still inside the complaint period. */
  accepted: decimal,
  judgements: z.array(
    z.object({
      id: z.string(),
      result: acceptanceResult.schema,
      quantity: decimal,
      reasonCode: z.string(),
      reason: z.string(),
      photos: z.array(z.string()),
      changeCode: z.string(),
      who: z.string(),
      at: z.number().int(),
    }),
  ),
})
export const sheetDetail = sheetRow.extend({
  deliveredBy: z.string(),
  deliveredPlace: z.string(),
  photo: z.string().nullable(),
  signature: z.string().nullable(),
  /** What the driver told of: it is no judgement. */
  damage: z.string(),
  damagePhoto: z.string().nullable(),
  /** The last day on which something accepted can be complained of; null before anything is. */
  complainUntil: z.string().nullable(),
  lineList: z.array(sheetLine),
})
export type SheetDetail = z.output<typeof sheetDetail>

export const goodsChangeRow = z.object({
  id: z.string(),
  code: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  order_id: z.string(),
  orderCode: z.string(),
  receiver_id: z.string(),
  receiverName: z.string(),
  site_id: z.string(),
  ws_name: z.string(),
  note_id: z.string(),
  noteCode: z.string(),
  name: z.string(),
  unit: z.string(),
  /** Empty of goods beyond the order. */
  result: finding.schema.nullable(),
  surplus: z.boolean(),
  quantity: decimal,
  reasonCode: goodsReason.schema,
  reason: z.string(),
  photos: z.array(z.string()),
  round: z.number().int(),
  late: z.boolean(),
  examineState: examineState.schema,
  state: goodsChangeState.schema,
  answer: goodsAnswer.schema,
  answerDue: z.number().int(),
  outcome: goodsOutcome.schema,
  /** Stays on the site, to be thrown away or paid without going back. */
  scrap: z.boolean(),
  /** Of what comes instead or goes back: the least of its legs. */
  progress: logisticsProgress.schema.nullable(),
  madeBy: z.string(),
  made_by: z.string(),
  madeAt: z.number().int(),
  /** Something that comes instead has left. */
  sent: z.boolean(),
  /** Something that comes instead stands on no note. */
  loose: z.boolean(),
  /** What went back is to be reduced from the contract, and is not yet. */
  toReduce: z.boolean(),
  buyer: z.boolean(),
  receiver: z.boolean(),
  version: z.number().int(),
})
export type GoodsChangeRow = z.output<typeof goodsChangeRow>
/** Films of a camera of the site around the handover, held; `recorded`: there is something of it. */
const handoverClip = z.object({
  device_id: z.string(),
  deviceSn: z.string(),
  from: z.number().int(),
  to: z.number().int(),
  recorded: z.boolean(),
})
export const goodsChangeDetail = goodsChangeRow.extend({
  /** The handover of its note, as both parties see it. */
  deliveredBy: z.string(),
  deliveredAt: z.number().int().nullable(),
  deliveredPlace: z.string(),
  deliveryPhoto: z.string().nullable(),
  signature: z.string().nullable(),
  /** The site before and while the goods came; of the home, so for those alone who ordered. */
  still: z.object({ picture: z.string(), at: z.number().int() }).nullable(),
  clips: z.array(handoverClip),
  answerReason: z.string(),
  answerPhotos: z.array(z.string()),
  answerName: z.string(),
  answerAt: z.number().int().nullable(),
  outcomeReason: z.string(),
  steps: z.array(
    z.object({
      id: z.string(),
      code: z.string(),
      type: logisticsType.schema,
      changeDetailType: changeDetailType.schema,
      progress: logisticsProgress.schema,
      status: logisticsStatus.schema,
      noteCode: z.string(),
      grade: goodsGrade.schema,
      gradeReason: z.string(),
      disputed: z.string(),
      /** The sum that the receiver asks for goods that came back damaged, or that was decided. */
      damage: decimal,
      /** An examiner decides about it. */
      deciding: z.boolean(),
      version: z.number().int(),
    }),
  ),
  /** The same piece's earlier and later changes. */
  rounds: z.array(z.object({ id: z.string(), code: z.string(), round: z.number().int() })),
})
export type GoodsChangeDetail = z.output<typeof goodsChangeDetail>

export const goodsPhotos = z
  .array(uploaded)
  .max(6, { error: '照片最多 6 张' })
  .default([])
  .meta({ title: '照片' })
const complaint = {
  line_id: uuid.meta({ title: '行号' }),
  quantity: someOf('数量'),
  reasonCode: goodsReason.schema.default('other').meta({ title: '原因' }),
  reason: words('说明', 200),
  photos: goodsPhotos,
  /** The quantity that goes back. */
  outcome: goodsOutcome.schema.default('').meta({ title: '处理方式' }),
  outcomeReason: words('处理说明', 200),
  scrap: z.boolean().default(false).meta({ title: '现场报废' }),
}
export const findingFacts = z.object({ ...complaint, result: finding.schema.meta({ title: '验收结论' }) })
export type FindingFacts = z.output<typeof findingFacts>
export const surplusFacts = z.object(complaint)
export type SurplusFacts = z.output<typeof surplusFacts>

export const goodsLog = logged('退换补', {
  code: '单号',
  sheet: '验收单',
  item: '商品',
  result: ['验收结论', finding],
  quantity: '数量',
  reasonCode: ['原因类别', goodsReason],
  answer: ['商家答复', goodsAnswer],
  outcome: ['处理方式', goodsOutcome],
  grade: ['退货验货', goodsGrade],
  accepted: '合格行数',
  changes: '退换补单',
  state: ['处理状态', goodsChangeState],
  note: '发货单',
  progress: ['物流进度', logisticsProgress],
  amount: '赔付金额',
})
