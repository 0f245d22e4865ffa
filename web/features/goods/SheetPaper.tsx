import { goodsReason, type SheetDetail } from '@zhuguan/contract/features/goods/goods.record.ts'
import { acceptanceResult, checkState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { createPortal } from 'react-dom'

import { full } from '../../kit/time.ts'
import type { SheetLine } from './sheetDraft.ts'

import '../../kit/plainTable.css'

const said = (line: SheetLine): string =>
  line.judgements
    .map((j) => {
      const why = [j.reasonCode && goodsReason.label(j.reasonCode), j.reason].filter(Boolean).join('：')
      return `${acceptanceResult.label(j.result)} ${j.quantity}${why && `（${why}）`}`
    })
    .join('；')

/** The sheet on paper, with places for two signatures; the screen does not show it, paper nothing else. */
export const SheetPaper = ({ sheet }: { sheet: SheetDetail }) =>
  createPortal(<Paper of={sheet} />, document.body)
const Paper = ({ of: s }: { of: SheetDetail }) => (
  <article className="sheet-paper">
    <h1>验收单 {s.sheetCode}</h1>
    <p>
      工地 {s.ws_name}　商家 {s.receiverName}　订单 {s.orderCode}　发货单 {s.code}
    </p>
    <p>
      送达 {full(s.deliveredAt)} {s.deliveredBy} {s.deliveredPlace}　{checkState.label(s.checkState)}
      {s.checkedAt !== null && ` ${full(s.checkedAt)} ${s.checkedBy}`}
    </p>
    <table className="plain-table">
      <thead>
        <tr>
          <th>序号</th>
          <th>商品</th>
          <th className="right">到货</th>
          <th className="right">待验收</th>
          <th>验收结论</th>
        </tr>
      </thead>
      <tbody>
        {s.lineList.map((line, i) => (
          <tr key={line.line_id}>
            <td>{i + 1}</td>
            <td>
              {line.name} {line.detail}
            </td>
            <td className="right">
              {line.quantity} {line.unit}
            </td>
            <td className="right">{line.waiting}</td>
            <td>{said(line)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <p className="sign">
      <span>送货人签字：</span>
      <span>验收人签字：</span>
      <span>日期：</span>
    </p>
  </article>
)
