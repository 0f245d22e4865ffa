import type { Tx } from '../../database/connect.ts'

/**
 * Who leads these sites by which post is what their rows say from now on: the time of whoever did ends, that of whoever
 * does begins (docs/decisions/0600). Told after each change of the two columns.
 */
export function keepLeads(tx: Tx, tenant: string, sites: readonly string[]): void {
  const leads = `sites w
     CROSS JOIN LATERAL (VALUES (1::smallint, w.steward_id), (2::smallint, w.manager_id)) AS x(post, who)`
  // Led for less than a moment is not led: nothing was theirs.
  tx.send(
    'sites.unled',
    `DELETE FROM site_leads l
     USING ${leads}
     WHERE l.tenant_id = $1 AND w.tenant_id = $1 AND w.id = ANY ($2::uuid[]) AND l.of_site = w.id AND l.post = x.post
       AND l.to_at IS NULL AND l.user_id IS DISTINCT FROM x.who AND l.from_at >= :now`,
    [tenant, sites],
  )
  tx.send(
    'sites.ledtill',
    `UPDATE site_leads l SET to_at = :now
     FROM ${leads}
     WHERE l.tenant_id = $1 AND w.tenant_id = $1 AND w.id = ANY ($2::uuid[]) AND l.of_site = w.id AND l.post = x.post
       AND l.to_at IS NULL AND l.user_id IS DISTINCT FROM x.who`,
    [tenant, sites],
  )
  tx.send(
    'sites.ledfrom',
    `INSERT INTO site_leads (tenant_id, of_site, post, from_at, user_id)
     SELECT $1, w.id, x.post, :now, x.who
     FROM ${leads}
     WHERE w.tenant_id = $1 AND w.id = ANY ($2::uuid[]) AND x.who IS NOT NULL
       AND NOT EXISTS (SELECT FROM site_leads l
         WHERE l.tenant_id = $1 AND l.of_site = w.id AND l.post = x.post AND l.to_at IS NULL)`,
    [tenant, sites],
  )
}
