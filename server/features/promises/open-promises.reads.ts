import { promiseState } from '@zhuguan/contract/features/promises/promises.record.ts'

import { isFor, type Mine } from '../../kit/in-charge.ts'
import { dayBegins, TODAY } from '../../kit/statement.ts'

const { extended, open } = promiseState.code
const openOf = (p: string) => `${p}.state IN ('${open}', '${extended}')`
/** A promise `p` that still waits to be kept. */
export const OPEN = openOf('p')
/**
 * A promise to whose the home is since `since`: made to them, or taken over, open still or ended in their time. What
 * ended with the owner of before is not theirs. In a statement whose tenant is $1.
 */
export const promisedTo = (since: string, p = 'p'): string =>
  `(${p}.made_at >= ${since} OR ${openOf(p)} OR EXISTS (SELECT FROM promise_events t
         WHERE t.tenant_id = $1 AND t.promise_id = ${p}.id AND t.act IN ('keep', 'break', 'withdraw')
           AND t.at > ${since}))`

const due = (site: string) => `FROM promises p
       WHERE p.tenant_id = $1 AND p.site_id = ${site} AND ${OPEN} AND p.due <= ${TODAY}`
/** Promises to the home `site` whose last day is today or over, in a statement whose tenant is $1. */
export const dueOf = (site: string): string => `(SELECT count(*)::int ${due(site)})`
export const isDue = (site: string): string => `EXISTS (SELECT ${due(site)})`
/** Homes with such promises and the end of their last day; who supervises does what is over. The tenant is $1. */
export const promisesDue = (of: Mine | null): string => `SELECT p.site_id, ${dayBegins('(p.due + 1)')} AS at
       FROM promises p
       WHERE p.tenant_id = $1 AND ${OPEN} AND p.due <= ${TODAY}
         AND ${isFor(of, (me) => `p.responsible_id = ${me}`, `p.due < ${TODAY}`)}`
