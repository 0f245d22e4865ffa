import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { deliveryMethod, type PlanRow } from '@zhuguan/contract/features/orders/orders.record.ts'
import { latestDay } from '@zhuguan/contract/kit/latest-day.ts'
import { compare } from '@zhuguan/contract/kit/money.ts'
import { useRef, useState } from 'react'

import { DayField } from '../../kit/form/DayField.tsx'
import { ChoiceField, PickField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { Lines } from '../../kit/form/Lines.tsx'
import { useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { findReceivers, receiverNamed } from '../../parts/goods.tsx'
import { Placed } from './Afterwards.tsx'

import './orders.css'

const DAY_S = 86_400
const groupOf = (r: PlanRow) => `${r.receiver_id ?? ''} ${r.site_id}`
const unnamed = '未定商家'
/** By receiver and site, as the orders will be. */
const inOrders = (rows: readonly PlanRow[]) =>
  rows.toSorted(
    (a, b) =>
      a.receiverName.localeCompare(b.receiverName, 'zh-CN') ||
      a.ws_name.localeCompare(b.ws_name, 'zh-CN') ||
      groupOf(a).localeCompare(groupOf(b)),
  )
/** When the first stage begins; but not before the slowest of the goods can be there. */
function expectedOf(rows: readonly PlanRow[]): string {
  const lead = Math.max(0, ...rows.map((r) => r.leadDays))
  const soonest = dayOf(nowSeconds() + lead * DAY_S)
  const begin = rows
    .flatMap((r) => r.stageOn ?? [])
    .toSorted()
    .at(0)
  return begin && begin > soonest ? begin : soonest
}

/** Lines of the plan as orders: one for each receiver and site. */
export default function PlaceDrawer({ rows: given, onClose, onDone }: DrawerProps & { rows: PlanRow[] }) {
  const [rows] = useState(() => inOrders(given))
  const [made, setMade] = useState<{ id: string; code: string }[] | null>(null)
  // The form closes when it is done; what was made is shown then.
  const isDone = useRef(false)
  const form = useForm(ordersApi.place, {
    lines: rows.map((r) => ({ item_id: r.id, quantity: r.quantity, receiver_id: null })),
    method: deliveryMethod.code.home,
    expectedOn: expectedOf(rows),
    remark: '',
  })
  const lines = form.values.lines ?? []
  const isMuch = (at: number) => {
    const quantity = lines[at]?.quantity ?? ''
    return /^\d+(\.\d+)?$/.test(quantity) && compare(quantity, rows[at]!.quantity) > 0
  }
  const count = new Set(rows.map((r, at) => `${lines[at]?.receiver_id ?? ''} ${groupOf(r)}`)).size
  const lacks = rows.some((r, at) => r.receiver_id === null && !lines[at]?.receiver_id)
  if (made) return <Placed orders={made} onClose={onClose} />
  return (
    <FormDrawer
      form={form}
      title="按商家合并下单"
      ok={`下单（${count} 张）`}
      size="min(760px, 100vw)"
      may={!lacks && !rows.some((_, at) => isMuch(at))}
      done={() => undefined}
      onClose={() => isDone.current || onClose()}
      onDone={({ orders }) => {
        isDone.current = true
        setMade(orders)
        onDone()
      }}
    >
      <Lines of={form} name="lines" columns="minmax(0, 1fr) 130px 130px" title={(_, at) => rows[at]!.name}>
        {(row, at) => {
          const r = rows[at]!
          const begins = at === 0 || groupOf(rows[at - 1]!) !== groupOf(r)
          return (
            <>
              {begins && (
                <h3 className="order-group">
                  {r.receiverName || unnamed} <small>{r.ws_name}</small>
                </h3>
              )}
              <span className="line-name order-name" title={`${r.name} ${r.detail}`}>
                {r.name} <small>{[r.detail, r.pack && `每包 ${r.pack}`].filter(Boolean).join('，')}</small>
              </span>
              <span className="line-name right">
                待下单 {r.quantity} {r.unit}
              </span>
              <TextField
                of={row}
                name="quantity"
                label="数量"
                inputMode="numeric"
                hint={isMuch(at) && <b className="late">最多 {r.quantity}</b>}
              />
              {r.receiver_id === null && (
                <div className="order-to">
                  <PickField of={row} name="receiver_id" find={findReceivers} nameOf={receiverNamed} />
                </div>
              )}
            </>
          )
        }}
      </Lines>
      <ChoiceField of={form} name="method" codes={deliveryMethod} />
      <DayField of={form} name="expectedOn" from={dayOf(nowSeconds())} to={latestDay(dayOf(nowSeconds()))} />
      <TextField of={form} name="remark" rows={2} />
    </FormDrawer>
  )
}
