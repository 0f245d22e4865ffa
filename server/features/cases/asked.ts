import { consentState } from '@zhuguan/contract/features/consents/consents.record.ts'

import { answerOf, type Asked } from '../consents/consents.reads.ts'

/** Somebody of a home is asked whether it may be shown. */
export const caseAsked = (contact: string): Asked => ({
  kind: 'case',
  subject_type: 'contact',
  subject_id: contact,
})

/**
 * That somebody `h` is of their home now and says no, in a statement whose tenant is $1. It stands until they say
 * otherwise themselves: nobody asks it away with another case.
 */
export const SAYS_NO = `h.ended_at IS NULL
         AND ${answerOf('case', '$1', 'h.id')} IN (${consentState.code.refused}, ${consentState.code.withdrawn})`
