import { feedbackKind, feedbackStatus } from '@zhuguan/contract/features/feedback/feedback.record.ts'

import { isFor, ledBy, type Mine } from '../../kit/in-charge.ts'
import { FEEDBACK_DUE as DUE } from '../deadlines/feedback-due.reads.ts'
import { isTold, OPEN, OVERDUE } from './feedback.reads.ts'

/**
 * Complaints of the home `site` that are not closed and that `me` may know of, in a statement whose tenant is $1. One
 * that an owner of before made waits as well, until somebody ends it.
 */
const complaints = (site: string, me: string) => `FROM feedback f
       WHERE f.tenant_id = $1 AND f.site_id = ${site} AND f.kind = '${feedbackKind.code.complaint}' AND ${OPEN}
         AND ${isTold(me)}`
export const openComplaints = (site: string, me: string): string =>
  `(SELECT count(*)::int ${complaints(site, me)})`
export const lateComplaints = (site: string, me: string): string =>
  `(SELECT count(*)::int ${complaints(site, me)} AND ${OVERDUE})`
/** Open complaints of whoever owned the home before `since`. */
export const formerComplaints = (site: string, since: string, me: string): string =>
  `(SELECT count(*)::int ${complaints(site, me)} AND f.home_at < ${since})`
export const complains = (site: string, me: string): string => `EXISTS (SELECT ${complaints(site, me)})`

const UNACCEPTED = `f.status = ${feedbackStatus.code.open}`
const isTheirs = (me: string) => `(f.assignee_id = ${me} OR ${UNACCEPTED} AND f.site_id IN ${ledBy(me)})`
/** Homes with complaints that `me` may know of and the end of their clock; a pause holds it. The tenant is $1. */
export const complaintsDue = (of: Mine | null, me: string): string => `SELECT f.site_id, ${DUE} AS at
       FROM feedback f
       WHERE f.tenant_id = $1 AND f.kind = '${feedbackKind.code.complaint}' AND ${OPEN} AND ${isTold(me)}
         AND (${DUE}) IS NOT NULL
         AND ${isFor(of, isTheirs, `(${UNACCEPTED} OR ${OVERDUE})`)}`

/** Own scores of the home's people since `since` that `me` may know of; what staff typed for them is in none (代填). */
const scored = (site: string, since: string, me: string) => `FROM feedback f
       WHERE f.tenant_id = $1 AND f.site_id = ${site} AND f.score IS NOT NULL AND f.scored_by = ''
         AND f.home_at >= ${since} AND ${isTold(me)}`
export const meanScore = (site: string, since: string, me: string): string =>
  `(SELECT round(avg(f.score), 1)::float8 ${scored(site, since, me)})`
export const scoresOf = (site: string, since: string, me: string): string =>
  `(SELECT count(*)::int ${scored(site, since, me)})`
