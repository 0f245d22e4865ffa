import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { receiptsApi } from '@zhuguan/contract/features/contracts/receipts.api.ts'
import { dueColumns } from '@zhuguan/contract/features/contracts/receipts.columns.ts'
import { DUE_SOON, type DueRow, dueWhen } from '@zhuguan/contract/features/contracts/receipts.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { type ReactNode, useEffect, useState } from 'react'

import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLive } from '../../kit/live.ts'
import { State } from '../../kit/State.tsx'
import { useGranted } from '../../parts/granted.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { isNothing, moneyOr } from './contractStates.tsx'
import type { OpenedContract } from './useContractActions.ts'

const ContractDrawers = lazyPart(() => import('./ContractDrawers.tsx'))
const YES_NO = [
  { value: 'true', label: '是' },
  { value: 'false', label: '否' },
]

function When({ of: r }: { of: DueRow }) {
  if (isNothing(r.open)) return <State tone="ok">已收清</State>
  if (r.lateDays > 0) return <State tone="bad">逾期</State>
  const tone = r.when === 'before' || r.when === 'today' ? 'wait' : 'grey'
  return <State tone={tone}>{dueWhen.label(r.when)}</State>
}
const columns = columnsOf<typeof receiptsApi.due>()(dueColumns, {
  covered: (r) => moneyOr(r.covered),
  open: (r) => (isNothing(r.open) ? '--' : <b>{grouped(r.open)}</b>),
  due: (r) => (
    <>
      {r.dueOn ?? '--'} {r.planned && <small title="阶段还没有开始，按计划开始的日子算">计划</small>}
    </>
  ),
  when: (r) => <When of={r} />,
  late: (r) => (r.lateDays ? <b className="late">{r.lateDays}</b> : '--'),
})
const linkTo = (r: DueRow) => hrefOf('ContractDetail', { id: r.contract_id })

/** Debts of customers, first what fell due first. */
export function Dues({ views, isPlain }: { views: ReactNode; isPlain: boolean }) {
  const list = useList(receiptsApi.due)
  const granted = useGranted()
  const [opened, setOpened] = useState<OpenedContract | null>(null)
  useLive(['contract'], () => list.refresh())
  useEffect(() => {
    if (isPlain) list.filter(['unpaid', 'true'], ['when', DUE_SOON.join(',')])
  }, [isPlain])
  const pay = async (r: DueRow) =>
    setOpened({
      kind: 'pay',
      contract: await call(contractsApi.details, { query: { id: r.contract_id } }),
    })
  return (
    <>
      <ListPage
        name="应收款"
        list={list}
        columns={columns}
        linkTo={linkTo}
        order={['先到期的在前', '按到期日，先到期的在前；阶段没有开始的按计划的日子']}
        empty="没有应收的款。签约后的分期、变更和终止结算会列在这里。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="合同号、客户、工地" />
            <BranchFilter single list={list} />
            <CodeFilter list={list} field="when" label="到期" options={dueWhen.options} />
            <CodeFilter single list={list} field="unpaid" label="有欠款" options={YES_NO} />
            <CodeFilter single list={list} field="overdue" label="逾期" options={YES_NO} />
          </>
        }
        actions={
          <>
            {views}
            <ListExport list={list} endpoint={receiptsApi.exportDue} name="应收款" />
          </>
        }
        actionsOf={(r) =>
          granted(
            isNothing(r.open)
              ? []
              : [{ key: 'pay', label: '收款', needs: 'contract:pay', open: () => void pay(r) }],
          )
        }
      />
      {opened && (
        <ContractDrawers {...opened} onClose={() => setOpened(null)} onDone={() => void list.refresh()} />
      )}
    </>
  )
}
