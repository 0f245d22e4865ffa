import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { sheetColumns } from '@zhuguan/contract/features/goods/goods.columns.ts'
import type { SheetRow } from '@zhuguan/contract/features/goods/goods.record.ts'
import { checkState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { State } from '../../kit/State.tsx'
import { useOpened } from '../../kit/useOpened.ts'
import { NoteLink, OrderLink } from '../../parts/documentLinks.tsx'
import { ReceiverFilter } from '../../parts/goods.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, SiteFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { CheckOf } from './goodsStates.tsx'
import { SyncBar } from './SyncBar.tsx'
import { useSheetDrafts } from './useSheetDrafts.ts'

import './goods.css'

const AcceptanceDrawer = lazyPart(() => import('./AcceptanceDrawer.tsx'))

export default function AcceptanceListPage() {
  const list = useList(goodsApi.sheets)
  const [opened, show] = useOpened()
  const refresh = () => void list.refresh()
  const hand = useSheetDrafts(refresh)
  const judges = hasPermission(useActor(), 'accept:do')
  useLiveRows(list, ['goods', 'dispatch'], (e) => e.id)
  const columns = columnsOf<typeof goodsApi.sheets>()(sheetColumns, {
    note: (s) => <NoteLink id={s.id} code={s.code} />,
    order: (s) => <OrderLink id={s.order_id} code={s.orderCode} />,
    state: (s) => {
      const draft = hand.of(s.id)
      if (draft) return <State tone="wait">{draft.sending ? '等待发送' : '草稿未发送'}</State>
      return <CheckOf state={s.checkState} />
    },
  }).map((column) => (column.key === 'state' ? { ...column, card: 'badge' as const } : column))
  const actionsOf = (s: SheetRow) =>
    judges && s.buyer && s.linesChecked < s.lines
      ? [{ key: 'judge', label: '验收', open: () => show(s.id) }]
      : []
  return (
    <>
      <SyncBar hand={hand} onOpen={show} />
      <ListPage
        name="验收单"
        list={list}
        columns={columns}
        current={opened}
        onOpen={(s) => show(s.id)}
        empty="还没有验收单。发货单送达以后出现在这里。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="验收单号、发货单、订单、工地" />
            <CodeFilter list={list} field="checkState" label="验收状态" options={checkState.options} />
            <BranchFilter single list={list} />
            <SiteFilter list={list} />
            <DayRangeFilter list={list} from="from" to="to" label="送达日期" />
            <ReceiverFilter list={list} />
            <GivenFilter
              list={list}
              field="waiting"
              label="还有待验收"
              value={(v) => (v === 'true' ? '是' : '否')}
            />
            <GivenFilter list={list} field="order_id" label="订单" value={() => '指定的一张'} />
          </>
        }
        actions={<ListExport list={list} endpoint={goodsApi.sheetsExport} name="验收单" />}
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {opened && (
        <AcceptanceDrawer key={opened} id={opened} hand={hand} onClose={() => show(null)} onDone={refresh} />
      )}
    </>
  )
}
