import type { Scope, Tx } from '../../database/connect.ts'
import type { LinkKind, LinkTarget } from '../../kit/link-kind.ts'
import { row, text, timestamptz, uuid } from '../../kit/row.ts'
import { hasBranch } from '../../kit/scoped.ts'
import { publicCases, publicPicture } from '../cases/cases.reads.ts'
import { countOpenings } from '../cases/openings.service.ts'
import { tellOpened } from './opened.service.ts'
import { CONSENT_ENDS } from './shares.queries.ts'

/** The place of the sender's link: their store, or the branch of what they send. */
async function placeOf(tx: Tx, scope: Scope, bc: string) {
  if (hasBranch(scope, bc)) return { bc_id: bc, store_id: null }
  const { rows } = await tx.query(
    'shares.place',
    row({ bc_id: uuid, store_id: uuid.null }),
    `SELECT x.bc_id, x.store_id FROM (
       SELECT s.bc_id, s.id AS store_id, s.name FROM stores s WHERE s.tenant_id = $1 AND s.id = ANY ($2::uuid[])
       UNION ALL
       SELECT c.bc_id, NULL, c.bc_name FROM companies c WHERE c.tenant_id = $1 AND c.bc_id = ANY ($3::uuid[])) x
     ORDER BY x.store_id IS NULL, x.name
     LIMIT 1`,
    [scope.tenant, scope.stores ?? [], scope.bcs ?? []],
  )
  return rows[0]
}

/** A case that may be shown behind links now, of any branch: what was agreed to says who sees it. */
async function caseTarget(tx: Tx, scope: Scope, id: string): Promise<LinkTarget | undefined> {
  const { rows } = await tx.query(
    'shares.case',
    row({ bc_id: uuid, title: text }),
    'SELECT k.bc_id, k.title FROM cases k WHERE k.tenant_id = $1 AND k.id = $2',
    [scope.tenant, id],
  )
  const one = rows[0]
  const place = one && (await placeOf(tx, scope, one.bc_id))
  return place && { ...place, code: one.title, title: one.title }
}

/** The last second of the day up to which its home agreed. */
async function endOfConsent(tx: Tx, tenant: string, id: string): Promise<Date | null> {
  const { rows } = await tx.query(
    'shares.until',
    row({ end: timestamptz.null }),
    `SELECT ${CONSENT_ENDS} AS end FROM cases k WHERE k.tenant_id = $1 AND k.id = $2`,
    [tenant, id],
  )
  return rows[0]?.end ?? null
}

/** A link to one published case; consent is asked at every look and every byte. */
export const shareLink: LinkKind = {
  beyond: true,
  visits: true,
  over: '这个案例没有上架，或者业主没有同意用链接分享',
  find: caseTarget,
  until: endOfConsent,
  lives: async (tx, tenant, id) => (await publicCases(tx, tenant, 'link', tx.now, { ids: [id] })).length > 0,
  shows: async (tx, link, key, now) =>
    (await publicPicture(tx, link.tenant, link.target_id, key, 'link', now)) !== undefined,
  async opened(tx, link) {
    await countOpenings(tx, link.tenant, [link.target_id])
    await tellOpened(tx, link)
  },
}
