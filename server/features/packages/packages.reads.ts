import { packageStatus } from '@zhuguan/contract/features/packages/packages.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { int2, int4, row, type RowOf, text, uuid } from '../../kit/row.ts'
import { scopedShared } from '../../kit/scoped.ts'

export { itemsOf as packageItems } from './packages.queries.ts'

const sold = row({
  id: uuid,
  bc_id: uuid.null,
  name: text,
  number: int4,
  perSquareMetre: text,
  leastArea: text,
  from: text,
  to: text.null,
  status: int2.of(packageStatus),
  newer: uuid.null,
  newerNumber: int4.null,
})
export type SoldPackage = RowOf<typeof sold>
/** A version of a package, and the later one that is sold now; in reach, where somebody has just chosen it. */
export async function packageOf(tx: Tx, scope: Scope, id: string): Promise<SoldPackage | undefined> {
  const where = scopedShared(scope, 'p').add((p) => `p.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'packages.of',
    sold,
    `SELECT p.id, p.bc_id, p.name, p.number, trim_scale(p.per_square)::text AS "perSquareMetre",
       trim_scale(p.least_area)::text AS "leastArea", p.from_on::text AS from, p.to_on::text AS to, p.status,
       n.id AS newer, n.number AS "newerNumber"
     FROM packages p
     LEFT JOIN packages n ON n.tenant_id = $1 AND n.family_id = p.family_id AND n.number > p.number
       AND n.status = ${packageStatus.code.published}
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}
/** Why it can no longer be sold on this day; nothing while it can. A later version leaves what uses this one alone. */
export function endedBecause(p: SoldPackage, today: string): string {
  const { draft, stopped } = packageStatus.code
  if (p.status === draft) return '还是草稿，没有发布'
  if (p.to !== null && p.to < today) return `有效期已于 ${p.to} 结束`
  if (p.from > today) return `${p.from} 才开始有效`
  return p.status === stopped && p.newer === null ? '已停用' : ''
}
