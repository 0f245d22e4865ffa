import type { ChangeDocument, ChangeLine } from '@zhuguan/contract/features/contracts/changes.record.ts'
import { changeActions } from '@zhuguan/contract/features/contracts/contracts.actions.ts'
import { changesApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import type { ContractDetail } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { grouped, priceText } from '@zhuguan/contract/kit/digits.ts'

import { actionsOf } from '../../kit/actionsOf.ts'
import { call } from '../../kit/api.ts'
import { RowActions } from '../../kit/RowActions.tsx'
import { short } from '../../kit/time.ts'
import { useActor } from '../../parts/session.ts'
import { ChangeState, signedMoney } from './contractStates.tsx'

/** Every change with its lines, those that count and those that do not yet. */
export function ContractChanges({
  of: c,
  onEdit,
  onDone,
}: {
  of: ContractDetail
  onEdit: (change: string) => void
  onDone: () => void
}) {
  const actor = useActor()
  const actions = (h: ChangeDocument) => {
    const one = { id: h.id, version: h.version }
    return actionsOf(changeActions, h, actor, {
      edit: { open: () => onEdit(h.id) },
      submit: {
        confirm: `提交变更单 ${h.code}（${signedMoney(h.amount)} 元）审核？审核期间不能修改`,
        run: () => call(changesApi.submit, { body: one }),
      },
      withdraw: {
        confirm: `撤回变更单 ${h.code}？`,
        run: () => call(changesApi.withdraw, { body: one }),
      },
      drop: {
        confirm: `作废变更单 ${h.code}？请写明原因`,
        run: (reason) => call(changesApi.drop, { body: { ...one, reason } }),
      },
    })
  }
  return (
    <section className="card section">
      <h2>
        变更 <small>{c.changeList.length} 张</small>
      </h2>
      {c.changeList.length === 0 && <p className="quiet">还没有变更。</p>}
      {c.changeList.map((h) => (
        <article key={h.id} className="contract-change">
          <header>
            <b>{h.code}</b> <ChangeState status={h.status} /> <span>{h.reason}</span>
            <small className="quiet">
              {h.by} {short(h.at)}
              {h.judged && `；审核 ${h.judged}`}
            </small>
            <RowActions actions={actions(h)} onDone={onDone} />
            <span className="amount">{signedMoney(h.amount)}</span>
          </header>
          <table className="plain-table contract-table">
            <tbody>
              {h.lines.map((l) => (
                <tr key={l.id}>
                  <td>{attribute.label(l.attribute)}</td>
                  <td>
                    {nameOf(l)} <small>{l.detail}</small>
                  </td>
                  <td className="right">
                    {l.priced} {l.unit}
                  </td>
                  <td className="right">
                    {priceOf(l)}
                    {l.listPrice !== null && Number(l.price) < Number(l.listPrice) && (
                      <small className="late"> 售价 {priceText(l.listPrice)}</small>
                    )}
                  </td>
                  <td className="right">{signedMoney(l.amount)}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <td colSpan={4}>合计</td>
                <td className="right">{grouped(h.amount)}</td>
              </tr>
            </tfoot>
          </table>
        </article>
      ))}
    </section>
  )
}
/** The words in an item's place name both. */
const nameOf = (l: ChangeLine): string =>
  l.attribute === attribute.code.adjusted ? `${l.itemName} → ${l.name}` : l.name
const priceOf = (l: ChangeLine): string =>
  l.before === null ? priceText(l.price) : `${priceText(l.before)} → ${priceText(l.price)}`
