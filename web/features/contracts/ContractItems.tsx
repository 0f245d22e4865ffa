import type { ContractDetail, ContractItem } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { contractAttribute } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { grouped, priceText } from '@zhuguan/contract/kit/digits.ts'
import { Fragment } from 'react'

import { UnitPrice } from '../../parts/UnitPrice.tsx'
import { isNothing, signedMoney } from './contractStates.tsx'

const { package: standing, removed } = attribute.code
/** From the package to what was signed, and on to what it is now. */
function Steps({ of: c }: { of: ContractDetail }) {
  if (!c.bridge) return null
  const { package: base, removed, adjusted, added, discount, total } = c.bridge
  const steps = [
    ['减项', removed],
    ['部分调整', adjusted],
    ['增项', added],
    ['优惠', discount],
  ].filter(([, amount]) => !isNothing(amount!))
  const approved = c.changeList.filter((h) => h.status === 3)
  return (
    <p className="contract-bridge">
      <span>
        套餐 <b>{grouped(base)}</b>
      </span>
      {steps.map(([name, amount]) => (
        <span key={name}>
          {name} <b>{signedMoney(amount!)}</b>
        </span>
      ))}
      <span>
        签约 <b>{grouped(total)}</b>
      </span>
      {approved.map((h) => (
        <span key={h.id}>
          变更 {h.code} <b>{signedMoney(h.amount)}</b>
        </span>
      ))}
      {approved.length > 0 && (
        <span>
          现在 <b>{grouped(c.total)}</b>
        </span>
      )}
    </p>
  )
}
const leftText = (i: ContractItem): string => (i.left === i.quantity ? '' : `，变更后剩 ${i.left}`)

/** What is left out costs nothing. */
const costOf = (i: ContractItem): string =>
  i.cost === null || i.attribute === removed ? '--' : priceText(i.cost)

/** The items that are sold, by what they are beside the package. Paper goes to customers: costs are not printed. */
export function ContractItems({ of: c }: { of: ContractDetail }) {
  const groups = attribute.options
    .map(({ value, label }) => ({ value, label, items: c.items.filter((i) => i.attribute === value) }))
    .filter((g) => g.items.length > 0)
  const costs = c.items.some((i) => i.cost !== null)
  return (
    <section className="card section">
      <h2>
        合同内容 <small>{c.items.length} 项</small>
      </h2>
      <Steps of={c} />
      {groups.length === 0 && <p className="quiet">签约以后，签约版本的每一行都存在这里。</p>}
      {groups.length > 0 && (
        <table className="plain-table contract-table">
          <thead>
            <tr>
              <th>房间</th>
              <th>项目</th>
              <th>阶段</th>
              <th className="right">数量</th>
              <th className="right">下单数量</th>
              <th className="right">单价</th>
              {costs && <th className="right screen-only">成本</th>}
              <th className="right">金额</th>
            </tr>
          </thead>
          <tbody>
            {groups.map((g) => (
              <Fragment key={g.value}>
                <tr className="step">
                  <th colSpan={costs ? 8 : 7}>
                    {g.label}（{g.items.length} 项）
                  </th>
                </tr>
                {g.items.map((i) => (
                  <tr key={i.id}>
                    <td>{i.room || '--'}</td>
                    <td>
                      {i.name} <small>{i.detail}</small>
                      {i.contractAttribute === contractAttribute.code.special && <small> 非标项</small>}
                      {i.changeCode && <small> {i.changeCode}</small>}
                    </td>
                    <td>{i.stage ? siteStage.label(i.stage) : '--'}</td>
                    <td className="right">
                      {i.quantity} {i.unit}
                      <small>{leftText(i)}</small>
                    </td>
                    <td className="right">{g.value === removed ? '--' : i.orderedLeft}</td>
                    <td className="right">
                      <UnitPrice of={i} />
                    </td>
                    {costs && <td className="right screen-only">{costOf(i)}</td>}
                    <td className="right">{g.value === standing ? '含在套餐里' : signedMoney(i.amount)}</td>
                  </tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
