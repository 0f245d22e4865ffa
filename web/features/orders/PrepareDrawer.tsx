import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import type { OrderDetail } from '@zhuguan/contract/features/orders/orders.record.ts'
import { compare } from '@zhuguan/contract/kit/money.ts'

import { TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { Lines } from '../../kit/form/Lines.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { looseOf } from './looseOf.ts'

import './orders.css'

/** Goods of an order that stand on no note, as a new one. */
export default function PrepareDrawer({ order, ...p }: DrawerProps & { order: OrderDetail }) {
  const loose = looseOf(order)
  const form = useForm(
    dispatchApi.prepare,
    { order_id: order.id, lines: loose.map(({ line, quantity }) => ({ line_id: line.id, quantity })) },
    { blank: { lines: ['quantity'] } },
  )
  const rows = form.values.lines ?? []
  const isMuch = (at: number) => {
    const quantity = rows[at]?.quantity ?? ''
    return /^\d+(\.\d+)?$/.test(quantity) && compare(quantity, loose[at]?.quantity ?? '0') > 0
  }
  return (
    <FormDrawer
      form={form}
      title={`新建发货单：${order.code}`}
      may={rows.some((r) => r.quantity) && !rows.some((_, at) => isMuch(at))}
      done={({ code }) => ({ text: `已新建发货单 ${code}` })}
      {...p}
    >
      <p className="order-said">这些商品还没有安排发货；这次不发的改小数量或清空。</p>
      <Lines
        of={form}
        name="lines"
        mayBeBlank
        columns="minmax(0, 1fr) 110px 130px"
        title={(_, at) => loose[at]?.line.name ?? ''}
      >
        {(row, at) => {
          const { line, quantity } = loose[at]!
          return (
            <>
              <span className="line-name order-name" title={`${line.name} ${line.detail}`}>
                {line.name} <small>{line.detail}</small>
              </span>
              <span className="line-name right">
                未安排 {quantity} {line.unit}
              </span>
              <TextField
                of={row}
                name="quantity"
                inputMode="numeric"
                hint={isMuch(at) && <b className="late">最多 {quantity}</b>}
              />
            </>
          )
        }}
      </Lines>
    </FormDrawer>
  )
}
