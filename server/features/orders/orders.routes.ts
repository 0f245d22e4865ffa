import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import {
  orderColumns,
  planColumns,
  receivedColumns,
  unitColumns,
} from '@zhuguan/contract/features/orders/orders.columns.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { checkDay } from '../../kit/planned-day.ts'
import { found, Refused } from '../../kit/refuse.ts'
import { type Call, serve } from '../../kit/serve.ts'
import { pageJson } from '../../kit/statement.ts'
import { sendList } from '../exports/exports.service.ts'
import { orderDetail } from './order-detail.queries.ts'
import { linesOf, orderPage } from './orders.queries.ts'
import { onOrder } from './orders.service.ts'
import { placeOrders, planPrices } from './placing.service.ts'
import { planPage } from './plan.queries.ts'
import { sayReady } from './ready.service.ts'
import {
  acceptOrder,
  agreeOrder,
  askOrder,
  declineOrder,
  recallOrder,
  rejectOrder,
  releaseOrder,
  resubmitOrder,
  splitOrder,
  urgeOrder,
} from './receiving.service.ts'
import { unitPage } from './units.queries.ts'

const seesAmounts = (call: Call) => hasPermission(call.user, 'order:amount')
const reader = (call: Call, received = false) => ({
  scope: call.user.scope,
  amounts: seesAmounts(call),
  received,
})
/** Without the right to amounts their columns do not exist. */
function visible<C extends object, K extends keyof C>(
  call: Call,
  columns: C,
  ...amounts: K[]
): Omit<C, K> | C {
  if (seesAmounts(call)) return columns
  return Object.fromEntries(Object.entries(columns).filter(([name]) => !amounts.includes(name as K))) as Omit<
    C,
    K
  >
}

/** Each order by itself; what cannot be accepted is named, and the others are. */
async function acceptAll(
  call: Call,
  { orders, promisedOn }: { orders: { id: string; version: number }[]; promisedOn: string },
) {
  const skipped: { code: string; why: string }[] = []
  let done = 0
  for (const one of orders)
    try {
      await onOrder(call, one.id, async (tx, at) => {
        checkDay(call, 'promisedOn', '承诺到货', promisedOn)
        const lines = (await linesOf(tx, call.user.tenant, one.id)).map((l) => ({
          line_id: l.id,
          promisedOn,
        }))
        await acceptOrder(tx, at, { ...one, lines })
      })
      done += 1
    } catch (error) {
      // A day that no order can be promised for is said where it was filled in; nothing was accepted then.
      if (!(error instanceof Refused) || error.http === 403 || error.code === 400) throw error
      const code = await call.read((tx) => orderDetail(tx, call.user.scope, one.id, false))
      skipped.push({ code: code?.code ?? '', why: error.message })
    }
  return { done, skipped }
}

export const ordersFeature = serve(ordersApi, {
  plan: ({ query }, call) => call.read((tx) => pageJson(tx, planPage(call.user.scope, query))),
  planPrices: ({ query }, call) => call.read((tx) => planPrices(tx, call, query.items ?? [])),
  planExport: ({ query }, call) => sendList(call, '待下单', planColumns, planPage(call.user.scope, query)),
  list: ({ query }, call) => call.read((tx) => pageJson(tx, orderPage(reader(call), query))),
  export: ({ query }, call) =>
    sendList(call, '订单', visible(call, orderColumns, 'amount'), orderPage(reader(call), query)),
  received: ({ query }, call) => call.read((tx) => pageJson(tx, orderPage(reader(call, true), query))),
  receivedExport: ({ query }, call) =>
    sendList(call, '接单', visible(call, receivedColumns, 'amount'), orderPage(reader(call, true), query)),
  details: async ({ query }, call) =>
    found(await call.read((tx) => orderDetail(tx, call.user.scope, query.id, seesAmounts(call)))),
  place: ({ body }, call) => call.write((tx) => placeOrders(tx, call, body)),
  accept: ({ body }, call) => onOrder(call, body.id, (tx, at) => acceptOrder(tx, at, body)),
  acceptAll: ({ body }, call) => acceptAll(call, body),
  reject: ({ body }, call) => onOrder(call, body.id, (tx, at) => rejectOrder(tx, at, body)),
  split: ({ body }, call) => onOrder(call, body.id, (tx, at) => splitOrder(tx, at, body)),
  recall: ({ body }, call) => onOrder(call, body.id, (tx, at) => recallOrder(tx, at, body)),
  urge: ({ body }, call) => onOrder(call, body.id, (tx, at) => urgeOrder(tx, at, body)),
  resubmit: ({ body }, call) => onOrder(call, body.id, (tx, at) => resubmitOrder(tx, at, body)),
  release: ({ body }, call) => onOrder(call, body.id, (tx, at) => releaseOrder(tx, at, body)),
  withdraw: ({ body }, call) => onOrder(call, body.id, (tx, at) => askOrder(tx, at, 'withdraw', body)),
  close: ({ body }, call) => onOrder(call, body.id, (tx, at) => askOrder(tx, at, 'close', body)),
  agree: ({ body }, call) => onOrder(call, body.id, (tx, at) => agreeOrder(tx, at, body)),
  decline: ({ body }, call) => onOrder(call, body.id, (tx, at) => declineOrder(tx, at, body)),
  ready: ({ body }, call) => call.write((tx) => sayReady(tx, call, body)),
  units: ({ query }, call) =>
    call.read((tx) => pageJson(tx, unitPage(call.user.scope, seesAmounts(call), query))),
  unitsExport: ({ query }, call) =>
    sendList(
      call,
      '公司订单',
      visible(call, unitColumns, 'acceptedAmount', 'returnedAmount', 'handAmount', 'due', 'paid'),
      unitPage(call.user.scope, seesAmounts(call), query),
    ),
})
