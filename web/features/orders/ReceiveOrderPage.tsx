import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { receivedColumns } from '@zhuguan/contract/features/orders/orders.columns.ts'
import {
  orderEnd,
  orderLateness,
  type OrderRow,
  receiveState,
} from '@zhuguan/contract/features/orders/orders.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { LateFilter } from '../../parts/goods.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { DueDay, ReceiveOf, StandingOf, WaitOf } from './orderStates.tsx'
import { type OpenedOrder, useOrderActions } from './useOrderActions.ts'
import { useOrdersAnew } from './useOrdersAnew.ts'

import './orders.css'

const OrderDrawers = lazyPart(() => import('./OrderDrawers.tsx'))
const AcceptAll = lazyPart(() => import('./AcceptAll.tsx'))
const ENDS = orderEnd.options.filter((o) => o.value !== orderEnd.code.live)
const linkTo = (o: { id: string }) => hrefOf('OrderDetail', { id: o.id })
const columns = columnsOf<typeof ordersApi.received>()(receivedColumns, {
  site: (o) => o.community || o.ws_name,
  expected: (o) => <DueDay day={o.expectedOn} late={o.late} />,
  wait: (o) => <WaitOf of={o} />,
  receive: (o) => <ReceiveOf of={o} />,
  state: (o) => <StandingOf of={o} />,
})

export default function ReceiveOrderPage() {
  const list = useList(ordersApi.received)
  const actor = useActor()
  const [opened, setOpened] = useState<OpenedOrder | null>(null)
  const [accepting, setAccepting] = useState<OrderRow[] | null>(null)
  const actionsOf = useOrderActions(setOpened, 'receiver')
  const amounts = hasPermission(actor, 'order:amount')
  const refresh = useOrdersAnew()
  const mayAccept = (o: OrderRow) => actionsOf(o).some((a) => a.key === 'accept' && !a.why)
  useLiveRows(list, ['order', 'dispatch', 'goods'], () => null)
  return (
    <>
      <ListPage
        name="接单"
        list={list}
        columns={amounts ? columns : columns.filter((c) => c.key !== 'amount')}
        linkTo={linkTo}
        mayPick={mayAccept}
        empty="还没有收到订单。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="订单号、小区" />
            <CodeFilter list={list} field="receiveState" label="接单状态" options={receiveState.options} />
            <BranchFilter single list={list} />
            <DayRangeFilter list={list} from="expectedFrom" to="expectedTo" label="期望到货" />
            <LateFilter list={list} />
            <GivenFilter
              list={list}
              field="lateness"
              label="逾期在"
              value={(v) => orderLateness.options.find((o) => o.value === v)?.label ?? ''}
            />
            <CodeFilter list={list} field="ended" label="结束方式" options={ENDS} />
            <GivenFilter
              list={list}
              field="pieceState"
              label="有商品"
              value={(v) => orderState.label(Number(v))}
            />
          </>
        }
        actions={<ListExport list={list} endpoint={ordersApi.receivedExport} name="接单" />}
        {...(hasPermission(actor, 'order:receive') && {
          batch: (
            <button
              className="button small primary"
              onClick={() => setAccepting(list.rows.filter((o) => list.selected.includes(o.id)))}
            >
              批量接单
            </button>
          ),
        })}
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {opened && <OrderDrawers {...opened} onClose={() => setOpened(null)} onDone={refresh} />}
      {accepting && (
        <AcceptAll
          orders={accepting}
          onClose={() => setAccepting(null)}
          onDone={() => {
            list.select([])
            refresh()
          }}
        />
      )}
    </>
  )
}
