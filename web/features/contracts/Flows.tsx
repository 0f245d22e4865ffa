import { useQuery } from '@tanstack/react-query'
import { payMethod } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { receiptsApi } from '@zhuguan/contract/features/contracts/receipts.api.ts'
import { flowColumns } from '@zhuguan/contract/features/contracts/receipts.columns.ts'
import {
  flowKind,
  type FlowRow,
  flowState,
  type FlowTotals,
  flowType,
} from '@zhuguan/contract/features/contracts/receipts.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import type { ReactNode } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { columnsOf } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, DayRangeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLive } from '../../kit/live.ts'
import { State, type Tone } from '../../kit/State.tsx'
import { full } from '../../kit/time.ts'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { isNothing, signedMoney } from './contractStates.tsx'

const TONE: Record<FlowRow['state'], Tone> = {
  booked: 'ok',
  waiting: 'wait',
  rejected: 'bad',
  withdrawn: 'grey',
}
const columns = columnsOf<typeof receiptsApi.flow>()(flowColumns, {
  amount: (r) => <b>{signedMoney(r.amount)}</b>,
  state: (r) => <State tone={TONE[r.state]}>{flowState.label(r.state)}</State>,
})
const linkTo = (r: FlowRow) => hrefOf('ContractDetail', { id: r.contract_id })

/** Money that came in and went back, with what it comes to by way of payment. */
export function Flows({ views }: { views: ReactNode }) {
  const list = useList(receiptsApi.flow)
  const { sort: _, ...query } = list.query as Record<string, string>
  const totals = useQuery({
    queryKey: [receiptsApi.totals.path, query],
    queryFn: ({ signal }) => callAddressed(receiptsApi.totals, query, signal),
  })
  useLive(['contract'], () => {
    void totals.refetch()
    return list.refresh()
  })
  return (
    <div className="flow-page">
      {totals.data && <Totals of={totals.data} days={[query['from'], query['to']]} />}
      <ListPage
        name="流水"
        list={list}
        columns={columns}
        linkTo={linkTo}
        empty="没有收款，也没有退款。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="合同号、客户、工地" />
            <DayRangeFilter list={list} from="from" to="to" label="日期" />
            <CodeFilter list={list} field="type" label="类型" options={flowType.options} />
            <CodeFilter list={list} field="method" label="方式" options={payMethod.options} />
            <CodeFilter list={list} field="kind" label="明细" options={flowKind.options} />
            <CodeFilter
              single
              list={list}
              field="user_id"
              label="经手"
              options={(totals.data?.people ?? []).map((p) => ({ value: p.id, label: p.name }))}
            />
            <CodeFilter list={list} field="state" label="状态" options={flowState.options} />
            <BranchFilter single list={list} />
          </>
        }
        actions={
          <>
            {views}
            <button className="button" onClick={() => window.print()}>
              打印
            </button>
            <ListExport list={list} endpoint={receiptsApi.exportFlow} name="收退款流水" />
          </>
        }
      />
    </div>
  )
}

const span = ([from, to]: readonly (string | undefined)[]) => {
  if (from && from === to) return from
  return from || to ? `${from ?? '最早'} 至 ${to ?? '今天'}` : '全部日期'
}
/** By way of payment; the drawer is what is left of the cash. */
function Totals({ of: t, days }: { of: FlowTotals; days: readonly (string | undefined)[] }) {
  const cash = t.methods.find((m) => m.method === payMethod.code.cash)
  return (
    <section className="card section flow-totals" aria-label="合计">
      <h2>
        {span(days)} 收退款 <small>截至 {full(t.at)}，只算已入账的</small>
      </h2>
      <dl>
        <Sum name="收款" value={t.taken} />
        <Sum name="退款" value={t.given} />
        <Sum name="净收" value={t.net} />
        <Sum name="现金（抽屉）" value={cash?.net ?? '0.00'} strong />
        {t.methods
          .filter((m) => m.method !== payMethod.code.cash)
          .map((m) => (
            <Sum
              key={m.method}
              name={payMethod.label(m.method)}
              value={m.net}
              note={isNothing(m.given) ? `${m.count} 笔` : `收 ${grouped(m.taken)}，退 ${grouped(m.given)}`}
            />
          ))}
      </dl>
      {t.still > 0 && <p className="quiet">另有 {t.still} 笔留用和转入转出，没有经手钱款，不在合计里。</p>}
    </section>
  )
}
const Sum = ({
  name,
  value,
  note,
  strong,
}: {
  name: string
  value: string
  note?: string
  strong?: boolean
}) => (
  <div className={strong ? 'strong' : undefined}>
    <dt>{name}</dt>
    <dd>
      {grouped(value)}
      {note && <small>{note}</small>}
    </dd>
  </div>
)
