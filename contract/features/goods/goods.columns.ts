import { code, columnsOf, drawn, number, price, text, time } from '../../kit/columns.ts'
import { logisticsProgress } from '../dispatch/dispatch.record.ts'
import { examineState } from '../examine/examine.record.ts'
import { checkState } from '../pieces/pieces.record.ts'
import type { goodsApi } from './goods.api.ts'
import { finding, goodsAnswer, goodsChangeState, goodsOutcome, goodsReason } from './goods.record.ts'

export const sheetColumns = columnsOf<typeof goodsApi.sheets>()({
  code: text('验收单号', 'sheetCode', { sort: 'sheetCode', fixed: true }),
  note: text('发货单', 'code'),
  order: text('订单号', 'orderCode', { wide: true }),
  site: text('工地', 'ws_name'),
  bc: text('分公司', 'bc_name', { wide: true }),
  receiver: text('商家', 'receiverName', { wide: true }),
  lines: number('行数', 'lines'),
  checked: number('已验', 'linesChecked'),
  state: code('验收状态', 'checkState', checkState),
  by: text('验收人', 'checkedBy'),
  delivered: time('送达时间', 'deliveredAt', { sort: 'deliveredAt' }),
  at: time('验收时间', 'checkedAt', { sort: 'checkedAt' }),
})
export const goodsColumns = columnsOf<typeof goodsApi.list>()({
  code: text('单号', 'code', { sort: 'code', fixed: true }),
  result: code('类型', 'result', finding),
  order: text('订单号', 'orderCode'),
  site: text('工地', 'ws_name', { wide: true }),
  receiver: text('商家', 'receiverName', { wide: true }),
  name: text('商品', 'name'),
  quantity: price('数量', 'quantity'),
  unit: text('单位', 'unit', { only: 'file' }),
  reasonCode: code('原因', 'reasonCode', goodsReason),
  reason: text('说明', 'reason', { only: 'file' }),
  picture: drawn('照片'),
  round: number('轮次', 'round', { wide: true }),
  answer: code('商家答复', 'answer', goodsAnswer),
  examine: code('审核状态', 'examineState', examineState),
  outcome: code('处理方式', 'outcome', goodsOutcome, { wide: true }),
  progress: code('物流状态', 'progress', logisticsProgress),
  state: code('处理状态', 'state', goodsChangeState),
  made: time('申请时间', 'madeAt', { sort: 'madeAt' }),
})
