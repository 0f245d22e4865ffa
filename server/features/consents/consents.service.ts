import {
  consentHow,
  type ConsentRow,
  consentState,
} from '@zhuguan/contract/features/consents/consents.record.ts'

import type { Tx } from '../../database/connect.ts'
import { invalid } from '../../kit/refuse.ts'
import type { Call, Caller } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { claimPicture } from '../files/files.service.ts'
import { type Asked, lastWordOn } from './consents.reads.ts'

export type Answer = Pick<ConsentRow, 'answeredOn' | 'how' | 'proof' | 'scope'> & {
  answer: 1 | 2
  /** The version of the words that were shown. */
  wording?: string
  /** By whose hand alone it is known, where that is not who calls. */
  typedBy?: string
}

/** Writes down what somebody answered. The caller has locked the subject and seen that nothing else is in force. */
export async function recordAnswer(tx: Tx, call: Call, asked: Asked, a: Answer): Promise<void> {
  if (a.answeredOn > shanghaiDay(call.now())) throw invalid('answeredOn', '答复日期不能晚于今天')
  if (a.answer === consentState.code.given && a.how === consentHow.code.written && !a.proof)
    throw invalid('proof', '书面同意请上传签字的照片')
  // An older paper takes back nothing that was said since.
  const last = await lastWordOn(tx, call.user.tenant, asked)
  if (last !== null && a.answeredOn < last)
    throw invalid('answeredOn', `本人 ${last} 另有答复或已撤回，更早的答复不能再登记`)
  if (a.proof) await claimPicture(tx, call, a.proof, 'consent')
  await tx.run(
    'consents.add',
    `INSERT INTO consents (tenant_id, id, kind, subject_type, subject_id, state, how, answered_on, scope, proof,
       recorded_by, wording, recorded_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, :now)`,
    [
      call.user.tenant,
      call.newId(),
      asked.kind,
      asked.subject_type,
      asked.subject_id,
      a.answer,
      a.how,
      a.answeredOn,
      a.scope,
      a.proof,
      a.typedBy || call.user.nickname,
      a.wording ?? '',
    ],
  )
}

/** The consent in force ends; answers whether there was one. Its proof stays: that there was a consent once. */
export async function withdrawConsent(tx: Tx, call: Caller, asked: Asked, why: string): Promise<boolean> {
  const { rowCount } = await tx.run(
    'consents.withdraw',
    `UPDATE consents
     SET state = ${consentState.code.withdrawn}, withdrawn_by = $5, withdrawn_at = :now, withdrawn_why = $6
     WHERE tenant_id = $1 AND kind = $2 AND subject_type = $3 AND subject_id = $4
       AND state = ${consentState.code.given}`,
    [call.user.tenant, asked.kind, asked.subject_type, asked.subject_id, call.user.nickname, why],
  )
  return !!rowCount
}
