import type {
  QuotationDetail,
  QuotationLine,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { contractAttribute } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { attribute, belowOf } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { grouped, priceText } from '@zhuguan/contract/kit/digits.ts'
import * as money from '@zhuguan/contract/kit/money.ts'

import { UnitPrice } from '../../parts/UnitPrice.tsx'

/** Beside those with a reason of their own, so many of the rest that move the total most. */
const MOST = 8
const size = (line: QuotationLine) => line.amount.replace('-', '')

interface Judged {
  line: QuotationLine
  below: string
}
const isSpecial = (line: QuotationLine) => line.contractAttribute === contractAttribute.code.special
/** Lines outside the package: under the list and not of the catalogue first, then the biggest. */
function judgedOf(lines: readonly QuotationLine[]): { named: Judged[]; biggest: Judged[] } {
  const outside = lines
    .filter((line) => line.counts && line.attribute !== attribute.code.package)
    .map((line) => ({ line, below: belowOf(line, line.priced) }))
    .toSorted((a, b) => money.compare(size(b.line), size(a.line)))
  const isNamed = ({ line, below }: Judged) => !money.isZero(below) || isSpecial(line)
  return {
    named: outside.filter(isNamed).toSorted((a, b) => money.compare(b.below, a.below)),
    biggest: outside.filter((one) => !isNamed(one)).slice(0, MOST),
  }
}

/** For who may read costs. */
function marginOf({ sum }: QuotationDetail): string {
  if (sum.uncosted === null) return ''
  return sum.uncosted > 0 ? `成本不全 ${sum.uncosted} 行，算不出毛利；` : `毛利率 ${sum.margin ?? '--'}%；`
}

/** What of a quotation asks for a judgement: whoever approves it need not leave the queue. */
export function LinesToJudge({
  of: q,
  roomOf,
}: {
  of: QuotationDetail
  roomOf: (line: QuotationLine) => string
}) {
  const { named, biggest } = judgedOf(q.lines)
  const shown = [...named, ...biggest]
  if (shown.length === 0) return <p className="quiet">除套餐以外没有增减，没有要单独判断的行。</p>
  const seesCosts = q.lines.some((line) => line.cost !== null)
  return (
    <>
      <h3>
        要判断的行{' '}
        <small className="quiet">
          {marginOf(q)}
          低于售价 {q.sum.belowLines} 行{q.sum.belowLines > 0 && `，共 −${grouped(q.sum.below)}`}；非标项{' '}
          {named.filter(({ line }) => isSpecial(line)).length} 行
          {biggest.length > 0 && `；其余是套餐以外金额最大的 ${biggest.length} 行`}
        </small>
      </h3>
      <table className="plain-table judged-lines">
        <thead>
          <tr>
            <th>房间</th>
            <th>名称</th>
            <th>属性</th>
            <th className="right">数量</th>
            <th className="right">单价</th>
            <th className="right">售价</th>
            {seesCosts && <th className="right">成本</th>}
            <th className="right">金额</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ line, below }) => (
            <tr key={line.id}>
              <td>{roomOf(line)}</td>
              <td>
                {line.name} <small>{line.detail}</small>
                {line.remark && <small className="quiet"> {line.remark}</small>}
              </td>
              <td>
                {attribute.label(line.attribute)}
                {isSpecial(line) && <small className="special">非标</small>}
              </td>
              <td className="right">
                {line.priced} {line.unit}
              </td>
              <td className="right">
                <UnitPrice of={line} />
                {!money.isZero(below) && <small className="late">少收 {grouped(below)}</small>}
              </td>
              <td className="right">{line.listPrice === null ? '--' : priceText(line.listPrice)}</td>
              {seesCosts && <td className="right">{line.cost === null ? '--' : priceText(line.cost)}</td>}
              <td className="right">{grouped(line.amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
