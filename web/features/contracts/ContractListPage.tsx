import { useQuery } from '@tanstack/react-query'
import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { contractColumns } from '@zhuguan/contract/features/contracts/contracts.columns.ts'
import { contractState, signingProgress } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { linkTo } from '@zhuguan/contract/links.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, GivenFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { usePage } from '../../kit/page.tsx'
import { Granted } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { useActor, useMayReach } from '../../parts/session.ts'
import { isNothing, moneyOr, StandingOf } from './contractStates.tsx'
import { type OpenedContract, useContractActions } from './useContractActions.ts'

import './contracts.css'

const ContractDrawers = lazyPart(() => import('./ContractDrawers.tsx'))
const AddContract = lazyPart(() => import('./AddContract.tsx'))
const addressOf = (c: { id: string }) => hrefOf('ContractDetail', { id: c.id })
const YES = [{ value: 'true', label: '是' }]

function useColumns() {
  const maySite = useMayReach('SiteInfo')
  return columnsOf<typeof contractsApi.list>()(contractColumns, {
    code: (c) => c.code,
    site: (c) =>
      c.site_id && c.ws_name && maySite ? (
        <a href={hrefOf('SiteInfo', { id: c.site_id })} onClick={(e) => e.stopPropagation()}>
          {c.ws_name}
        </a>
      ) : (
        c.ws_name || '--'
      ),
    area: (c) => (
      <>
        {c.area} <small>㎡</small>
      </>
    ),
    total: (c) => grouped(c.total),
    paid: (c) => moneyOr(c.paid),
    end: (c) => (c.endValue === null ? '--' : grouped(c.endValue)),
    owed: (c) => moneyOr(c.owed),
    back: (c) => (isNothing(c.back) ? '--' : <b className="late">{grouped(c.back)}</b>),
    overdue: (c) => (isNothing(c.overdue) ? '--' : <b className="late">{grouped(c.overdue)}</b>),
    progress: (c) => <StandingOf of={c} />,
    changes: (c) => c.changes || '--',
  })
}
function useStores(bc: string | undefined) {
  return (
    useQuery({
      queryKey: [sitesApi.stores.path, bc ?? ''],
      queryFn: ({ signal }) => call(sitesApi.stores, { query: { bc_id: bc } }, signal),
    }).data ?? []
  )
}

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(contractsApi.list)

export default function ContractListPage() {
  const list = useList(contractsApi.list)
  const page = usePage()
  const columns = useColumns()
  const seesCosts = hasPermission(useActor(), 'product:cost')
  const stores = useStores(list.address.filters.bc_id)
  const [opened, setOpened] = useState<OpenedContract | null>(null)
  const [adding, setAdding] = useState(false)
  const actionsOf = useContractActions(setOpened)
  const refresh = () => void list.refresh()
  useLiveRows(list, ['contract'], (e) => e.id)
  return (
    <>
      <ListPage
        name="合同"
        list={list}
        columns={seesCosts ? columns : columns.filter((c) => c.key !== 'quoted' && c.key !== 'real')}
        linkTo={addressOf}
        empty="还没有合同。审核通过的报价单可以生成合同。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="合同号、客户、工地" />
            <BranchFilter single list={list} />
            {stores.length > 1 && (
              <CodeFilter
                single
                list={list}
                field="store_id"
                label="门店"
                options={stores.map((s) => ({ value: s.id, label: s.name }))}
              />
            )}
            <CodeFilter
              list={list}
              field="signingProgress"
              label="签约进度"
              options={signingProgress.options}
            />
            <CodeFilter list={list} field="state" label="合同状态" options={contractState.options} />
            <DayRangeFilter list={list} from="signedFrom" to="signedTo" label="签约日期" />
            <DayRangeFilter list={list} from="voidedFrom" to="voidedTo" label="作废日期" />
            <CodeFilter single list={list} field="owing" label="有欠款" options={YES} />
            <CodeFilter single list={list} field="overdue" label="是否逾期" options={YES} />
            <CodeFilter single list={list} field="back" label="有应退" options={YES} />
            <GivenFilter list={list} field="site_id" label="工地" value={() => '指定的一个'} />
            <GivenFilter list={list} field="customer_id" label="客户" value={() => '指定的一位'} />
          </>
        }
        actions={
          <>
            <ListExport list={list} endpoint={contractsApi.export} name="合同" />
            <Granted needs="contract:add">
              <button className="button primary" onClick={() => setAdding(true)}>
                由报价单生成
              </button>
            </Granted>
          </>
        }
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {adding && (
        <AddContract
          onClose={() => setAdding(false)}
          onDone={(id: string) => {
            refresh()
            page.go(linkTo('ContractDetail', { id }))
          }}
        />
      )}
      {opened && <ContractDrawers {...opened} onClose={() => setOpened(null)} onDone={refresh} />}
    </>
  )
}
