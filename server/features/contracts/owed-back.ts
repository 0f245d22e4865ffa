import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { isZero } from '@zhuguan/contract/kit/money.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, row, text, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { settle } from '../notifications/notifications.service.ts'
import { passTurn } from '../notifications/turns.service.ts'
import { BACK, keepPaid, WAITS } from './contracts.queries.ts'

const causeOf = (id: string) => ({ kind: 'owedBack', id }) as const
/**
 * What we owe a customer waits for who may ask for the refund; once that is asked for it is the examiner's turn, and
 * when nothing is owed any more it is nobody's. Whoever changed what a contract comes to, or what is paid, says it.
 */
export async function tellOwedBack(tx: Tx, call: Call, contract: string): Promise<void> {
  const { id: me, tenant } = call.user
  const { rows } = await tx.query(
    'contracts.owedback',
    row({ code: text, bc_id: uuid, store_id: uuid.null, customer: text, back: text, asked: bool }),
    `SELECT c.code, c.bc_id, c.store_id, u.name AS customer, ${BACK}::text AS back, ${WAITS} AS asked
     FROM contracts c
     JOIN customers u ON u.tenant_id = $1 AND u.id = c.customer_id
     WHERE c.tenant_id = $1 AND c.id = $2`,
    [tenant, contract],
  )
  const c = rows[0]!
  if (isZero(c.back) || c.asked) return settle(tx, tenant, causeOf(contract))
  await passTurn(tx, 'owedBack', 'owed', {
    tenant,
    place: { bc_id: c.bc_id, store_id: c.store_id },
    actor: me,
    title: `合同 ${c.code} ${c.customer}：应退客户 ${grouped(c.back)} 元，请申请退款`,
    link: linkTo('ContractDetail', { id: contract }),
    cause: causeOf(contract),
  })
}
/** What is paid of a contract, kept beside it and told. */
export async function settlePaid(tx: Tx, call: Call, contract: string): Promise<void> {
  await keepPaid(tx, call.user.tenant, contract)
  await tellOwedBack(tx, call, contract)
}
