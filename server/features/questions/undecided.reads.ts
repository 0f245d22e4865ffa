import { questionState, type questionWait } from '@zhuguan/contract/features/questions/questions.record.ts'
import type { Code } from '@zhuguan/contract/kit/codes.ts'

import { carriedPictures } from '../../kit/carried-pictures.ts'
import { homeSince } from '../../kit/home-time.ts'
import { isFor, ledBy, type Mine } from '../../kit/in-charge.ts'
import { dayBegins, TODAY } from '../../kit/statement.ts'

const { open } = questionState.code
/** So long what was answered, or is not asked any more, stays in sight of the home. */
const SHOWN_DAYS = 90
/** A question `q` that the owner has not answered, and one whose day is over. */
export const OPEN = `q.state = '${open}'`
export const LATE = `q.needed_by < ${TODAY}`

/** The number of a site's open ones and of those past their day, in a statement whose tenant is $1. */
export const openOf = (site: string) =>
  `(SELECT count(*)::int FROM questions q WHERE q.tenant_id = $1 AND q.site_id = ${site} AND ${OPEN})`
export const lateOf = (site: string) =>
  `(SELECT count(*)::int FROM questions q
       WHERE q.tenant_id = $1 AND q.site_id = ${site} AND ${OPEN} AND ${LATE})`
/** That the present owner of a site has something to decide. */
export const isAsked = (site: string) =>
  `EXISTS (SELECT FROM questions q
       WHERE q.tenant_id = $1 AND q.site_id = ${site} AND ${OPEN} AND q.asked_at >= ${homeSince(site)})`
/** Sites whose owner has something to decide. */
export const waitingSites = (wait: Code<typeof questionWait>) =>
  `SELECT q.site_id FROM questions q WHERE q.tenant_id = $1 AND ${OPEN}${wait === 'late' ? ` AND ${LATE}` : ''}`

/** Homes whose owner has let the day of a question pass, and the end of that day: to be asked again by ours. */
export const decisionsDue = (
  of: Mine | null,
): string => `SELECT q.site_id, ${dayBegins('(q.needed_by + 1)')} AS at
       FROM questions q
       WHERE q.tenant_id = $1 AND ${OPEN} AND ${LATE}
         AND ${isFor(of, (me) => `q.site_id IN ${ledBy(me)}`, 'true')}`

/** The questions that the present stage of a site `w` waits for, in a statement whose tenant is $1. */
export const STAGE_WAITS = `FROM questions q
       WHERE q.tenant_id = $1 AND q.site_id = w.id AND ${OPEN} AND q.stage = w.stage`
/** That, and the question that the site is said to wait for, in words; what is overdue first. */
export const WAITS_WORDS = `coalesce((SELECT string_agg(q.words || CASE WHEN ${LATE}
         THEN '（已逾期 ' || ${TODAY} - q.needed_by || ' 天）' ELSE '（' || q.needed_by || ' 前）' END,
         '、' ORDER BY q.needed_by, q.id)
       FROM questions q
       WHERE q.tenant_id = $1 AND q.site_id = w.id AND ${OPEN}
         AND (q.stage = w.stage OR q.id = w.stop_question_id)), '')`

/** What is shown with a question `q`: its own pictures, and those of the message that it was made of. */
export const PICTURES = `(q.pictures || ${carriedPictures('question', 'q.id')})`

/** Questions for the people of a home, in its present owner's time: nothing of the owner before. The tenant is $1. */
export const readByHome = (site: string) =>
  `q.tenant_id = $1 AND q.site_id = ${site}
       AND (${OPEN} OR q.closed_at > :now - interval '${SHOWN_DAYS} days')
       AND q.asked_at >= ${homeSince(site)}`
