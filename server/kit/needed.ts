/**
 * In a statement whose group is $1: a complaint of the home, or a claim about its goods, that is not over. Until it is,
 * nothing goes that may tell what happened at the site.
 */
export const claimed = (site: string): string =>
  `(EXISTS (SELECT 1 FROM feedback f
       WHERE f.tenant_id = $1 AND f.site_id = ${site} AND f.kind = 'complaint' AND f.status IN (1, 2))
     OR EXISTS (SELECT 1 FROM goods_changes g
       WHERE g.tenant_id = $1 AND g.site_id = ${site} AND g.state = 'open'))`

/** What a device saw, a row with site_id, device_id and at: also held by a person, or of a day with an open alarm. */
export const needed = (seen: string): string =>
  `(${claimed(`${seen}.site_id`)}
     OR EXISTS (SELECT 1 FROM recording_holds h
       WHERE h.tenant_id = $1 AND h.device_id = ${seen}.device_id AND h.released_at IS NULL AND h.until_at > :now
         AND h.from_at <= ${seen}.at AND h.to_at >= ${seen}.at)
     OR EXISTS (SELECT 1 FROM alarms a
       WHERE a.tenant_id = $1 AND a.site_id = ${seen}.site_id AND a.correction_status IN (1, 2)
         AND a.at BETWEEN ${seen}.at - interval '1 day' AND ${seen}.at + interval '1 day'))`
