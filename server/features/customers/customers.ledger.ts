import type { customerAct } from '@zhuguan/contract/features/customers/customers.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { SYSTEM_NAME } from '../../kit/nobody.ts'
import type { Caller } from '../../kit/serve.ts'

/** One line of a customer's ledger. */
export interface Entry {
  act: (typeof customerAct.values)[number]
  from?: string | null
  to?: string | null
  text?: string
  /** Nobody did it: it followed from time. */
  bySystem?: true
}
export const addEntry = (tx: Tx, call: Caller, customer: string, e: Entry) =>
  tx.run(
    'customers.entry',
    `INSERT INTO customer_events (tenant_id, id, customer_id, act, actor, from_id, to_id, text, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, :now)`,
    [
      call.user.tenant,
      call.newId(),
      customer,
      e.act,
      e.bySystem ? SYSTEM_NAME : call.user.nickname,
      e.from ?? null,
      e.to ?? null,
      e.text ?? '',
    ],
  )

/** The part that every message about a customer has in common. */
export const noticeOf = (k: { id: string; bc_id: string; store_id: string | null }) => ({
  link: linkTo('CustomerInfo', { id: k.id }),
  cause: { kind: 'customer', id: k.id } as const,
  place: { bc_id: k.bc_id, store_id: k.store_id },
})
