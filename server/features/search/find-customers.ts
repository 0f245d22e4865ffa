import { customerHeld, customerStep } from '@zhuguan/contract/features/customers/customers.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { pickCustomers } from '../customers/customers.reads.ts'
import { EACH, type Hit } from './search.queries.ts'

/** By name, community, or their whole number; what was merged away is found as the one that it is now. */
export async function findCustomers(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const rows = (await pickCustomers(tx, scope, { keyword })).slice(0, EACH)
  return rows.map((k) => ({
    kind: 'customer',
    id: k.id,
    title: [k.name, k.community].filter(Boolean).join(' '),
    detail: [customerStep.label(k.step), k.consultantName || customerHeld.label(k.held)].join(' · '),
    link: linkTo('CustomerInfo', { id: k.id }),
  }))
}
