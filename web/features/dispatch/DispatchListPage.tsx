import { dispatchApi } from '@zhuguan/contract/features/dispatch/dispatch.api.ts'
import { dispatchColumns } from '@zhuguan/contract/features/dispatch/dispatch.columns.ts'
import { dispatchState, noteKind } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { useOpened } from '../../kit/useOpened.ts'
import { OrderLink } from '../../parts/documentLinks.tsx'
import { LateFilter, ReceiverFilter } from '../../parts/goods.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { NoteState } from './noteStates.tsx'
import { type OpenedNote, useNoteActions } from './useNoteActions.ts'
import { useNotesAnew } from './useNotesAnew.ts'

const NoteDrawer = lazyPart(() => import('./NoteDrawer.tsx'))
const NoteDrawers = lazyPart(() => import('./NoteDrawers.tsx'))
const columns = columnsOf<typeof dispatchApi.list>()(dispatchColumns, {
  order: (n) => <OrderLink id={n.order_id} code={n.orderCode} />,
  state: (n) => <NoteState of={n} />,
})

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(dispatchApi.list)

export default function DispatchListPage() {
  const list = useList(dispatchApi.list)
  const [shown, show] = useOpened()
  const [opened, setOpened] = useState<OpenedNote | null>(null)
  const actionsOf = useNoteActions(setOpened)
  const refresh = useNotesAnew()
  useLiveRows(list, ['dispatch'], () => null)
  return (
    <>
      <ListPage
        name="发货单"
        list={list}
        columns={columns}
        empty="还没有发货单。商家接单以后，自动有一张待发货的。"
        onOpen={(n) => show(n.id)}
        filters={
          <>
            <KeywordFilter list={list} placeholder="发货单号、订单号、运单号" />
            <CodeFilter list={list} field="state" label="发货状态" options={dispatchState.options} />
            <CodeFilter list={list} field="method" label="交付方式" options={deliveryMethod.options} />
            <BranchFilter single list={list} />
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
        onDone={refresh}
      />
      {shown && <NoteDrawer id={shown} actionsOf={actionsOf} onDone={refresh} onClose={() => show(null)} />}
      {opened && <NoteDrawers {...opened} onClose={() => setOpened(null)} onDone={refresh} />}
    </>
  )
}
