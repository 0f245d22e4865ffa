import { feedbackStatus } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'

import { scoped } from '../../kit/scoped.ts'
import type { Where } from '../../kit/statement.ts'
import type { Scope } from '../../kit/tx.ts'
import { FEEDBACK_DUE as DUE } from '../deadlines/feedback-due.reads.ts'
import { ledThen } from '../sites/leads.reads.ts'

const { handling, open } = feedbackStatus.code

export const OVERDUE = `coalesce((${DUE}) < :now, false)`
export const OPEN = `f.status IN (${open}, ${handling})`

/** The keeper of the home of the site `w`: its steward, and after the handover who was named for that. */
export const KEEPER = `CASE WHEN w.status = ${siteStatus.code.finished} THEN coalesce(w.aftercare_id, w.steward_id)
  ELSE w.steward_id END`
/**
 * That feedback `f` is about `who`, or of a site that they were in charge of when it was entered, as supervision counts
 * it (docs/decisions/0600); in a statement whose tenant is $1.
 */
export const concerns = (who: string): string =>
  `(f.about_id = ${who} OR EXISTS (SELECT FROM site_leads l
     WHERE ${ledThen('f.site_id', 'f.entered_at')} AND l.user_id = ${who}))`

/** The people of a home have no account, and nothing is kept from them. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000'
/** That feedback `f` is not kept from `who`. */
export const isTold = (who: string): string => `(f.hidden_from IS NULL OR f.hidden_from <> ${who}::uuid)`
/** Feedback that somebody may know of: in their reach, and not kept from them (docs/decisions/0485). */
export const knownFeedback = (scope: Scope): Where => scoped(scope, 'f').add(isTold, scope.user ?? NO_ACCOUNT)
