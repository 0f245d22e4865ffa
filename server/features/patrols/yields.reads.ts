import { COUNTS_DAYS } from '@zhuguan/contract/features/rankings/rankings.record.ts'
import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'

/** Whether the patrol `p` yielded something: a problem, or a site that is not tidy. */
export const FOUND = `p.problems > 0 OR coalesce(p.tidiness = ${tidinessResult.code.poor}, false)`

/** The morning's list `k` named the site of the patrol `p` on its day or shortly before: it counts for its reasons. */
export const LISTED = `k.site_id = p.site_id
       AND (p.submitted_at AT TIME ZONE 'Asia/Shanghai')::date BETWEEN k.day AND k.day + ${COUNTS_DAYS}`

/** Patrols `p` that count for one of these reasons. */
export const listedFor = (reasons: string): string =>
  `EXISTS (
     SELECT 1
     FROM site_ranks k
     CROSS JOIN LATERAL jsonb_to_recordset(k.reasons) AS e(code text)
     WHERE k.tenant_id = $1 AND ${LISTED} AND e.code = ANY(${reasons}::text[]))`
