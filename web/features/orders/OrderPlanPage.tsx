import { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import type { PlanRow } from '@zhuguan/contract/features/orders/orders.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { lazyPart } from '../../kit/lazyPart.tsx'
import { CodeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { CategoryFilter, LateFilter, ReceiverFilter } from '../../parts/goods.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter, SiteFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { whyNot } from './orderStates.tsx'
import { beginnings, groupedRows } from './planGroups.ts'
import { useOrdersAnew } from './useOrdersAnew.ts'
import { usePlanColumns } from './usePlanColumns.tsx'

import './orders.css'

const PlaceDrawer = lazyPart(() => import('./PlaceDrawer.tsx'))
const READY = [
  { value: 'true', label: '可以下单' },
  { value: 'false', label: '还不能下单' },
]
const ORDER = [
  '最该下单的在前',
  '按建议下单日从早到晚，已逾期的最先；同一工地、同一阶段的放在一起。点列名可以改用别的顺序。',
] as const
const mayOrder = (r: PlanRow) => whyNot(r) === undefined

export default function OrderPlanPage() {
  const read = useList(ordersApi.plan)
  const list = read.address.sort ? read : { ...read, rows: groupedRows(read.rows) }
  const columns = usePlanColumns(list.rows)
  const stages = beginnings(list.rows).stages
  const [placing, setPlacing] = useState<PlanRow[] | null>(null)
  const refresh = useOrdersAnew()
  const mayPlace = hasPermission(useActor(), 'order:place')
  const chosen = list.rows.filter((r) => list.selected.includes(r.id))
  useLiveRows(list, ['order', 'contract', 'site'], () => null, { every: 5_000 })
  return (
    <>
      <ListPage
        name="待下单"
        list={list}
        columns={columns}
        order={ORDER}
        mayPick={mayOrder}
        classOf={(r) => `${stages.has(r.id) ? 'begins' : ''} ${mayOrder(r) ? '' : 'barred'}`}
        empty="没有要下单的商品。合同签约以后，里面的商品出现在这里。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="工地、合同号、商品" />
            <BranchFilter single list={list} />
            <SiteFilter list={list} />
            <CodeFilter list={list} field="stage" label="阶段" options={siteStage.options} />
            <CategoryFilter list={list} />
            <ReceiverFilter list={list} />
            <LateFilter list={list} />
            <CodeFilter single list={list} field="ready" label="可以下单" options={READY} />
          </>
        }
        actions={<ListExport list={list} endpoint={ordersApi.planExport} name="待下单" />}
        {...(mayPlace && {
          batch: (
            <button className="button small primary" onClick={() => setPlacing(chosen)}>
              按商家合并下单
            </button>
          ),
        })}
      />
      {placing && (
        <PlaceDrawer
          rows={placing}
          onClose={() => setPlacing(null)}
          onDone={() => {
            list.select([])
            refresh()
          }}
        />
      )}
    </>
  )
}
