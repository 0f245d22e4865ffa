/**
 * Since when the home `site` is its present owner's: what was said, asked and promised before is the owner's of before.
 * In a statement whose tenant is $1.
 */
export const homeSince = (site: string): string =>
  `(SELECT s.since FROM home_contacts s
         WHERE s.tenant_id = $1 AND s.site_id = ${site} AND s.owner_id IS NOT NULL AND s.ended_at IS NULL)`

const thenOf = (what: string, site: string, at: string) => `SELECT ${what}
       FROM home_contacts s
       JOIN owners x ON x.tenant_id = $1 AND x.id = s.owner_id
       WHERE s.tenant_id = $1 AND s.site_id = ${site} AND (s.ended_at IS NULL OR s.ended_at >= ${at})
       ORDER BY s.ended_at NULLS LAST
       LIMIT 1`
/** The name of whoever owned the home `site` at `at`, where a list is searched by it. */
export const ownerNameThen = (site: string, at: string): string => `(${thenOf('x.name', site, at)})`
/**
 * The `name`, the `phone` and the `contact_id` of whoever owned the home `site` at `at`, or had it until then: what is
 * of before keeps that name.
 * To be joined LATERAL, in a statement whose tenant is $1.
 */
export const ownerThen = (site: string, at: string): string => `LEFT JOIN LATERAL (
       ${thenOf('x.name, x.phone, s.id AS contact_id', site, at)}) o ON true`

/** The time for which a home was one owner's; open where there is nothing. */
export interface OwnersTime {
  from: Date | null
  to: Date | null
}
export const ALL_TIME: OwnersTime = { from: null, to: null }
/** That `moment` is inside of it; the placeholders hold its two ends. */
export const within = (moment: string, from: string, to: string): string =>
  `(${from}::timestamptz IS NULL OR ${moment} >= ${from}) AND (${to}::timestamptz IS NULL OR ${moment} < ${to})`
/** When somebody else came to own the home `site`: how a time of one owner begins and ends. */
const handedOn = (site: string): string => `FROM home_contacts s
         WHERE s.tenant_id = $1 AND s.site_id = ${site} AND s.owner_id IS NOT NULL AND s.ended_at`
/** The time of the owner to whom the home belonged at `at`; nothing where it is open. */
export const ownersTime = (site: string, at: string) => ({
  from: `(SELECT max(s.ended_at) ${handedOn(site)} <= ${at})`,
  to: `(SELECT min(s.ended_at) ${handedOn(site)} > ${at})`,
})
