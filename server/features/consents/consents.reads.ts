import {
  consentHow,
  consentKind,
  type ConsentRow,
  consentState,
  type consentSubject,
} from '@zhuguan/contract/features/consents/consents.record.ts'

import type { Tx } from '../../database/connect.ts'
import { float8, int2, int4, row, text, uuid } from '../../kit/row.ts'
import { epoch } from '../../kit/statement.ts'

type CodeOf<C extends { values: readonly unknown[] }> = C['values'][number]
/** The person who is asked, and about what. */
export interface Asked {
  kind: CodeOf<typeof consentKind>
  subject_type: CodeOf<typeof consentSubject>
  subject_id: string
}

/**
 * In a statement whose tenant is the value `tenant`: the state of the newest answer of `subject`; null for who was
 * never asked.
 */
export const answerOf = (kind: Asked['kind'], tenant: string, subject: string): string =>
  `(SELECT x.state FROM consents x
     WHERE x.tenant_id = ${tenant} AND x.kind = '${kind}' AND x.subject_id = ${subject}
     ORDER BY x.recorded_at DESC, x.id DESC LIMIT 1)`

/** Whether a consent is in force. Asked under the lock of its subject. */
export async function isGiven(tx: Tx, tenant: string, a: Asked): Promise<boolean> {
  const { rows } = await tx.query(
    'consents.given',
    row({ id: uuid }),
    `SELECT id FROM consents
     WHERE tenant_id = $1 AND kind = $2 AND subject_type = $3 AND subject_id = $4
       AND state = ${consentState.code.given}`,
    [tenant, a.kind, a.subject_type, a.subject_id],
  )
  return rows.length > 0
}

/** The day of the last word of somebody: an answer, or that they took one back. */
export async function lastWordOn(tx: Tx, tenant: string, a: Asked): Promise<string | null> {
  const { rows } = await tx.query(
    'consents.lastword',
    row({ day: text.null }),
    `SELECT max(greatest(x.answered_on, (x.withdrawn_at AT TIME ZONE 'Asia/Shanghai')::date))::text AS day
     FROM consents x
     WHERE x.tenant_id = $1 AND x.kind = $2 AND x.subject_type = $3 AND x.subject_id = $4`,
    [tenant, a.kind, a.subject_type, a.subject_id],
  )
  return rows[0]!.day
}

/** All that somebody answered, the newest first; pictures only for who may see them. */
export async function answersOf(tx: Tx, tenant: string, a: Asked, proofs: boolean): Promise<ConsentRow[]> {
  const { rows } = await tx.query(
    'consents.of',
    row<ConsentRow>({
      id: uuid,
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
    `SELECT id, state, how, answered_on::text AS "answeredOn", scope, wording,
       CASE WHEN $5 THEN proof END AS proof,
       recorded_by AS "recordedBy", ${epoch('recorded_at')} AS "recordedAt", withdrawn_by AS "withdrawnBy",
       ${epoch('withdrawn_at')} AS "withdrawnAt", withdrawn_why AS "withdrawnWhy"
     FROM consents
     WHERE tenant_id = $1 AND kind = $2 AND subject_type = $3 AND subject_id = $4
     ORDER BY recorded_at DESC, id DESC`,
    [tenant, a.kind, a.subject_type, a.subject_id, proofs],
  )
  return rows
}

/** The number of the group's people at each answer to each question, by their newest. */
export async function countAnswers(tx: Tx, tenant: string) {
  const { rows } = await tx.query(
    'consents.count',
    row({ kind: text.of(consentKind), state: int2.of(consentState), n: int4 }),
    `SELECT k.kind, k.state, count(*)::int AS n
     FROM (SELECT DISTINCT ON (x.kind, x.subject_type, x.subject_id) x.kind, x.state
       FROM consents x
       WHERE x.tenant_id = $1
       ORDER BY x.kind, x.subject_type, x.subject_id, x.recorded_at DESC, x.id DESC) k
     GROUP BY k.kind, k.state`,
    [tenant],
  )
  return consentKind.values.flatMap((kind) =>
    consentState.values.map((state) => ({
      kind,
      state,
      n: rows.find((r) => r.kind === kind && r.state === state)?.n ?? 0,
    })),
  )
}
