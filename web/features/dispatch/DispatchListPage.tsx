import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { dispatchColumns } from '@zhuguan/contract/features/dispatch/dispatch.columns.ts'
import { dispatchState, noteKind, type NoteRow } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { linkKind, LINK_POWERS } from '@zhuguan/contract/features/links/links.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import type { RowAction } from '../../kit/RowActions.tsx'
import { State, type Tone } from '../../kit/State.tsx'
import { LateFilter, ReceiverFilter } from '../../parts/goods.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'

const LinksDrawer = lazyPart(() => import('../../parts/LinksDrawer.tsx'))
const { checked, delivered, returned, shipped, waiting } = dispatchState.code
const TONE: Record<number, Tone> = {
  [waiting]: 'wait',
  [shipped]: 'wait',
  [delivered]: 'ok',
  [checked]: 'ok',
  [returned]: 'bad',
}
const columns = columnsOf<typeof dispatchApi.list>()(dispatchColumns, {
  order: (n) => (
    <LinkTo page="OrderDetail" query={{ id: n.order_id }} onClick={(e) => e.stopPropagation()}>
      {n.orderCode}
    </LinkTo>
  ),
  state: (n) => <NoteState of={n} />,
})
const NoteState = ({ of: n }: { of: NoteRow }) => (
  <State tone={n.late ? 'bad' : (TONE[n.state] ?? 'grey')}>
    {dispatchState.label(n.state) + (n.late ? ' · 逾期' : '')}
  </State>
)

export default function DispatchListPage() {
  const list = useList(dispatchApi.list)
  const actor = useActor()
  const [linked, setLinked] = useState<NoteRow | null>(null)
  const mayLink = LINK_POWERS.driver.some((label) => hasPermission(actor, label))
  const actionsOf = (n: NoteRow): RowAction[] =>
    mayLink && (n.state === waiting || n.state === shipped)
      ? [{ key: 'link', label: '司机链接', open: () => setLinked(n) }]
      : []
  useLiveRows(list, ['dispatch'], () => null)
  return (
    <>
      <ListPage
        name="发货单"
        list={list}
        columns={columns}
        empty="还没有发货单。订单接单以后，从订单里新建发货单。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="发货单号、订单号、运单号" />
            <CodeFilter list={list} field="state" label="发货状态" options={dispatchState.options} />
            <CodeFilter list={list} field="method" label="交付方式" options={deliveryMethod.options} />
            <BranchFilter list={list} />
            <ReceiverFilter list={list} />
            <DayRangeFilter list={list} from="from" to="to" label="制单日期" />
            <LateFilter list={list} />
            <CodeFilter list={list} field="kind" label="类型" options={noteKind.options} />
            <GivenFilter list={list} field="order_id" label="订单" value={() => '指定的一张'} />
            <GivenFilter list={list} field="site_id" label="工地" value={() => '指定的一个'} />
          </>
        }
        actions={<ListExport list={list} endpoint={dispatchApi.export} name="发货单" />}
        actionsOf={actionsOf}
      />
      {linked && (
        <LinksDrawer
          kind={linkKind.code.driver}
          target={linked.id}
          title={`司机链接 · ${linked.code}`}
          onClose={() => setLinked(null)}
        />
      )}
    </>
  )
}
