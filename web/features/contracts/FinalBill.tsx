import { changeStatus } from '@zhuguan/contract/features/contracts/changes.record.ts'
import type { ContractDetail } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'

import { Fact, Facts } from '../../kit/Facts.tsx'
import { full } from '../../kit/time.ts'
import { ContractPdf } from './ContractPdf.tsx'
import { isNothing, signedMoney } from './contractStates.tsx'

function balanceText(balance: string): string {
  if (isNothing(balance)) return '已结平'
  return balance.startsWith('-')
    ? `应退客户 ${grouped(balance.slice(1))} 元`
    : `客户应补 ${grouped(balance)} 元`
}
/** The amount that was held back, its last day, and the part that has been paid since. */
function warrantyText(held: string, open: string, until: string): string {
  if (isNothing(open)) return `留 ${grouped(held)} 元，已付清`
  const paid = totalOf([held, `-${open}`])
  return `留 ${grouped(held)} 元，${isNothing(paid) ? '' : `已付 ${grouped(paid)} 元，`}${until} 到期，客户到期再付`
}
/** What is signed when a home is finished, as it is printed: from what was signed to what is still to be paid. */
export function FinalBill({ of: c }: { of: ContractDetail }) {
  const b = c.bill!
  const changes = c.changeList.filter((h) => h.status === changeStatus.code.approved)
  const base = c.instalments.filter((i) => i.change_id === null)
  return (
    <section className="card section contract-bill">
      <h2>
        竣工结算单 <small>{b.finishedOn && `${b.finishedOn} 完工`}</small> <ContractPdf of={c} paper="bill" />
      </h2>
      {b.billedAt === null && (
        <p className="quiet">还没有结算，或者结算以后又通过了变更：请办理“竣工结算”。</p>
      )}
      <table className="plain-table contract-table">
        <tbody>
          <tr>
            <td>签约金额</td>
            <td className="right">{grouped(totalOf(base.map((i) => i.amount)))}</td>
          </tr>
          {changes.map((h) => (
            <tr key={h.id}>
              <td>
                变更 {h.code} <small>{h.reason}</small>
              </td>
              <td className="right">{signedMoney(h.amount)}</td>
            </tr>
          ))}
          <tr>
            <td>结算金额</td>
            <td className="right">
              <b>{grouped(c.total)}</b>
            </td>
          </tr>
          <tr>
            <td>已收（收款 − 退款）</td>
            <td className="right">{grouped(c.paid)}</td>
          </tr>
          {b.warrantyOn && (
            <tr>
              <td>
                质保金未付 <small>{warrantyText(b.warranty, c.warrantyOpen!, b.warrantyOn)}</small>
              </td>
              <td className="right">{grouped(c.warrantyOpen!)}</td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <td>{b.warrantyOn ? '质保金以外' : '结余'}</td>
            <td className="right">{balanceText(b.balance)}</td>
          </tr>
        </tfoot>
      </table>
      <Facts>
        <Fact name="办理">{b.billedAt !== null && `${b.billedBy} ${full(b.billedAt)}`}</Fact>
        <Fact name="签字">{b.signedOn && `客户 ${b.signer}，我方 ${b.ours}，${b.signedOn}`}</Fact>
        <Fact name="结清">{b.closedAt === null ? '未结清' : full(b.closedAt)}</Fact>
        {b.remark && <Fact name="说明">{b.remark}</Fact>}
      </Facts>
      {b.signedOn === null && (
        <p className="bill-signs print-only">
          <span>客户（签字）：</span>
          <span>我方（签字盖章）：</span>
          <span>日期：</span>
        </p>
      )}
    </section>
  )
}
/** Whole cents are added: none of these is long. */
const totalOf = (amounts: readonly string[]): string => {
  const cents = amounts.reduce((all, a) => all + BigInt(a.replace('.', '')), 0n)
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The home's earnings, beside what was quoted; for who may read costs. */
export function Realised({ of: c }: { of: ContractDetail }) {
  const r = c.realised!
  const isOver = c.state !== 'live'
  return (
    <section className="card section screen-only">
      <h2>
        毛利 <small>{isOver ? '按真实采购' : '未完工：已验收的商品为止'}</small>
      </h2>
      <Facts>
        <Fact name="报价毛利率">{c.quotedMargin === null ? '--' : `${c.quotedMargin}%`}</Fact>
        <Fact name="实际毛利率">{realText(c)}</Fact>
        <Fact name="不含税金额">{grouped(r.untaxed)} 元</Fact>
        <Fact name="商品（已验收减退货）">{grouped(r.goods)} 元</Fact>
        <Fact name="人工和费用（按报价）">{grouped(r.others)} 元</Fact>
        {r.waiting > 0 && <Fact name="还没验收">{r.waiting} 项商品，不在成本里</Fact>}
      </Facts>
    </section>
  )
}
function realText(c: ContractDetail): string {
  if (c.realised!.uncosted > 0) return `成本不全 ${c.realised!.uncosted} 行`
  if (c.realMargin !== null) return `${c.realMargin}%`
  return c.state === 'live' ? '完工后计算' : '--'
}
