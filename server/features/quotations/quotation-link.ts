import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'
import { quotationStatus } from '@zhuguan/contract/features/quotations/quotations.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import type { LinkKind, LinkTarget } from '../../kit/link-kind.ts'
import { bool, row, text, uuid } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import { TODAY } from '../../kit/statement.ts'

const { approved } = examineState.code
const VOID = quotationStatus.code.void
const FROM = 'quotation_versions v JOIN quotations q ON q.tenant_id = $1 AND q.id = v.quotation_id'

/** A version of a quotation in reach. */
async function versionTarget(tx: Tx, scope: Scope, id: string): Promise<LinkTarget | undefined> {
  const where = scopedStores(scope, 'q')
    .add((p) => `v.id = ${p}::uuid`, id)
    .plain('v.tenant_id = $1')
  const { rows } = await tx.query(
    'quotations.linktarget',
    row({ bc_id: uuid, store_id: uuid.null, customer_id: uuid, code: text, title: text, person: text }),
    `SELECT q.bc_id, q.store_id, q.customer_id, q.code || ' 第 ' || v.number || ' 版' AS code,
       q.code || ' 第 ' || v.number || ' 版' AS title, k.name AS person
     FROM ${FROM}
     JOIN customers k ON k.tenant_id = $1 AND k.id = q.customer_id
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}
/** That links show the version of this number, in a statement whose tenant is $1. */
export const isShownVersion = (id: string) => `EXISTS (SELECT FROM quotation_versions x
           JOIN quotations y ON y.tenant_id = $1 AND y.id = x.quotation_id AND y.status <> ${VOID}
           WHERE x.tenant_id = $1 AND x.id = ${id} AND x.examine_state = ${approved})`
async function standing(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'quotations.linklives',
    row({ approved: bool, valid: bool }),
    `SELECT ${isShownVersion('$2')} AS approved,
       v.valid_until >= ${TODAY} AS valid
     FROM ${FROM} WHERE v.tenant_id = $1 AND v.id = $2`,
    [tenant, id],
  )
  return rows[0]
}

/**
 * A link to one version of a quotation that was approved. It outlives the days of its prices: then it says that they
 * are over, and no price.
 */
export const quotationLink: LinkKind = {
  visits: true,
  over: '只能分享审核通过、没有作废、还在有效期内的报价',
  find: versionTarget,
  lives: async (tx, tenant, id) => (await standing(tx, tenant, id))?.approved === true,
  mayBegin: async (tx, tenant, id) => (await standing(tx, tenant, id))?.valid === true,
  needsPassword: async () => true,
}
