import { refundActions } from '@zhuguan/contract/features/contracts/contracts.actions.ts'
import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import {
  type ContractDetail,
  type ContractInstalment,
  type ContractRefund,
  contractState,
  payMethod,
  receiptKind,
  refundKind,
} from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import { RowActions } from '../../kit/RowActions.tsx'
import { State } from '../../kit/State.tsx'
import { dayOf } from '../../kit/time.ts'
import { useActor } from '../../parts/session.ts'
import { isNothing, RefundState } from './contractStates.tsx'

/** Money that came in and went out; none of it is ever edited. */
export function ContractMoney({ of: c, onDone }: { of: ContractDetail; onDone: () => void }) {
  const actor = useActor()
  const actions = (r: ContractRefund) =>
    actionsOf(refundActions, r, actor, {
      withdraw: {
        confirm: `撤回退款单 ${r.code}？`,
        run: () => call(contractsApi.withdrawRefund, { body: { id: r.id, version: r.version } }),
      },
    })
  return (
    <section className="card section">
      <h2>收款和退款</h2>
      {c.receipts.length + c.refunds.length === 0 && <p className="quiet">还没有收款。</p>}
      {c.receipts.length + c.refunds.length > 0 && (
        <table className="plain-table contract-table">
          <thead>
            <tr>
              <th>单号</th>
              <th>类型</th>
              <th>日期</th>
              <th>付款/收款人</th>
              <th className="right">金额</th>
            </tr>
          </thead>
          <tbody>
            {c.receipts.map((r) => (
              <tr key={r.id} title={`${r.by} 记账${r.remark ? `：${r.remark}` : ''}`}>
                <td>{r.code}</td>
                <td>
                  {receiptKind.label(r.kind)} <small>{payMethod.label(r.method)}</small>
                </td>
                <td>{r.paidOn}</td>
                <td>{r.payer}</td>
                <td className="right">+{grouped(r.amount)}</td>
              </tr>
            ))}
            {c.refunds.map((r) => (
              <tr key={r.id} title={[`${r.by} 申请：${r.reason}`, r.judged].filter(Boolean).join('；')}>
                <td>{r.code}</td>
                <td>
                  {refundKind.label(r.kind)} <small>{payMethod.label(r.method)}</small>{' '}
                  <RefundState status={r.status} />
                  <RowActions actions={actions(r)} onDone={onDone} />
                </td>
                <td>{dayOf(r.at)}</td>
                <td>
                  {r.toCode ? `转入 ${r.toCode}` : r.payee}
                  {!isNothing(r.kept) && <small> 留用 {grouped(r.kept)}</small>}
                </td>
                <td className="right">−{grouped(r.amount)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td colSpan={4}>已收（收款 − 通过的退款）</td>
              <td className="right">{grouped(c.paid)}</td>
            </tr>
          </tfoot>
        </table>
      )}
    </section>
  )
}

function StandsAt({ of: i, isLive }: { of: ContractInstalment; isLive: boolean }) {
  if (i.amount.startsWith('-')) return <State tone="grey">抵减</State>
  if (i.covered === i.amount && !isNothing(i.amount)) return <State tone="ok">已付清</State>
  if (!isLive) return <State tone="grey">不再收</State>
  if (i.overdue) return <State tone="bad">逾期</State>
  if (i.dueOn) return <State tone="wait">已到期</State>
  return <State tone="grey">未到期</State>
}
const whenOf = (i: ContractInstalment): string => {
  if (i.dueOn) return i.dueOn
  return i.stage ? `${siteStage.label(i.stage)}开始` : '签约时'
}
const PLANNED: readonly string[] = ['live', 'finishing', 'settled'] satisfies ContractDetail['state'][]
/** The instalments with their days. */
export function PaymentPlan({ of: c }: { of: ContractDetail }) {
  const isLive = PLANNED.includes(c.state)
  return (
    <section className="card section">
      <h2>
        付款计划 <small>{c.instalments.length} 期</small>
      </h2>
      {!isLive && (
        <p className="quiet">
          合同{contractState.label(c.state)}，下面各期不再收取{c.settlement && '，收退以结算金额为准'}。
        </p>
      )}
      <table className="plain-table contract-table">
        <thead>
          <tr>
            <th>期次</th>
            <th className="right">比例</th>
            <th>到期</th>
            <th className="right">金额</th>
            <th className="right" title="已收的款，加上变更减少的金额；先到期的先抵">
              已收和抵减
            </th>
            <th>状态</th>
          </tr>
        </thead>
        <tbody>
          {c.instalments.map((i) => (
            <tr key={i.id}>
              <td>{i.name}</td>
              <td className="right">{i.percent === null ? '--' : `${i.percent}%`}</td>
              <td title={i.lastDay ? `最晚 ${i.lastDay}` : undefined}>{whenOf(i)}</td>
              <td className="right">{grouped(i.amount)}</td>
              <td className="right">
                {isNothing(i.covered) || i.amount.startsWith('-') ? '--' : grouped(i.covered)}
              </td>
              <td>
                <StandsAt of={i} isLive={isLive} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
