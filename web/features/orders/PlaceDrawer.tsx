import { useQuery } from '@tanstack/react-query'
import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { deliveryMethod, type PlanRow } from '@zhuguan/contract/features/orders/orders.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { grouped, priceText } from '@zhuguan/contract/kit/digits.ts'
import { latestDay } from '@zhuguan/contract/kit/latest-day.ts'
import { amountOf, compare, sum } from '@zhuguan/contract/kit/money.ts'
import { useMemo, useRef, useState } from 'react'

import { call } from '../../kit/api.ts'
import { DayField } from '../../kit/form/DayField.tsx'
import { ChoiceField, PickField, TextField } from '../../kit/form/fields.tsx'
import { type DrawerProps, FormDrawer } from '../../kit/form/FormDrawer.tsx'
import { Lines } from '../../kit/form/Lines.tsx'
import { type Fields, type RowIn, useForm } from '../../kit/form/useForm.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { findReceivers, receiverNamed } from '../../parts/goods.tsx'
import { Placed } from './Afterwards.tsx'
import { doubtOf, expectedOf } from './placeDays.ts'

import './orders.css'

const placeOf = (r: PlanRow) => `${r.receiver_id ?? ''} ${r.site_id}`
/** Goods of one receiver for one site and stage arrive together. */
const groupOf = (r: PlanRow) => `${placeOf(r)} ${r.stage ?? ''}`
const unnamed = '未定商家'
/** By receiver, site and stage, as they arrive. */
const inOrders = (rows: readonly PlanRow[]) =>
  rows.toSorted(
    (a, b) =>
      a.receiverName.localeCompare(b.receiverName, 'zh-CN') ||
      a.ws_name.localeCompare(b.ws_name, 'zh-CN') ||
      placeOf(a).localeCompare(placeOf(b)) ||
      (a.stageOn ?? '').localeCompare(b.stageOn ?? '') ||
      groupOf(a).localeCompare(groupOf(b)),
  )
const isNumber = (text: string) => /^\d+(\.\d+)?$/.test(text)
const amountAt = (price: string | null | undefined, quantity = ''): string | undefined =>
  price && isNumber(quantity) ? amountOf(quantity, price) : undefined

/** Lines of the plan as orders: one for each receiver, site and day. */
export default function PlaceDrawer({ rows: given, onClose, onDone }: DrawerProps & { rows: PlanRow[] }) {
  const [rows] = useState(() => inOrders(given))
  const groups = useMemo(() => Map.groupBy(rows.keys(), (at) => groupOf(rows[at]!)), [rows])
  const [made, setMade] = useState<{ id: string; code: string }[] | null>(null)
  const items = rows.map((r) => r.id).join(',')
  const { data: priced } = useQuery({
    queryKey: [ordersApi.planPrices.path, items],
    queryFn: ({ signal }) => call(ordersApi.planPrices, { query: { items } }, signal),
  })
  const prices = new Map(priced?.list.map((p) => [p.item_id, p.price]))
  // The form closes when it is done; what was made is shown then.
  const isDone = useRef(false)
  const of = (at: number) => groups.get(groupOf(rows[at]!))!
  const form = useForm(ordersApi.place, {
    lines: rows.map((r, at) => ({
      item_id: r.id,
      quantity: r.quantity,
      receiver_id: null,
      expectedOn: expectedOf(of(at).map((i) => rows[i]!)),
    })),
    method: deliveryMethod.code.home,
    expectedOn: expectedOf(rows),
    remark: '',
  })
  const lines = form.values.lines ?? []
  const isMuch = (at: number) => {
    const quantity = lines[at]?.quantity ?? ''
    return isNumber(quantity) && compare(quantity, rows[at]!.quantity) > 0
  }
  const amounts = rows.map((r, at) => amountAt(prices.get(r.id), lines[at]?.quantity))
  const totalOf = (among: readonly number[]) => sum(among.flatMap((at) => amounts[at] ?? []))
  const keys = rows.map((r, at) => `${lines[at]?.receiver_id ?? ''} ${placeOf(r)} ${lines[at]?.expectedOn}`)
  const lacks = rows.some((r, at) => r.receiver_id === null && !lines[at]?.receiver_id)
  if (made) return <Placed orders={made} onClose={onClose} />
  return (
    <FormDrawer
      form={form}
      title="按商家合并下单"
      ok={`下单（${new Set(keys).size} 张）`}
      size="min(860px, 100vw)"
      may={!lacks && !rows.some((_, at) => isMuch(at))}
      done={() => undefined}
      onClose={() => isDone.current || onClose()}
      onDone={({ orders }) => {
        isDone.current = true
        setMade(orders)
        onDone()
      }}
    >
      <Lines
        of={form}
        name="lines"
        columns="minmax(0, 1fr) 110px 120px 130px"
        title={(_, at) => rows[at]!.name}
      >
        {(row, at) => {
          const r = rows[at]!
          const among = of(at)
          return (
            <>
              {among[0] === at && (
                <div className="order-group">
                  <h3>
                    {r.receiverName || unnamed}{' '}
                    <small>
                      {r.ws_name} · {r.stage ? siteStage.label(r.stage) : '未定阶段'} · {among.length} 行
                      {priced && ` · ${grouped(totalOf(among))} 元`}
                    </small>
                  </h3>
                  <DayField
                    of={inAll(row, (change) =>
                      form.set({
                        lines: lines.map((line, i) => (among.includes(i) ? { ...line, ...change } : line)),
                      }),
                    )}
                    name="expectedOn"
                    from={dayOf(nowSeconds())}
                    to={latestDay(dayOf(nowSeconds()))}
                    hint={
                      <Doubt
                        of={doubtOf(
                          among.map((i) => rows[i]!),
                          lines[at]?.expectedOn ?? '',
                        )}
                      />
                    }
                  />
                </div>
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
              <span className="line-name right order-price">
                {amounts[at] === undefined ? '--' : grouped(amounts[at])}
                <small>{prices.get(r.id) ? `单价 ${priceText(prices.get(r.id)!)}` : ''}</small>
              </span>
              {r.receiver_id === null && (
                <div className="order-to">
                  <PickField of={row} name="receiver_id" find={findReceivers} nameOf={receiverNamed} />
                </div>
              )}
            </>
          )
        }}
      </Lines>
      <p className="order-sum">
        采购合计 <b>{priced ? grouped(totalOf([...rows.keys()])) : '--'} 元</b>
        {priced && rows.some((r) => !prices.get(r.id)) && <small>没有采购价的行不计</small>}
      </p>
      <ChoiceField of={form} name="method" codes={deliveryMethod} />
      <TextField of={form} name="remark" rows={2} />
    </FormDrawer>
  )
}

const Doubt = ({ of }: { of: string }) => (of ? <b className="late">{of}</b> : null)
type LineFields = Fields<RowIn<BodyOf<typeof ordersApi.place>, 'lines'>>
/** The fields of a line, of which each that is changed counts for all of its group. */
const inAll = (row: LineFields, put: (change: Record<string, unknown>) => void): LineFields => ({
  ...row,
  raw: { ...row.raw, put: (field, value) => put({ [field]: value }) },
})
