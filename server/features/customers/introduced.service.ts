import {
  type CustomerFacts,
  customerSource,
  customerStep,
} from '@zhuguan/contract/features/customers/customers.record.ts'

import type { Tx } from '../../database/connect.ts'
import { found, invalid, Refused } from '../../kit/refuse.ts'
import { bool, row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { customerInReach } from './customers.queries.ts'
import { takeNumber } from './left-number.service.ts'

const { introduced } = customerSource.code

/** Whether `of` is among those by whom `by` came, as often as that happened. */
async function isBehind(tx: Tx, tenant: string, of: string, by: string): Promise<boolean> {
  const { rows } = await tx.query(
    'customers.circle',
    row({ circle: bool }),
    `WITH RECURSIVE x AS (
       SELECT k.id, k.introducer_id FROM customers k WHERE k.tenant_id = $1 AND k.id = $3
       UNION
       SELECT k.id, k.introducer_id FROM x JOIN customers k ON k.tenant_id = $1 AND k.id = x.introducer_id)
     SELECT EXISTS (SELECT FROM x WHERE x.id = $2) AS circle`,
    [tenant, of, by],
  )
  return rows[0]!.circle
}

/**
 * The introducer has signed, is of the same branch and in the caller's reach, and did not come by this customer. The
 * one of before is not asked again. Of any other source it is nobody.
 */
export async function introducerOf(
  tx: Tx,
  call: Call,
  { bc_id, introducer_id, source }: Pick<CustomerFacts, 'bc_id' | 'introducer_id' | 'source'>,
  of: { id: string; introducer_id: string | null } | null = null,
): Promise<string | null> {
  if (introducer_id === null || source !== introduced) return null
  if (introducer_id === of?.introducer_id) return introducer_id
  if (introducer_id === of?.id) throw invalid('introducer_id', '介绍人不能是客户自己')
  const by = found(await customerInReach(tx, call.user.scope, introducer_id))
  if (by.bc_id !== bc_id || by.merged_into) throw invalid('introducer_id', '请选择本分公司的客户')
  if (by.step !== customerStep.code.signed)
    throw invalid('introducer_id', '介绍人要是已经签约的老业主，还没有签约的请把来源改成别的')
  if (of && (await isBehind(tx, call.user.tenant, of.id, introducer_id)))
    throw invalid('introducer_id', '介绍人自己就是这位客户介绍来的，不能互相介绍')
  return introducer_id
}

/** A friend of a home who left a name and a number on its page. */
export interface Introduced {
  bc_id: string
  site_id: string
  /** The contact of the home on whose page it was. */
  by: string
  name: string
  phone: string
  notice: string
}
/** The customer who signed for the home, and their consultant. */
async function signedAt(tx: Tx, tenant: string, site: string) {
  const { rows } = await tx.query(
    'customers.signedat',
    row({ id: uuid, store_id: uuid.null, maker_id: uuid.null }),
    `SELECT k.id, k.store_id, k.consultant_id AS maker_id
     FROM contracts c
     JOIN customers k ON k.tenant_id = $1 AND k.id = c.customer_id AND k.step = ${customerStep.code.signed}
     WHERE c.tenant_id = $1 AND c.site_id = $2
     ORDER BY c.signed_on DESC NULLS LAST
     LIMIT 1`,
    [tenant, site],
  )
  return rows[0]
}

/** Makes a lead of the owner's store; whoever is known already is called, and nothing is said. */
export async function takeIntroduced(tx: Tx, call: Call, n: Introduced): Promise<void> {
  const owner = await signedAt(tx, call.user.tenant, n.site_id)
  if (!owner) throw new Refused('您家的合同还没有登记，请直接把朋友介绍给您的管家')
  await takeNumber(tx, call, {
    bc_id: n.bc_id,
    store_id: owner.store_id,
    maker_id: owner.maker_id,
    customer_id: null,
    name: n.name,
    phone: n.phone,
    notice: n.notice,
    source: introduced,
    introducer_id: owner.id,
    words: {
      why: `老业主${n.by}在业主页介绍`,
      about: `老业主${n.by}在业主页介绍了朋友`,
      said: `由老业主${n.by}介绍`,
    },
  })
}
