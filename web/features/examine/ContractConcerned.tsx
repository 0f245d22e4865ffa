import { useQuery } from '@tanstack/react-query'
import type { ChangeLine } from '@zhuguan/contract/features/contracts/changes.record.ts'
import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { contractState, signingProgress } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { type ExamineDetail, examineKind } from '@zhuguan/contract/features/examine/examine.record.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { grouped, priceText } from '@zhuguan/contract/kit/digits.ts'
import * as money from '@zhuguan/contract/kit/money.ts'

import { call } from '../../kit/api.ts'
import { Fact, Facts } from '../../kit/Facts.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'

const yuan = (amount: string) => `${grouped(amount)} 元`

/** The contract that a change, a refund or a void concerns, as it stands now; of a change its lines as well. */
export default function ContractConcerned({ request: r }: { request: ExamineDetail }) {
  const {
    data: c,
    error,
    refetch,
  } = useQuery({
    queryKey: [contractsApi.details.path, r.of_id],
    queryFn: ({ signal }) => call(contractsApi.details, { query: { id: r.of_id } }, signal),
  })
  if (error) return <Failed error={error} again={() => void refetch()} />
  if (!c)
    return (
      <p aria-busy="true" className="quiet">
        正在读取合同…
      </p>
    )
  const change = c.changeList.find((one) => one.id === r.object_id)
  const isOpen = r.judgedAt === null
  return (
    <>
      {change && <ChangeLines lines={change.lines} />}
      <h3>合同现在</h3>
      <Facts>
        <Fact name="合同">
          <LinkTo page="ContractDetail" query={{ id: c.id }}>
            {c.code}
          </LinkTo>
        </Fact>
        <Fact name="客户">{c.customerName}</Fact>
        <Fact name="签约进度">{signingProgress.label(c.signingProgress)}</Fact>
        <Fact name="状态">{contractState.label(c.state)}</Fact>
        <Fact name="合同额">{yuan(c.total)}</Fact>
        {r.kind === examineKind.code.change && change && isOpen && (
          <Fact name="通过后">{yuan(money.sum([c.total, change.amount]))}</Fact>
        )}
        <Fact name="已收">{yuan(c.paid)}</Fact>
        {r.kind === examineKind.code.refund && r.amount !== null && isOpen && (
          <Fact name="通过后已收">{yuan(money.minus(c.paid, r.amount))}</Fact>
        )}
        <Fact name="欠款">{yuan(c.owed)}</Fact>
      </Facts>
    </>
  )
}

const ChangeLines = ({ lines }: { lines: readonly ChangeLine[] }) => (
  <table className="plain-table">
    <thead>
      <tr>
        <th>属性</th>
        <th>名称</th>
        <th className="right">数量</th>
        <th className="right">单价</th>
        <th className="right">金额</th>
      </tr>
    </thead>
    <tbody>
      {lines.map((line) => (
        <tr key={line.id}>
          <td>{attribute.label(line.attribute)}</td>
          <td>
            {line.itemName && line.itemName !== line.name && <del>{line.itemName}</del>} {line.name}{' '}
            <small>{line.detail}</small>
          </td>
          <td className="right">
            {line.priced} {line.unit}
          </td>
          <td className="right">
            {line.before !== null && <small>原 {priceText(line.before)} → </small>}
            {priceText(line.price)}
          </td>
          <td className="right">{grouped(line.amount)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
