import type { CaseWhere, PublicCase } from '@zhuguan/contract/features/cases/cases.record.ts'
import { caseScope, caseState, caseWhere } from '@zhuguan/contract/features/cases/cases.record.ts'
import { consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import type { Tx } from '../../database/connect.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { TODAY } from '../../kit/statement.ts'
import { SAYS_NO } from './asked.ts'
import { contentOf } from './case-content.queries.ts'

export { AREA_BAND } from './case-content.queries.ts'

const { given } = consentState.code
/** Of somebody who is of the home of the case `k` now the last answer is a no (`SAYS_NO`). */
const SOMEBODY_SAYS_NO = `EXISTS (SELECT FROM home_contacts h
         WHERE h.tenant_id = $1 AND h.site_id = k.site_id AND ${SAYS_NO})`
/** It is of what the people of the home were shown, and was released. */
export const AGREED_PICTURE = `p.state = 'released' AND p.masked_picture = ANY (k.agreed)`
/**
 * That the case `k` of the site `w` may be shown at such a place on such a day, in a statement whose tenant is $1: it
 * is published, its day has not passed, its signatory is of the home and has not taken the consent back, nobody of the
 * home says no, and something is left to be seen. Asked at every look and every byte, whatever the state says.
 */
const isPublic = (
  place: string,
  day: string,
) => `k.state = '${caseState.code.published}' AND ${place} = ANY (k.places) AND k.until >= ${day}
       AND w.deleted_at IS NULL AND w.status IN (${siteStatus.code.building}, ${siteStatus.code.finished})
       AND EXISTS (SELECT FROM home_contacts h
         JOIN consents c ON c.tenant_id = $1 AND c.kind = 'case' AND c.subject_id = h.id AND c.state = ${given}
         WHERE h.tenant_id = $1 AND h.id = k.contact_id AND h.site_id = k.site_id AND h.ended_at IS NULL)
       AND NOT ${SOMEBODY_SAYS_NO}
       AND '${caseScope.code.photos}' = ANY (k.scope) AND EXISTS (SELECT FROM case_pictures p
         WHERE p.tenant_id = $1 AND p.case_id = k.id AND ${AGREED_PICTURE})`
/** The same at the place $2 on the day $3. */
export const IS_PUBLIC = isPublic('$2', '$3::date')
/** That links show the case of this number today. */
export const isLinked = (id: string) => `EXISTS (SELECT FROM cases k
           JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
           WHERE k.tenant_id = $1 AND k.id = ${id} AND ${isPublic(`'${caseWhere.code.link}'`, TODAY)})`

/**
 * What may be shown now at such a place: in a store, on its screen, behind a link. `tx` reaches the whole group
 * (`wholeGroup`); what of it somebody may see is what is agreed to, not their branch. `bcIds`, `ids` narrow it.
 */
export async function publicCases(
  tx: Tx,
  tenant: string,
  where: CaseWhere,
  now: Date,
  { bcIds, ids }: { bcIds?: readonly string[]; ids?: readonly string[] } = {},
): Promise<PublicCase[]> {
  const { rows } = await tx.query(
    'cases.public',
    row({ id: uuid }),
    `SELECT k.id
     FROM cases k
     JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
     WHERE k.tenant_id = $1 AND ${IS_PUBLIC}
       AND ($4::uuid[] IS NULL OR k.bc_id = ANY ($4::uuid[])) AND ($5::uuid[] IS NULL OR k.id = ANY ($5::uuid[]))`,
    [tenant, where, shanghaiDay(now), bcIds ?? null, ids ?? null],
  )
  const found = rows.map((r) => r.id)
  return contentOf(tx, tenant, found)
}

/**
 * The file behind a picture's key, if this case may show it at such a place now: the one question that every public
 * byte asks. Only a released rendition that the people of the home were shown has one; the key of an original has none.
 * `tx` reaches the whole group.
 */
export async function publicPicture(
  tx: Tx,
  tenant: string,
  caseId: string,
  key: string,
  where: CaseWhere,
  now: Date,
): Promise<{ file: string } | undefined> {
  const { rows } = await tx.query(
    'cases.byte',
    row({ file: text }),
    `SELECT p.masked_picture AS file
     FROM case_pictures p
     JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
     JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
     WHERE p.tenant_id = $1 AND p.masked_picture = $4 AND p.case_id = $5 AND ${AGREED_PICTURE} AND ${IS_PUBLIC}`,
    [tenant, where, shanghaiDay(now), key, caseId],
  )
  return rows[0]
}
