import {
  CASE_WORDING,
  caseAct,
  caseScope,
  caseState,
  caseWhere,
  type HomeCase,
} from '@zhuguan/contract/features/cases/cases.record.ts'
import { consentHow, consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import { contactRelation } from '@zhuguan/contract/features/owners/owners.record.ts'

import type { Tx } from '../../database/connect.ts'
import type { ShownLink } from '../../kit/link-kind.ts'
import { bool, float8, int2, int4, row, text, texts, uuid } from '../../kit/row.ts'
import { epoch, TODAY } from '../../kit/statement.ts'
import { answerOf } from '../consents/consents.reads.ts'
import { SAYS_NO } from './asked.ts'
import { contentOf } from './case-content.queries.ts'

const { asked, consented, expired, published, refused, withdrawn } = caseState.code
const no = consentState.code

/** The person who is of the home now; the signatory first. */
export async function contactsOf(tx: Tx, tenant: string, site: string) {
  const { rows } = await tx.query(
    'cases.contacts',
    row({ id: uuid, name: text, relation: text.of(contactRelation), signatory: bool }),
    `SELECT h.id, coalesce(h.name, o.name) AS name, h.relation, h.owner_id IS NOT NULL AS signatory
     FROM home_contacts h
     LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
     WHERE h.tenant_id = $1 AND h.site_id = $2 AND h.ended_at IS NULL
     ORDER BY signatory DESC, h.since, h.id`,
    [tenant, site],
  )
  return rows
}
/** The names of those of the home who say no now. */
export async function saysNo(tx: Tx, tenant: string, site: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await tx.query(
    'cases.saysno',
    row({ id: uuid, name: text }),
    `SELECT h.id, coalesce(h.name, o.name) AS name
     FROM home_contacts h
     LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
     WHERE h.tenant_id = $1 AND h.site_id = $2 AND ${SAYS_NO}
     ORDER BY h.since, h.id`,
    [tenant, site],
  )
  return rows
}
export type HomePerson = Awaited<ReturnType<typeof contactsOf>>[number]

/** Every answer about cases of this home, also of those who are not of it any more. */
export async function answersAt(tx: Tx, tenant: string, site: string, proofs: boolean) {
  const { rows } = await tx.query(
    'cases.answers',
    row({
      id: uuid,
      name: text,
      state: int2.of(consentState),
      how: text.of(consentHow),
      answeredOn: text,
      scope: text,
      wording: text,
      proof: text.null,
      recordedBy: text,
      recordedAt: float8,
      withdrawnBy: text.null,
      withdrawnAt: float8.null,
      withdrawnWhy: text.null,
    }),
    `SELECT c.id, coalesce(h.name, o.name, '') AS name, c.state, c.how, c.answered_on::text AS "answeredOn",
       c.scope, c.wording,
       CASE WHEN $3 THEN c.proof END AS proof, c.recorded_by AS "recordedBy",
       ${epoch('c.recorded_at')} AS "recordedAt", c.withdrawn_by AS "withdrawnBy",
       ${epoch('c.withdrawn_at')} AS "withdrawnAt", c.withdrawn_why AS "withdrawnWhy"
     FROM home_contacts h
     JOIN consents c ON c.tenant_id = $1 AND c.kind = 'case' AND c.subject_id = h.id
     LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
     WHERE h.tenant_id = $1 AND h.site_id = $2
     ORDER BY c.recorded_at DESC, c.id DESC`,
    [tenant, site, proofs],
  )
  return rows
}
export async function ledgerOf(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'cases.ledger',
    row({ at: float8, actor: text, act: text.of(caseAct), text }),
    `SELECT ${epoch('e.at')} AS at, e.actor, e.act, e.text
     FROM case_events e
     WHERE e.tenant_id = $1 AND e.case_id = $2
     ORDER BY e.at DESC, e.id DESC
     LIMIT 200`,
    [tenant, id],
  )
  return rows
}

const isNo = (answer: number | null) => answer === no.refused || answer === no.withdrawn
/** What of this home somebody was asked to show, since it is theirs: the newest first. */
export async function casesAtHome(
  tx: Tx,
  tenant: string,
  me: { id: string; site_id: string; since: Date },
): Promise<HomeCase[]> {
  const { rows } = await tx.query(
    'cases.athome',
    row({
      id: uuid,
      state: text.of(caseState),
      scope: texts.of(caseScope),
      places: texts.of(caseWhere),
      askedBy: text,
      mine: int2.of(consentState).null,
      signatory: bool,
      open: bool,
      version: int4,
    }),
    `SELECT k.id, k.state, k.scope, k.places, k.asked_by AS "askedBy", ${answerOf('case', '$1', '$3')} AS mine,
       h.owner_id IS NOT NULL AS signatory, k.until >= ${TODAY} AS open, k.version
     FROM cases k
     JOIN home_contacts h ON h.tenant_id = $1 AND h.id = $3
     WHERE k.tenant_id = $1 AND k.site_id = $2 AND k.asked_at >= $4
       AND k.state IN ('${asked}', '${consented}', '${published}', '${refused}', '${withdrawn}', '${expired}')
     ORDER BY k.asked_at DESC, k.id
     LIMIT 5`,
    [tenant, me.site_id, me.id, me.since],
  )
  const shown = await contentOf(
    tx,
    tenant,
    rows.map((r) => r.id),
  )
  return rows.map(({ open, ...r }) => {
    const isIn = r.state === consented || r.state === published
    return {
      ...r,
      shown: shown.find((s) => s.id === r.id)!,
      mine: r.mine,
      // Somebody who alone stands against it may change their mind as long as it is asked or agreed to.
      mayAnswer: open && (r.state === asked || (isIn && isNo(r.mine))),
      mayWithdraw: isIn && open && !isNo(r.mine),
      wording: CASE_WORDING,
    }
  })
}

/** A rendition that this contact's home was asked about, on a device that was let in. */
export async function showsCase(tx: Tx, link: ShownLink, key: string): Promise<boolean> {
  const { rows } = await tx.query(
    'cases.homepicture',
    row({ shown: bool }),
    `SELECT EXISTS (
       SELECT 1
       FROM home_devices d
       JOIN home_contacts h ON h.tenant_id = $1 AND h.id = d.contact_id AND h.ended_at IS NULL
       JOIN cases k ON k.tenant_id = $1 AND k.site_id = h.site_id
         AND k.state IN ('${asked}', '${consented}', '${published}') AND $4 = ANY (k.agreed)
       JOIN case_pictures p ON p.tenant_id = $1 AND p.case_id = k.id AND p.masked_picture = $4 AND p.state = 'released'
       WHERE d.tenant_id = $1 AND d.link_id = $2 AND d.device = $3 AND d.state = 'bound') AS shown`,
    [link.tenant, link.id, link.device, key],
  )
  return rows[0]!.shown
}
