import type { Tx } from '../../kit/tx.ts'

/**
 * Somebody keeps a home from now on: what was said there about them is kept from them, unless service has released it
 * (docs/decisions/0485).
 */
export const hideAbout = (tx: Tx, tenant: string, site: string, person: string) =>
  tx.run(
    'feedback.hide',
    `UPDATE feedback f SET hidden_from = $3, version = f.version + 1
     WHERE f.tenant_id = $1 AND f.site_id = $2 AND f.about_id = $3 AND f.hidden_from IS NULL
       AND NOT EXISTS (
         SELECT FROM feedback_events e WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND e.act = 'release')`,
    [tenant, site, person],
  )
