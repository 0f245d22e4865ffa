import type { Evidence } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import type { PageName } from '@zhuguan/contract/pages.ts'

import { isTold } from '../feedback/feedback.reads.ts'

/** The page on which records of a kind are read: who may not open it is told nothing of them here. */
export const READ_ON = {
  tasks: 'PatrolRecord',
  corrections: 'Correction',
  words: 'OwnerInteract',
  feedback: 'FeedbackList',
  promises: 'PromiseList',
  warnings: 'WarningList',
} as const satisfies Record<string, PageName>
export type Told = Readonly<Record<keyof typeof READ_ON, boolean>>
/** A condition that leaves nothing where the reader is told nothing. */
export const only = (told: boolean) => (told ? '' : 'AND false')

/** Every kind has these columns: `bad` where it was not as it should be, `took` where it is about a time. */
export const columns = (
  kind: Evidence,
  c: Record<'id' | 'person' | 'site' | 'since' | 'at' | 'took' | 'bad', string>,
) =>
  `SELECT '${kind}' AS kind, ${c.id} AS id, ${c.person} AS person, ${c.site} AS site_id, ${c.since} AS since,
       ${c.at} AS at, (${c.took})::int AS took, (${c.bad})::int AS bad`

/** What is kept from somebody is in no figure of theirs, whoever reads it (docs/decisions/0601). */
export const known = (person: string) => `f.hidden_from IS DISTINCT FROM ${person} AND ${isTold('$5')}`
