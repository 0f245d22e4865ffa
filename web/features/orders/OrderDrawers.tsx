import { useQuery } from '@tanstack/react-query'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import {
  type OrderDetail,
  type OrderLine,
  rejectReason,
} from '@zhuguan/contract/features/orders/orders.record.ts'
import { latestDay } from '@zhuguan/contract/kit/latest-day.ts'
import { compare } from '@zhuguan/contract/kit/money.ts'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { CodeField, ReasonField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { Lines } from '../../kit/form/Lines.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { SameDay } from './SameDay.tsx'
import type { OpenedOrder } from './useOrderActions.ts'

import './orders.css'

type Props = DrawerProps & { order: OrderDetail }
/** Loaded with the first drawer that is opened; an order is read as it is now. */
export default function OrderDrawers({ kind, order: { id, version }, ...p }: DrawerProps & OpenedOrder) {
  const { data: order } = useQuery({
    queryKey: [ordersApi.details.path, id, version],
    queryFn: ({ signal }) => call(ordersApi.details, { query: { id } }, signal),
  })
  if (!order) return null
  if (kind === 'reject') return <Reject {...p} order={order} />
  if (kind === 'split') return <Split {...p} order={order} />
  if (kind === 'resubmit') return <Resubmit {...p} order={order} />
  return <Accept {...p} order={order} />
}
const today = () => dayOf(nowSeconds())
const oneOf = ({ id, version }: OrderDetail) => ({ id, version })
const byId = (o: OrderDetail) => new Map(o.lineList.map((l) => [l.id, l]))

const Name = ({ of: l }: { of: OrderLine | undefined }) => (
  <span className="line-name order-name" title={`${l?.name ?? ''} ${l?.detail ?? ''}`}>
    {l?.name} <small>{l?.detail}</small>
  </span>
)

function Accept({ order, ...p }: Props) {
  const start = order.expectedOn < today() ? today() : order.expectedOn
  const form = useForm(ordersApi.accept, {
    ...oneOf(order),
    lines: order.lineList.map((l) => ({ line_id: l.id, promisedOn: start })),
  })
  const lines = byId(order)
  const rows = form.values.lines ?? []
  const days = [...new Set(rows.map((r) => r.promisedOn))]
  return (
    <FormDrawer form={form} title={`接单：${order.code}`} done={`订单 ${order.code} 已接单`} {...p}>
      <p className="order-said">
        {order.community}，期望 {order.expectedOn} 到货{order.remark && `；备注：${order.remark}`}
      </p>
      <SameDay
        label="全部承诺到货"
        day={days.length === 1 ? days[0]! : null}
        from={today()}
        to={latestDay(today())}
        onPick={(promisedOn) => form.set({ lines: rows.map((r) => ({ ...r, promisedOn })) })}
      />
      <Lines
        of={form}
        name="lines"
        columns="minmax(0, 1fr) 90px 160px"
        title={(_, at) => order.lineList[at]?.name ?? ''}
      >
        {(row) => {
          const line = lines.get(row.values.line_id ?? '')
          return (
            <>
              <Name of={line} />
              <span className="line-name right">
                {line?.quantity} {line?.unit}
              </span>
              <DayField of={row} name="promisedOn" from={today()} to={latestDay(today())} />
            </>
          )
        }}
      </Lines>
    </FormDrawer>
  )
}

function Reject({ order, ...p }: Props) {
  const form = useForm(ordersApi.reject, { ...oneOf(order), rejectCode: null, reason: '' })
  return (
    <FormDrawer form={form} title={`拒单：${order.code}`} done={`订单 ${order.code} 已拒单`} danger {...p}>
      <p className="order-said">
        整张订单 {order.lines} 行都不接。只有一部分做不了的，请先拆单，再拒绝拆出的那张。
      </p>
      <CodeField of={form} name="rejectCode" codes={rejectReason} />
      <ReasonField of={form} name="reason" label="说明" example="厂家断货，月底才有" />
    </FormDrawer>
  )
}

/** Quantities that go to an order of their own; a row that is left empty stays where it is. */
function Split({ order, ...p }: Props) {
  const lines = byId(order)
  const form = useForm(
    ordersApi.split,
    { ...oneOf(order), parts: order.lineList.map((l) => ({ line_id: l.id, quantity: '' })) },
    { blank: { parts: ['quantity'] } },
  )
  const isMuch = (id: string | null | undefined, quantity: string | null | undefined) => {
    const line = lines.get(id ?? '')
    return !!line && /^\d+(\.\d+)?$/.test(quantity ?? '') && compare(quantity!, line.quantity) > 0
  }
  const parts = form.values.parts ?? []
  const any = parts.some((r) => r.quantity)
  return (
    <FormDrawer
      form={form}
      title={`拆单：${order.code}`}
      may={any && !parts.some((r) => isMuch(r.line_id, r.quantity))}
      done={({ code }) => ({ text: `已拆出订单 ${code}` })}
      {...p}
    >
      <p className="order-said">填写要拆到另一张订单的数量；不拆的行留空。两张订单可以分别接单或拒单。</p>
      <Lines
        of={form}
        name="parts"
        mayBeBlank
        columns="minmax(0, 1fr) 100px 140px"
        title={(_, at) => order.lineList[at]?.name ?? ''}
      >
        {(row) => {
          const { line_id, quantity } = row.values
          const line = lines.get(line_id ?? '')
          return (
            <>
              <Name of={line} />
              <span className="line-name right">
                共 {line?.quantity} {line?.unit}
              </span>
              <TextField
                of={row}
                name="quantity"
                label="拆出数量"
                inputMode="numeric"
                hint={isMuch(line_id, quantity) && <b className="late">最多 {line?.quantity}</b>}
              />
            </>
          )
        }}
      </Lines>
    </FormDrawer>
  )
}

function Resubmit({ order, ...p }: Props) {
  const form = useForm(ordersApi.resubmit, {
    ...oneOf(order),
    expectedOn: order.expectedOn < today() ? today() : order.expectedOn,
    remark: order.remark,
  })
  return (
    <FormDrawer form={form} title={`重新提交：${order.code}`} done={`订单 ${order.code} 已重新提交`} {...p}>
      <p className="order-said">
        {order.receiverName} 拒单：{order.rejectCode && `${rejectReason.label(order.rejectCode)}，`}
        {order.reason}
      </p>
      <DayField of={form} name="expectedOn" from={today()} to={latestDay(today())} />
      <TextField of={form} name="remark" rows={3} />
    </FormDrawer>
  )
}
