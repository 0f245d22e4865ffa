import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import { statementColumns } from '@zhuguan/contract/features/statements/statements.columns.ts'
import { owingSide, statementState } from '@zhuguan/contract/features/statements/statements.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { useState } from 'react'

import { rowsBy } from '../../kit/ahead.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { columnsOf, NOTHING } from '../../kit/list/columnsOf.tsx'
import { CodeFilter, KeywordFilter } from '../../kit/list/filters.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useLiveRows } from '../../kit/list/useLiveRows.ts'
import { useParam } from '../../kit/page.tsx'
import { State } from '../../kit/State.tsx'
import { ReceiverFilter } from '../../parts/goods.tsx'
import { ListExport } from '../../parts/listButtons.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { MonthFilter } from './MonthFilter.tsx'
import { MonthPaper } from './MonthPaper.tsx'
import { StatementPaper } from './StatementPaper.tsx'
import { StateOf } from './statementParts.tsx'
import { type OpenedStatement, useStatementActions } from './useStatementActions.ts'

import './statements.css'

const StatementDrawers = lazyPart(() => import('./StatementDrawers.tsx'))
const isNothing = (amount: string) => Number(amount) === 0
const moneyOr = (amount: string) => (isNothing(amount) ? NOTHING : grouped(amount))
const linkTo = (s: { id: string }) => hrefOf('StatementList', { id: s.id })
const columns = columnsOf<typeof statementsApi.list>()(statementColumns, {
  code: (s) => s.code,
  returned: (s) => moneyOr(s.returnedAmount),
  hand: (s) => moneyOr(s.handAmount),
  side: (s) => <State tone={s.side === owingSide.code.owe ? 'grey' : 'ok'}>{owingSide.label(s.side)}</State>,
  paid: (s) => moneyOr(s.paid),
  open: (s) => <Open of={s.open} />,
  due: (s) => <Side of={s.due} />,
  state: (s) => <StateOf of={s} />,
})

/** In one column stand what we owe a merchant and what one owes us: the second says so. */
function Side({ of: amount }: { of: string }) {
  if (!amount.startsWith('-')) return grouped(amount)
  return (
    <span title="退货和扣款比验收多，由对方付给下单方">
      <small>对方应付</small> {grouped(amount.slice(1))}
    </span>
  )
}
const Open = ({ of: amount }: { of: string }) =>
  isNothing(amount) ? (
    NOTHING
  ) : (
    <b>
      <Side of={amount} />
    </b>
  )

/** Fetched when a link to the list is pressed. */
export const ahead = rowsBy(statementsApi.list)

/** A paper, what a month comes to so far, or the list of papers: as the address says. */
export default function StatementListPage() {
  const id = useParam('id')
  const receiver = useParam('receiver')
  const month = useParam('month')
  const bc = useParam('bc_id')
  if (id) return <StatementPaper id={id} />
  if (receiver && month) return <MonthPaper receiver={receiver} month={month} bc={bc} />
  return <StatementTable />
}

function StatementTable() {
  const list = useList(statementsApi.list)
  const [opened, setOpened] = useState<OpenedStatement | null>(null)
  const actionsOf = useStatementActions(setOpened)
  const refresh = () => void list.refresh()
  useLiveRows(list, ['statement'], (e) => e.id)
  return (
    <>
      <ListPage
        name="对账单"
        list={list}
        columns={columns}
        linkTo={linkTo}
        empty="还没有对账单。月底以后在“公司订单”里打开一家商家的对账单，核对后生成。"
        filters={
          <>
            <KeywordFilter list={list} placeholder="单号、商家" />
            <CodeFilter list={list} field="state" label="状态" options={statementState.options} />
            <MonthFilter list={list} />
            <ReceiverFilter list={list} />
            <BranchFilter single list={list} />
          </>
        }
        actions={<ListExport list={list} endpoint={statementsApi.export} name="对账单" />}
        actionsOf={actionsOf}
        onDone={refresh}
      />
      {opened && <StatementDrawers {...opened} onClose={() => setOpened(null)} onDone={refresh} />}
    </>
  )
}
