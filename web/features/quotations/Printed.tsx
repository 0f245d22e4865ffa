import type { QuotationDetail } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

import { UnitPrice } from '../../parts/UnitPrice.tsx'
import { comparedOf, type Summed, type Written } from './document.ts'

/** Every line on paper: the sheet itself draws only those that are in sight. */
export function Printed({
  detail,
  written,
  sum,
}: {
  detail: QuotationDetail
  written: Written
  sum: Summed
}) {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const before = () => flushSync(() => setPrinting(true))
    const after = () => setPrinting(false)
    addEventListener('beforeprint', before)
    addEventListener('afterprint', after)
    return () => {
      removeEventListener('beforeprint', before)
      removeEventListener('afterprint', after)
    }
  }, [])
  if (!printing) return null
  const inside = attribute.code.package
  return (
    <div className="quote-printed">
      <p>
        {detail.customerName} {detail.community} · {written.area} ㎡ · 有效期至 {written.validUntil}
      </p>
      <table className="plain-table">
        <thead>
          <tr>
            <th>#</th>
            <th>房间</th>
            <th>属性</th>
            <th>名称</th>
            <th className="right">计价量</th>
            <th className="right">单价</th>
            <th className="right">金额</th>
            <th>备注</th>
          </tr>
        </thead>
        <tbody>
          {comparedOf(written, sum).map((line, i) => (
            <tr key={line.id}>
              <td>{i + 1}</td>
              <td>{line.room}</td>
              <td>{attribute.label(line.attribute)}</td>
              <td>
                {line.name} <small>{line.detail}</small>
              </td>
              <td className="right">
                {line.priced} {line.unit}
              </td>
              <td className="right">
                <UnitPrice of={written.lines[i]!} />
              </td>
              <td className="right">{line.attribute === inside ? '--' : grouped(line.amount)}</td>
              <td>
                {!line.counts && '备选 '}
                {written.lines[i]!.remark}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
