import { useQueryClient } from '@tanstack/react-query'
import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'
import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import { goodsColumns } from '@zhuguan/contract/features/goods/goods.columns.ts'
import { goodsChangeState, goodsReason } from '@zhuguan/contract/features/goods/goods.record.ts'
import { orderSide } from '@zhuguan/contract/features/orders/orders.record.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { columnsOf, NOTHING } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { useQueue } from '../../kit/list/useQueue.ts'
import { Picture } from '../../kit/Picture.tsx'
import { useOpened } from '../../kit/useOpened.ts'
import { OrderLink } from '../../parts/documentLinks.tsx'
import { ReceiverFilter } from '../../parts/goods.tsx'
import { whatOf } from '../../parts/goodsEvidence.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, SiteFilter } from '../../parts/places.tsx'
import { useMayReach } from '../../parts/session.ts'
import { ChangeState, ExamineOf } from './goodsStates.tsx'
import { COMPLAINTS } from './outcomes.ts'
import { type OpenedChange, useGoodsActions } from './useGoodsActions.ts'

import './goods.css'

const ChangePanel = lazyPart(() => import('./ChangePanel.tsx'))
const ChangeDrawers = lazyPart(() => import('./ChangeDrawers.tsx'))

const columns = columnsOf<typeof goodsApi.list>()(goodsColumns, {
  result: (g) => whatOf(g),
  order: (g) => <OrderLink id={g.order_id} code={g.orderCode} />,
  picture: (g) =>
    g.photos[0] ? (
      <Picture picture={g.photos[0]} caption={`${g.name} ${whatOf(g)}`} width={40} height={30} />
    ) : (
      NOTHING
    ),
  quantity: (g) => `${g.quantity} ${g.unit}`,
  round: (g) => (g.round > 1 ? `第 ${g.round} 次` : NOTHING),
  examine: (g) => <ExamineOf of={g} />,
  state: (g) => <ChangeState of={g} />,
})

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(goodsApi.list)

export default function ChangeGoodsPage() {
  const list = useList(goodsApi.list)
  const client = useQueryClient()
  const [opened, show] = useOpened()
  const queue = useQueue(list, [opened, show])
  const [asking, setAsking] = useState<OpenedChange | null>(null)
  const actionsOf = useGoodsActions(setAsking)
  const sites = useMayReach('SiteList')
  const refresh = () => {
    queue.done()
    void client.invalidateQueries({ queryKey: [goodsApi.details.path] })
  }
  useLiveRows(list, ['goods'], (e) => e.id)
  return (
    <>
      <ListPage
        name="退换补货"
        list={list}
        columns={columns}
        current={queue.current}
        onCurrent={queue.onCurrent}
        onOpen={(g) => show(g.id)}
        empty="没有退换补货。验收不合格、验收后申请的出现在这里。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="单号、订单、工地" />
            <CodeFilter list={list} field="result" label="类型" options={COMPLAINTS} />
            <CodeFilter list={list} field="examineState" label="审核状态" options={examineState.options} />
            <CodeFilter list={list} field="state" label="处理状态" options={goodsChangeState.options} />
            <BranchFilter single list={list} />
            <ReceiverFilter list={list} />
            <CodeFilter list={list} field="reasonCode" label="原因" options={goodsReason.options} />
            {sites && <SiteFilter list={list} />}
            <DayRangeFilter list={list} from="from" to="to" label="申请日期" />
            <CodeFilter single list={list} field="side" label="我方" options={orderSide.options} />
            <GivenFilter
              list={list}
              field="overdue"
              label="超过答复期限"
              value={(v) => (v === 'true' ? '是' : '否')}
            />
            <GivenFilter list={list} field="order_id" label="订单" value={() => '指定的一张'} />
          </>
        }
        actions={<ListExport list={list} endpoint={goodsApi.export} name="退换补货" />}
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {opened && (
        <ChangePanel
          id={opened}
          queue={queue}
          row={list.rows.find((g) => g.id === opened)}
          actionsOf={actionsOf}
          onAsk={setAsking}
          onDone={refresh}
          onClose={() => show(null)}
        />
      )}
      {asking && <ChangeDrawers asked={asking} onClose={() => setAsking(null)} onDone={refresh} />}
    </>
  )
}
