import type { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import {
  contractState,
  receiptKind,
  signingProgress,
} from '@zhuguan/contract/features/contracts/contracts.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { compare, sum } from '@zhuguan/contract/kit/money.ts'

import type { Tx } from '../../database/connect.ts'
import { invalid } from '../../kit/refuse.ts'
import { row, text } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import type { LockedContract } from './contracts.queries.ts'
import { earliestOf, lockSeen, numberOf, tellContract } from './contracts.service.ts'
import { settlePaid } from './owed-back.ts'
import { newestVersion } from './quoted.ts'

const { begun, deposit, signed } = signingProgress.code
const settling = (c: LockedContract) => c.state === contractState.code.ending

/** More than a contract comes to is a slip of the hand: it would have to be given back. */
export async function refuseTooMuch(tx: Tx, tenant: string, c: LockedContract, more: string): Promise<void> {
  const paid = sum([c.paid, more])
  const { rows } = await tx.query(
    'contracts.most',
    row({ most: text }),
    'SELECT coalesce(c.end_value, c.total)::text AS most FROM contracts c WHERE c.tenant_id = $1 AND c.id = $2',
    [tenant, c.id],
  )
  const { most } = rows[0]!
  if (compare(paid, most) <= 0) return
  const what = settling(c) ? '结算金额' : ({ [signed]: '合同额' }[c.signingProgress as number] ?? '报价总价')
  throw invalid('amount', `连同这次已收 ${grouped(paid)} 元，超过${what} ${grouped(most)} 元`)
}

interface NewReceipt {
  contract: string
  code: string
  kind: (typeof receiptKind.values)[number]
  amount: string
  method: string
  paidOn: string
  payer: string
  remark: string
  refund?: string
  user: { id: string; nickname: string }
}
export async function insertReceipt(tx: Tx, call: Call, r: NewReceipt): Promise<string> {
  const id = call.newId()
  await tx.run(
    'contracts.receipt',
    `INSERT INTO contract_receipts (tenant_id, id, contract_id, code, kind, amount, method, paid_on, payer, remark,
       refund_id, user_id, user_name, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, :now)`,
    [
      call.user.tenant,
      id,
      r.contract,
      r.code,
      r.kind,
      r.amount,
      r.method,
      r.paidOn,
      r.payer,
      r.remark,
      r.refund ?? null,
      r.user.id,
      r.user.nickname,
    ],
  )
  return id
}

/** Money comes in: the first of it is the deposit, with the version that the customer saw then. */
export async function payContract(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof contractsApi)['pay']>,
): Promise<{ id: string; code: string }> {
  const { tenant } = call.user
  const c = await lockSeen(tx, call, body, (one) => (one.signingProgress === signed ? 'pay' : 'deposit'))
  const isSigned = c.signingProgress === signed
  if (body.paidOn > shanghaiDay(call.now())) throw invalid('paidOn', '收款日期不能晚于今天')
  if (body.paidOn < earliestOf(c)) throw invalid('paidOn', `收款日期不能早于 ${earliestOf(c)}`)
  await refuseTooMuch(tx, tenant, c, body.amount)
  const code = await numberOf(tx, call, 'receipt', c.bc_id)
  const kind = receiptKind.code[isSigned ? 'payment' : 'deposit']
  const id = await insertReceipt(tx, call, { ...body, contract: c.id, code, kind, user: call.user })
  await settlePaid(tx, call, c.id)
  if (c.signingProgress === begun)
    await tx.run(
      'contracts.deposit',
      `UPDATE contracts c SET signing_progress = ${deposit}, deposit_version = $3
       WHERE c.tenant_id = $1 AND c.id = $2`,
      [tenant, c.id, (await newestVersion(tx, call, c.quotation_id)).id],
    )
  const { amount, method, paidOn, payer, remark } = body
  await call.log(tx, {
    action: isSigned ? '收款' : '收定金',
    object: 'contract',
    objectId: c.id,
    before: { signingProgress: c.signingProgress },
    after: {
      code: c.code,
      receipt: code,
      amount,
      method,
      paidOn,
      payer,
      remark,
      signingProgress: isSigned ? signed : deposit,
    },
  })
  tellContract(tx, call, c, `${isSigned ? '收款' : '收定金'} ${code}`)
  return { id, code }
}
