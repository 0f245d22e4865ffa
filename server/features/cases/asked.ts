import type { Asked } from '../consents/consents.reads.ts'

/** Somebody of a home is asked whether it may be shown. */
export const caseAsked = (contact: string): Asked => ({
  kind: 'case',
  subject_type: 'contact',
  subject_id: contact,
})
