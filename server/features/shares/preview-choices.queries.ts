import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'
import { packageStatus } from '@zhuguan/contract/features/packages/packages.record.ts'
import { quotationStatus } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { scopedShared, scopedStores } from '../../kit/scoped.ts'
import { contains, TODAY } from '../../kit/statement.ts'

const { building, finished } = siteStatus.code
const MOST = 30

/** Versions of a customer's quotations that may be sent, the newest first. */
export async function sendableQuotations(
  tx: Tx,
  scope: Scope,
  asked: { customer: string; ids?: readonly string[] | undefined },
) {
  const where = scopedStores(scope, 'q')
    .add((p) => `q.customer_id = ${p}::uuid`, asked.customer)
    .when(asked.ids, (p) => `v.id = ANY (${p}::uuid[])`)
    .plain(`q.status <> ${quotationStatus.code.void} AND v.examine_state = ${examineState.code.approved}`)
    .plain(`v.valid_until >= ${TODAY}`)
  const { rows } = await tx.query(
    'previews.quotations',
    row({ id: uuid, title: text, detail: text }),
    `SELECT v.id, q.code || ' 第 ' || v.number || ' 版' AS title, '有效期至 ' || v.valid_until AS detail
     FROM quotations q
     JOIN quotation_versions v ON v.tenant_id = $1 AND v.quotation_id = q.id
     WHERE ${where.text}
     ORDER BY v.submitted_at DESC, v.id
     LIMIT ${MOST}`,
    where.values,
  )
  return rows
}

/** Packages that are sold today where the caller sells. */
export async function soldPackages(
  tx: Tx,
  scope: Scope,
  asked: { bc: string; keyword?: string | undefined; ids?: readonly string[] | undefined },
) {
  const where = scopedShared(scope, 'p')
    .add((p) => `(p.bc_id IS NULL OR p.bc_id = ${p}::uuid)`, asked.bc)
    .when(asked.keyword || undefined, (p) => `p.name ILIKE ${p}`, contains)
    .when(asked.ids, (p) => `p.id = ANY (${p}::uuid[])`)
    .plain(`p.status = ${packageStatus.code.published} AND p.from_on <= ${TODAY}`)
    .plain(`(p.to_on IS NULL OR p.to_on >= ${TODAY})`)
  const { rows } = await tx.query(
    'previews.packages',
    row({ id: uuid, title: text, detail: text }),
    `SELECT p.id, p.name AS title, trim_scale(p.per_square)::text || ' 元/㎡' AS detail
     FROM packages p
     WHERE ${where.text}
     ORDER BY p.name, p.number DESC, p.id
     LIMIT ${MOST}`,
    where.values,
  )
  return rows
}

/** Homes of the group in a community, those that are being built first; what is told of them names no address. */
export async function sitesIn(tx: Tx, tenant: string, community: string): Promise<string[]> {
  const { rows } = await tx.query(
    'previews.sites',
    row({ id: uuid }),
    `SELECT w.id FROM sites w
     WHERE w.tenant_id = $1 AND w.deleted_at IS NULL AND w.status IN (${building}, ${finished})
       AND w.community ILIKE $2
     ORDER BY w.status = ${finished}, w.start_date DESC NULLS LAST, w.id
     LIMIT ${MOST}`,
    [tenant, contains(community)],
  )
  return rows.map((r) => r.id)
}
