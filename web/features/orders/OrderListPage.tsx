import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import { orderColumns } from '@zhuguan/contract/features/orders/orders.columns.ts'
import {
  deliveryMethod,
  orderEnd,
  orderLateness,
  orderSide,
  receiveState,
} from '@zhuguan/contract/features/orders/orders.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import {
  CodeFilter,
  DayRangeFilter,
  GivenFilter,
  KeywordFilter,
  TextFilter,
} from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { LateFilter, ReceiverFilter } from '../../parts/goods.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, SiteFilter } from '../../parts/places.tsx'
import { useActor, useMayReach } from '../../parts/session.ts'
import { DueDay, ProgressOf, ReceiveOf, StandingOf } from './orderStates.tsx'
import { SiteName } from './SiteName.tsx'
import { type OpenedOrder, useOrderActions } from './useOrderActions.ts'
import { useOrdersAnew } from './useOrdersAnew.ts'

import './orders.css'

const OrderDrawers = lazyPart(() => import('./OrderDrawers.tsx'))
const ENDS = orderEnd.options.filter((o) => o.value !== orderEnd.code.live)
const linkTo = (o: { id: string }) => hrefOf('OrderDetail', { id: o.id })
const columns = columnsOf<typeof ordersApi.list>()(orderColumns, {
  site: (o) => <SiteName of={o} />,
  expected: (o) => <DueDay day={o.expectedOn} late={o.late} />,
  progress: (o) => <ProgressOf of={o} />,
  receive: (o) => <ReceiveOf of={o} />,
  state: (o) => <StandingOf of={o} />,
})

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(ordersApi.list)

export default function OrderListPage() {
  const list = useList(ordersApi.list)
  const actor = useActor()
  const [opened, setOpened] = useState<OpenedOrder | null>(null)
  const actionsOf = useOrderActions(setOpened, 'buyer')
  const maySites = useMayReach('SiteList')
  const amounts = hasPermission(actor, 'order:amount')
  const refresh = useOrdersAnew()
  useLiveRows(list, ['order', 'dispatch', 'goods'], () => null)
  return (
    <>
      <ListPage
        name="订单"
        list={list}
        columns={amounts ? columns : columns.filter((c) => c.key !== 'amount')}
        linkTo={linkTo}
        empty="还没有订单。在“待下单”里选择商品，按商家合并下单。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="订单号、小区、商家" />
            <BranchFilter single list={list} />
            <CodeFilter list={list} field="receiveState" label="接单状态" options={receiveState.options} />
            <CodeFilter list={list} field="orderState" label="订单状态" options={orderState.options} />
            <LateFilter list={list} />
            <GivenFilter
              list={list}
              field="lateness"
              label="逾期在"
              value={(v) => orderLateness.options.find((o) => o.value === v)?.label ?? ''}
            />
            <GivenFilter
              list={list}
              field="pieceState"
              label="有商品"
              value={(v) => orderState.label(Number(v))}
            />
            <DayRangeFilter list={list} from="expectedFrom" to="expectedTo" label="期望到货" />
            <ReceiverFilter list={list} />
            {maySites && <SiteFilter list={list} />}
            <CodeFilter single list={list} field="side" label="我方" options={orderSide.options} />
            <CodeFilter list={list} field="method" label="交付方式" options={deliveryMethod.options} />
            <CodeFilter list={list} field="ended" label="结束方式" options={ENDS} />
            <TextFilter list={list} field="batch" label="批次" />
          </>
        }
        actions={<ListExport list={list} endpoint={ordersApi.export} name="订单" />}
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {opened && <OrderDrawers {...opened} onClose={() => setOpened(null)} onDone={refresh} />}
    </>
  )
}
