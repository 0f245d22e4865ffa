import { isFor, ledBy, type Mine } from '../../kit/in-charge.ts'

/** The home `site` waits for an answer of ours. */
export const waits = (site: string): string =>
  `EXISTS (SELECT FROM threads t WHERE t.tenant_id = $1 AND t.site_id = ${site} AND t.waiting_since IS NOT NULL)`

/** Homes that wait for an answer, with the moment by which it is due, in a statement whose tenant is $1. */
export const wordsDue = (
  of: Mine | null,
): string => `SELECT t.site_id, coalesce(t.due_at, t.waiting_since) AS at
       FROM threads t
       WHERE t.tenant_id = $1 AND t.waiting_since IS NOT NULL
         AND ${isFor(of, (me) => `t.site_id IN ${ledBy(me)}`, 't.due_at < :now')}`
