import { z } from 'zod'

import { defineApi, nothing } from '../../kit/api.ts'
import { amount } from '../../kit/decimals.ts'
import { reason, seen, words } from '../../kit/fields.ts'
import { commaList, day, flag, keyword, listQuery, optional, paged, uuid } from '../../kit/paging.ts'
import { examineState } from '../examine/examine.record.ts'
import { orderSide } from '../orders/orders.record.ts'
import { checkState } from '../pieces/pieces.record.ts'
import {
  finding,
  findingFacts,
  goodsAnswer,
  goodsChangeDetail,
  goodsChangeRow,
  goodsChangeState,
  goodsGrade,
  goodsPhotos,
  goodsReason,
  MOST_FINDINGS,
  sheetDetail,
  sheetRow,
  surplusFacts,
} from './goods.record.ts'

const place = {
  keyword,
  bc_id: optional(uuid).meta({ title: '分公司' }),
  site_id: optional(uuid).meta({ title: '工地' }),
  receiver_id: optional(uuid).meta({ title: '商家' }),
  order_id: optional(uuid).meta({ title: '订单' }),
  from: optional(day).meta({ title: '从' }),
  to: optional(day).meta({ title: '至' }),
  ids: commaList(uuid).meta({ title: '指定单据' }),
}
const sheetQuery = listQuery(['sheetCode', 'deliveredAt', 'checkedAt'], {
  ...place,
  checkState: commaList(checkState.schema).meta({ title: '验收状态' }),
  waiting: flag.meta({ title: '还有待验收' }),
})
const changeQuery = listQuery(['code', 'madeAt'], {
  ...place,
  result: commaList(finding.schema).meta({ title: '类型' }),
  examineState: commaList(examineState.schema).meta({ title: '审核状态' }),
  state: commaList(goodsChangeState.schema).meta({ title: '处理状态' }),
  reasonCode: commaList(goodsReason.schema).meta({ title: '原因' }),
  overdue: flag.meta({ title: '超过答复期限' }),
  side: optional(orderSide.schema).meta({ title: '我方' }),
})
const sheet = seen('验收单')
const change = seen('退换补单')
const made = z.object({ id: z.string(), code: z.string() })

export const goodsApi = defineApi({
  sheets: {
    method: 'POST',
    path: '/dsmcore/api/acceptance/list',
    title: '验收单',
    access: ['page:AcceptanceList'],
    query: sheetQuery,
    data: paged(sheetRow),
  },
  sheetsExport: {
    method: 'POST',
    path: '/dsmcore/api/acceptance/export',
    title: '导出验收单',
    access: ['accept:export'],
    query: sheetQuery,
    data: nothing,
    raw: true,
  },
  sheet: {
    method: 'POST',
    path: '/dsmcore/api/acceptance/details',
    title: '验收单详情',
    access: ['page:AcceptanceList'],
    query: z.object({ id: uuid.meta({ title: '验收单' }) }),
    data: sheetDetail,
  },
  /** What was found, several findings of a line too; what is not named waits on. */
  judge: {
    method: 'POST',
    path: '/dsmcore/api/acceptance/judge',
    title: '验收',
    access: ['accept:do'],
    body: z.object({
      ...sheet,
      findings: z
        .array(findingFacts)
        .min(1, { error: '请至少填一行验收结论' })
        .max(MOST_FINDINGS, { error: `一次最多 ${MOST_FINDINGS} 条` })
        .meta({ title: '验收结论' }),
    }),
    data: z.object({ changes: z.array(made) }),
    long: true,
  },
  /** More came than was ordered. */
  surplus: {
    method: 'POST',
    path: '/dsmcore/api/acceptance/surplus',
    title: '登记多件',
    access: ['accept:do'],
    body: surplusFacts.extend(sheet),
    data: made,
  },
  /** Something is wrong with what had been accepted. */
  complain: {
    method: 'POST',
    path: '/dsmcore/api/goodschange/add',
    title: '申请退换补',
    access: ['change:add'],
    body: findingFacts.extend(sheet),
    data: made,
  },
  list: {
    method: 'POST',
    path: '/dsmcore/api/goodschange/list',
    title: '退换补货',
    access: ['page:ChangeGoods'],
    query: changeQuery,
    data: paged(goodsChangeRow),
  },
  export: {
    method: 'POST',
    path: '/dsmcore/api/goodschange/export',
    title: '导出退换补货',
    access: ['change:export'],
    query: changeQuery,
    data: nothing,
    raw: true,
  },
  details: {
    method: 'POST',
    path: '/dsmcore/api/goodschange/details',
    title: '退换补详情',
    access: ['page:ChangeGoods'],
    query: z.object({ id: uuid.meta({ title: '退换补单' }) }),
    data: goodsChangeDetail,
  },
  answer: {
    method: 'POST',
    path: '/dsmcore/api/goodschange/answer',
    title: '答复退换补',
    access: ['order:receive'],
    body: z.object({
      ...change,
      answer: goodsAnswer.schema.meta({ title: '答复' }),
      reason: words('说明', 200),
      photos: goodsPhotos,
    }),
    data: nothing,
  },
  withdraw: {
    method: 'POST',
    path: '/dsmcore/api/goodschange/withdraw',
    title: '撤回退换补',
    access: ['change:add'],
    body: z.object({ ...change, reason }),
    data: nothing,
  },
  /** A note for what comes instead, where the one that was made has been cancelled. */
  send: {
    method: 'POST',
    path: '/dsmcore/api/goodschange/send',
    title: '发起物流',
    access: ['dispatch:add'],
    body: z.object(change),
    data: made,
  },
  /** Goods on their way back are taken along, or have arrived. */
  collect: {
    method: 'POST',
    path: '/dsmcore/api/goodschange/collect',
    title: '取回退货',
    access: ['change:add', 'order:receive'],
    body: z.object(seen('退货物流')),
    data: nothing,
  },
  /** Whoever takes goods back says in which state they are; that closes their way. */
  grade: {
    method: 'POST',
    path: '/dsmcore/api/goodschange/grade',
    title: '退货验货',
    access: ['order:receive'],
    body: z.object({
      ...seen('退货物流'),
      grade: goodsGrade.schema.meta({ title: '验货结果' }),
      reason: words('说明', 200),
      /** The sum that the receiver asks for damage; the buyer may dispute it once. */
      amount: amount('赔付金额').default('0'),
    }),
    data: nothing,
  },
  disputeGrade: {
    method: 'POST',
    path: '/dsmcore/api/goodschange/disputegrade',
    title: '对验货结果提出异议',
    access: ['change:add'],
    body: z.object({ ...seen('退货物流'), reason, photos: goodsPhotos }),
    data: nothing,
  },
})
