import { documentState, SOON_DAYS } from '@zhuguan/contract/features/workers/documents.record.ts'

const { valid, soon, expired } = documentState.code
/** The place of a document of `d` on a day. */
export const stateOn = (today: string) => `CASE
  WHEN d.valid_until < ${today}::date THEN ${expired}
  WHEN d.valid_until <= ${today}::date + ${SOON_DAYS} THEN ${soon}
  ELSE ${valid} END`
