import {
  logisticsProgress,
  logisticsStatus,
  logisticsType,
} from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { logisticsActions } from '@zhuguan/contract/features/dispatch/logistics.actions.ts'
import { logisticsApi } from '@zhuguan/contract/features/dispatch/logistics.api.ts'
import { logisticsColumns } from '@zhuguan/contract/features/dispatch/logistics.columns.ts'
import type { LogisticsRow } from '@zhuguan/contract/features/dispatch/logistics.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { actionsOf } from '../../kit/actionsOf.ts'
import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { useParam } from '../../kit/page.tsx'
import { full, short } from '../../kit/time.ts'
import { OrderLink } from '../../parts/documentLinks.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { LegProgress, LegStatus, RelatedLink } from './legStates.tsx'

import './logistics.css'

const CarriersDrawer = lazyPart(() => import('./CarriersDrawer.tsx'))
const LegDrawer = lazyPart(() => import('./LegDrawer.tsx'))
const NodeDrawer = lazyPart(() => import('./NodeDrawer.tsx'))
const YES = [{ value: 'true', label: '是' }]
const columns = columnsOf<typeof logisticsApi.list>()(logisticsColumns, {
  related: (l) => <RelatedLink of={l} />,
  order: (l) => <OrderLink id={l.order_id} code={l.orderCode} />,
  progress: (l) => <LegProgress of={l} />,
  status: (l) => <LegStatus of={l} />,
  node: (l) => <span title={`${full(l.nodeAt)} ${l.nodeText}`}>{l.nodeText || '--'}</span>,
  signed: (l) => (l.signedBy ? `${l.signedBy} ${short(l.signedAt)}` : '--'),
})

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(logisticsApi.list)

export default function LogisticsListPage() {
  const list = useList(logisticsApi.list)
  const actor = useActor()
  const [opened, setOpened] = useState(useParam('id'))
  const [asked, setAsked] = useState<LogisticsRow | null>(null)
  const [carriers, setCarriers] = useState(false)
  const mayCarriers = hasPermission(actor, 'carrier:edit')
  useLiveRows(list, ['dispatch'], () => null)
  const refresh = () => void list.refresh()
  return (
    <>
      <ListPage
        name="物流"
        list={list}
        columns={columns}
        empty="还没有物流。发货、退货以后，这里有每一程的轨迹。"
        onOpen={(l) => setOpened(l.id)}
        filters={
          <>
            <KeywordFilter list={list} placeholder="物流单号、运单号、关联单" />
            <CodeFilter list={list} field="type" label="类型" options={logisticsType.options} />
            <CodeFilter list={list} field="progress" label="进度" options={logisticsProgress.options} />
            <CodeFilter list={list} field="status" label="状态" options={logisticsStatus.options} />
            <BranchFilter single list={list} />
            <DayRangeFilter list={list} from="from" to="to" label="日期" />
            <CodeFilter single list={list} field="late" label="是否逾期" options={YES} />
            <GivenFilter list={list} field="order_id" label="订单" value={() => '指定的一张'} />
            <GivenFilter list={list} field="site_id" label="工地" value={() => '指定的一个'} />
          </>
        }
        actions={
          <>
            {mayCarriers && (
              <button className="button" onClick={() => setCarriers(true)}>
                承运商
              </button>
            )}
            <ListExport list={list} endpoint={logisticsApi.export} name="物流" />
          </>
        }
        actionsOf={(leg) =>
          actionsOf(logisticsActions, leg, actor, {
            node: { open: () => setAsked(leg) },
            sign: {
              confirm: `签收 ${leg.related} 退回的货？签收以后请验货`,
              run: () => call(logisticsApi.sign, { body: { id: leg.id, version: leg.version } }),
            },
          })
        }
        onDone={refresh}
      />
      {opened && <LegDrawer id={opened} onClose={() => setOpened(null)} />}
      {carriers && <CarriersDrawer onClose={() => setCarriers(false)} />}
      {asked && <NodeDrawer leg={asked} onClose={() => setAsked(null)} onDone={refresh} />}
    </>
  )
}
