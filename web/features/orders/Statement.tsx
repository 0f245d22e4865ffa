import { useQuery } from '@tanstack/react-query'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { grouped, priceText } from '@zhuguan/contract/kit/digits.ts'

import { call } from '../../kit/api.ts'
import { LinkTo, pathOf } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { usePage } from '../../kit/page.tsx'
import { dayOf, full, nowSeconds } from '../../kit/time.ts'

import '../../kit/plainTable.css'
import './orders.css'

/** A month so many months away. */
function monthAfter(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const at = year * 12 + number - 1 + count
  return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`
}

/** What a receiver is owed for a month, line by line, as it is printed on A4. */
export function Statement({ id, month }: { id: string; month: string }) {
  const page = usePage()
  const { data, error, refetch } = useQuery({
    queryKey: [ordersApi.statement.path, id, month],
    queryFn: ({ signal }) => call(ordersApi.statement, { query: { receiver_id: id, month } }, signal),
  })
  const to = (next: string) =>
    page.go(pathOf('OrderUnits', { statement: id, month: next }), { replace: true })
  if (error) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <div className="page-wait" aria-busy="true" />
  const now = dayOf(nowSeconds()).slice(0, 7)
  return (
    <section className="card section statement">
      <header className="order-top">
        <h2>
          {data.name} {month.replace('-', ' 年 ')} 月对账单
        </h2>
        <span className="order-tools screen-only">
          <button className="button" onClick={() => to(monthAfter(month, -1))}>
            上个月
          </button>
          <button className="button" disabled={month >= now} onClick={() => to(monthAfter(month, 1))}>
            下个月
          </button>
          <button className="button primary" onClick={() => window.print()}>
            打印
          </button>
          <LinkTo page="OrderUnits">返回公司订单</LinkTo>
        </span>
      </header>
      {month >= now && <p className="quiet">本月还没有结束，截至 {full(nowSeconds()).slice(0, 16)}。</p>}
      <table className="plain-table">
        <thead>
          <tr>
            <th>日期</th>
            <th>订单号</th>
            <th>验收单</th>
            <th>商品</th>
            <th className="right">数量</th>
            <th className="right">单价</th>
            <th className="right">金额（元）</th>
          </tr>
        </thead>
        <tbody>
          {data.lines.map((l) => (
            <tr key={l.id}>
              <td>{dayOf(l.at)}</td>
              <td>{l.orderCode}</td>
              <td>{l.sheetCode || '--'}</td>
              <td className="statement-name">
                {l.amount.startsWith('-') && <b className="late">退货 </b>}
                {l.name} <small>{l.detail}</small>
              </td>
              <td className="right">
                {l.amount.startsWith('-') && '-'}
                {l.quantity} {l.unit}
              </td>
              <td className="right">{priceText(l.price)}</td>
              <td className="right">{grouped(l.amount)}</td>
            </tr>
          ))}
          {data.lines.length === 0 && (
            <tr>
              <td colSpan={7} className="quiet">
                这个月没有验收，也没有退货。
              </td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={6}>验收金额</td>
            <td className="right">{grouped(data.acceptedAmount)}</td>
          </tr>
          <tr>
            <td colSpan={6}>退货金额</td>
            <td className="right">{grouped(data.returnedAmount)}</td>
          </tr>
          <tr>
            <td colSpan={6}>应付</td>
            <td className="right">{grouped(data.due)}</td>
          </tr>
        </tfoot>
      </table>
      <p className="statement-signs">
        <span>下单方（盖章）：</span>
        <span>接单方（盖章）：</span>
        <span>日期：</span>
      </p>
    </section>
  )
}
