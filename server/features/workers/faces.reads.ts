import { consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import { faceState } from '@zhuguan/contract/features/workers/workers.record.ts'

import { answerOf } from '../consents/consents.reads.ts'

const { agreed, kept, missing, pending, refused } = faceState.code

/** The face of the worker `k`, of the tenant `$1`. One without a consent in force waits for one. */
export const FACE_STATE = `(SELECT CASE
  WHEN k.w_face IS NOT NULL AND a.state = ${consentState.code.given} THEN ${kept}
  WHEN k.w_face IS NOT NULL THEN ${pending}
  WHEN a.state = ${consentState.code.given} THEN ${agreed}
  WHEN a.state IS NOT NULL THEN ${refused}
  ELSE ${missing} END
  FROM (SELECT ${answerOf('face', '$1', 'k.id')} AS state) a)`
