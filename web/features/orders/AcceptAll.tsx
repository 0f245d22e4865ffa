import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import type { OrderRow } from '@zhuguan/contract/features/orders/orders.record.ts'
import { latestDay } from '@zhuguan/contract/kit/latest-day.ts'
import { useRef, useState } from 'react'

import { DayField } from '../../kit/form/DayField.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { Skipped } from './Afterwards.tsx'

import './orders.css'

/** Several orders with one promised day; those that could not be accepted are named. */
export default function AcceptAll({ orders, onClose, onDone }: DrawerProps & { orders: OrderRow[] }) {
  const [left, setLeft] = useState<readonly { code: string; why: string }[]>([])
  // The form closes when it is done; what was left is shown then.
  const isLeft = useRef(false)
  const today = dayOf(nowSeconds())
  const latest = orders
    .map((o) => o.expectedOn)
    .toSorted()
    .at(-1)
  const form = useForm(ordersApi.acceptAll, {
    orders: orders.map(({ id, version }) => ({ id, version })),
    promisedOn: latest && latest > today ? latest : today,
  })
  if (left.length) return <Skipped orders={left} onClose={onClose} />
  return (
    <FormDrawer
      form={form}
      title={`批量接单：${orders.length} 张`}
      narrow
      done={({ done, skipped }) => (skipped.length ? undefined : { text: `已接单 ${done} 张` })}
      onClose={() => isLeft.current || onClose()}
      onDone={({ skipped }) => {
        isLeft.current = skipped.length > 0
        setLeft(skipped)
        onDone()
      }}
    >
      <p className="order-said">{orders.map((o) => o.code).join('、')}</p>
      <DayField
        of={form}
        name="promisedOn"
        from={today}
        to={latestDay(today)}
        hint="每张订单的每一行都承诺这一天到货；日期不同的请单独接单"
      />
    </FormDrawer>
  )
}
