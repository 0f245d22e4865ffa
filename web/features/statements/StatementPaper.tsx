import { useQuery, useQueryClient } from '@tanstack/react-query'
import { payMethod } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { statementsApi } from '@zhuguan/contract/features/statements/statements.api.ts'
import {
  type StatementDetail,
  statementState,
} from '@zhuguan/contract/features/statements/statements.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { call, callForBytes } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useLive } from '../../kit/live.ts'
import { usePageName } from '../../kit/page.tsx'
import { RowActions } from '../../kit/RowActions.tsx'
import { saveAs } from '../../kit/save.ts'
import { full } from '../../kit/time.ts'
import { SavePdf } from '../../parts/SavePdf.tsx'
import { useActor } from '../../parts/session.ts'
import { Charges } from './Charges.tsx'
import { OwedTable, StateOf } from './statementParts.tsx'
import { type OpenedStatement, useStatementActions } from './useStatementActions.ts'

const StatementDrawers = lazyPart(() => import('./StatementDrawers.tsx'))
const ChargeDrawer = lazyPart(() => import('./ChargeDrawer.tsx'))
const { agreed, draft } = statementState.code

/** One statement: what it says, who said yes to it, what was paid; on paper as on the screen. */
export function StatementPaper({ id }: { id: string }) {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: [statementsApi.details.path, id],
    queryFn: ({ signal }) => call(statementsApi.details, { query: { id } }, signal),
  })
  const [opened, setOpened] = useState<OpenedStatement | null>(null)
  const [charging, setCharging] = useState(false)
  const actionsOf = useStatementActions(setOpened)
  const mayEdit = hasPermission(useActor(), 'statement:edit')
  const again = () => {
    void refetch()
    void client.invalidateQueries({ queryKey: [statementsApi.list.path] })
  }
  usePageName(data?.code)
  // A line by hand that is approved changes the draft it belongs to.
  useLive(['statement'], () => refetch(), {
    only: (e) => e.id === id || !!data?.charges.some((c) => c.id === e.id),
  })
  if (error) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <div className="page-wait" aria-busy="true" />
  const isOpen = data.state === agreed && Number(data.open) !== 0
  return (
    <section className="card section statement">
      <header className="statement-head">
        <h2>
          {data.receiverName} {data.month.replace('-', ' 年 ')} 月对账单 <small>{data.bc_name}</small>{' '}
          <StateOf of={data} />
        </h2>
        <span className="statement-tools screen-only">
          <RowActions bar actions={actionsOf(data)} onDone={again} />
          {mayEdit && data.buyer && data.state === draft && data.bc_id !== '' && (
            <button className="button" onClick={() => setCharging(true)}>
              加手工行
            </button>
          )}
          <SavePdf
            label="对账单 PDF"
            save={async () =>
              saveAs(await callForBytes(statementsApi.pdf, { query: { id } }), `${data.code}.pdf`)
            }
          />
          <LinkTo page="StatementList">返回对账单</LinkTo>
        </span>
      </header>
      <Said of={data} />
      <OwedTable
        lines={data.lines}
        totals={data}
        more={
          data.state === agreed
            ? [
                ['已付', grouped(data.paid)],
                [
                  Number(data.open) < 0 ? '对方应付我方' : '未付',
                  <b key="open" className={isOpen ? 'late' : undefined}>
                    {grouped(data.open.replace('-', ''))}
                  </b>,
                ],
              ]
            : []
        }
      />
      <Charges list={data.charges} onDone={again} />
      <Payments of={data} onDone={again} />
      <p className="statement-signs">
        <span>下单方（盖章）：{data.sentBy}</span>
        <span>接单方（盖章）：{data.state === agreed && data.answeredBy}</span>
        <span>日期：</span>
      </p>
      {opened && <StatementDrawers {...opened} onClose={() => setOpened(null)} onDone={again} />}
      {charging && (
        <ChargeDrawer
          receiver={{ id: data.receiver_id, name: data.receiverName }}
          bc={{ id: data.bc_id, name: data.bc_name }}
          month={data.month}
          onClose={() => setCharging(false)}
          onDone={again}
        />
      )}
    </section>
  )
}

/** Number, whose turn it is, and what each side has said. */
function Said({ of: s }: { of: StatementDetail }) {
  return (
    <p className="quiet statement-said">
      <span>单号 {s.code}</span>
      {s.sentAt !== null && (
        <span>
          {s.sentBy} {full(s.sentAt).slice(0, 16)} 发出
        </span>
      )}
      {s.answeredAt !== null && (
        <span>
          {s.answeredBy} {full(s.answeredAt).slice(0, 16)} {s.state === agreed ? '确认' : '提出异议'}
          {s.reason && `：${s.reason}`}
        </span>
      )}
      {s.state === draft && <span>草稿：包含到月底为止还没有对过账的往来，发出以后固定。</span>}
    </p>
  )
}

function Payments({ of: s, onDone }: { of: StatementDetail; onDone: () => void }) {
  const may = hasPermission(useActor(), 'statement:pay') && s.buyer
  if (s.payments.length === 0) return null
  return (
    <>
      <h3>付款</h3>
      <table className="plain-table">
        <tbody>
          {s.payments.map((p) => (
            <tr key={p.id} className={p.reversedAt === null ? undefined : 'undone'}>
              <td>{p.code}</td>
              <td>{p.paidOn}</td>
              <td>{payMethod.label(p.method)}</td>
              <td className="statement-name">
                {p.payee} {p.remark}
                {p.reversedAt !== null && `（${p.reversedBy}冲销：${p.reverseReason}）`}
              </td>
              <td>{p.by}</td>
              <td className="right">{grouped(p.amount)}</td>
              <td className="screen-only">
                {may && p.reversedAt === null && (
                  <RowActions
                    actions={[
                      {
                        key: 'reverse',
                        label: '冲销',
                        reason: true,
                        confirm: `冲销付款 ${p.code}（${grouped(p.amount)} 元）？记录保留，未付恢复`,
                        run: (reason) =>
                          call(statementsApi.reverse, { body: { id: p.id, version: p.version, reason } }),
                      },
                    ]}
                    onDone={onDone}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
