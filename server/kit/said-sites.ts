import { siteNamed } from './home-address.ts'
import type { Where } from './statement.ts'
import type { Scope } from './tx.ts'

/**
 * Ids of sites that `p` (as of `contains`) names: as `siteNamed` says, or by the name of the owner. Each half reads an
 * index of its own; $1 is the tenant.
 */
export function saidSites(where: Where, scope: Scope): (p: string) => string {
  const named = siteNamed(where, scope, 'x')
  return (p) => `(
         SELECT x.id FROM sites x WHERE x.tenant_id = $1 AND ${named(p)}
         UNION ALL
         SELECT x.id FROM owners o
           JOIN sites x ON x.tenant_id = $1 AND x.owner_id = o.id
           WHERE o.tenant_id = $1 AND o.name ILIKE ${p})`
}

/** A line of the log is about a thing that `p` names. */
export function saidObject(where: Where, scope: Scope): (p: string) => string {
  const sites = saidSites(where, scope)
  return (p) => `(CASE l.object
       WHEN 'site' THEN l.object_id IN (SELECT s.id::text FROM sites s
         WHERE s.tenant_id = $1 AND s.id IN ${sites(p)})
       WHEN 'alarm' THEN l.object_id IN (SELECT a.id::text FROM alarms a
         WHERE a.tenant_id = $1 AND a.site_id IN ${sites(p)})
       WHEN 'correction' THEN l.object_id IN (SELECT k.id::text FROM corrections k
         WHERE k.tenant_id = $1 AND k.site_id IN ${sites(p)})
       WHEN 'worker' THEN l.object_id IN (SELECT k.id::text FROM workers k
         WHERE k.tenant_id = $1 AND k.search LIKE ${p})
       WHEN 'user' THEN l.object_id IN (SELECT u.id::text FROM users u
         WHERE u.tenant_id = $1 AND u.nickname ILIKE ${p})
       WHEN 'device' THEN l.object_id IN (SELECT d.id::text FROM devices d
         WHERE d.tenant_id = $1 AND lower(d.sn) LIKE ${p})
       ELSE false END)`
}
