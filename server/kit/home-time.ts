/**
 * Since when the home `site` is its present owner's: what was said, asked and promised before is the owner's of before.
 * In a statement whose tenant is $1.
 */
export const homeSince = (site: string): string =>
  `(SELECT s.since FROM home_contacts s
         WHERE s.tenant_id = $1 AND s.site_id = ${site} AND s.owner_id IS NOT NULL AND s.ended_at IS NULL)`

/** How long a home was one owner's; open where there is nothing. */
export interface OwnersTime {
  from: Date | null
  to: Date | null
}
export const ALL_TIME: OwnersTime = { from: null, to: null }
/** When somebody else came to own the home `site`: how a time of one owner begins and ends. */
const handedOn = (site: string): string => `FROM home_contacts s
         WHERE s.tenant_id = $1 AND s.site_id = ${site} AND s.owner_id IS NOT NULL AND s.ended_at`
/** Of the owner in whose time `at` is: from when and until when the home was theirs; nothing where it is open. */
export const ownersTime = (site: string, at: string) => ({
  from: `(SELECT max(s.ended_at) ${handedOn(site)} <= ${at})`,
  to: `(SELECT min(s.ended_at) ${handedOn(site)} > ${at})`,
})
