import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { unitColumns } from '@zhuguan/contract/features/orders/orders.columns.ts'
import type { UnitRow } from '@zhuguan/contract/features/orders/orders.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useEffect } from 'react'

import { hrefOf } from '../../kit/LinkTo.tsx'
import { columnsOf, NOTHING } from '../../kit/list/columnsOf.tsx'
import { DayRangeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { usePage } from '../../kit/page.tsx'
import { State } from '../../kit/State.tsx'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { useGranted } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'

import './orders.css'

const AMOUNTS = ['acceptedAmount', 'returnedAmount', 'handAmount', 'due', 'paid']
const isNothing = (amount: string | null) => amount === null || Number(amount) === 0
const moneyOr = (amount: string | null) => (isNothing(amount) ? NOTHING : grouped(amount!))
const columns = columnsOf<typeof ordersApi.units>()(unitColumns, {
  waiting: (u) => u.waiting || NOTHING,
  rejected: (u) => u.rejected || NOTHING,
  accepted: (u) => u.accepted || NOTHING,
  ended: (u) => u.ended || NOTHING,
  late: (u) => (u.late ? <State tone="bad">{`${u.late} 张`}</State> : NOTHING),
  acceptedAmount: (u) => moneyOr(u.acceptedAmount),
  returnedAmount: (u) => moneyOr(u.returnedAmount),
  handAmount: (u) => moneyOr(u.handAmount),
  due: (u) => moneyOr(u.due),
  paid: (u) => moneyOr(u.paid),
})

/** The figures of this month, until somebody asks for another time. */
export default function OrderUnitsPage() {
  const list = useList(ordersApi.units)
  const page = usePage()
  const granted = useGranted()
  const amounts = hasPermission(useActor(), 'order:amount')
  const { from, to } = list.address.filters
  const today = dayOf(nowSeconds())
  const month = (from ?? today).slice(0, 7)
  useEffect(() => {
    if (!from && !to) list.filter(['from', `${today.slice(0, 7)}-01`], ['to', today])
  }, [])
  const ordersOf = (u: UnitRow) => hrefOf('OrderList', { receiver_id: u.id, madeFrom: from, madeTo: to })
  return (
    <ListPage
      name="公司订单"
      list={list}
      columns={amounts ? columns : columns.filter((c) => !AMOUNTS.includes(c.key))}
      linkTo={ordersOf}
      empty="这段时间没有订单。"
      filters={
        <>
          <KeywordFilter list={list} placeholder="公司、门店" />
          <BranchFilter single list={list} />
          <DayRangeFilter list={list} from="from" to="to" label="时间" />
        </>
      }
      actions={<ListExport list={list} endpoint={ordersApi.unitsExport} name="公司订单" />}
      actionsOf={(u) =>
        granted([
          { key: 'orders', label: '查看订单', open: () => page.go(ordersOf(u).slice(1)) },
          {
            key: 'statement',
            label: '对账单',
            needs: 'order:amount',
            open: () =>
              page.go(linkTo('StatementList', { receiver: u.id, month, bc_id: list.address.filters.bc_id })),
          },
        ])
      }
    />
  )
}
