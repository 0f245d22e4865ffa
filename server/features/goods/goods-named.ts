import { siteNamed } from '../../kit/home-address.ts'
import type { Where } from '../../kit/statement.ts'
import type { Scope } from '../../kit/tx.ts'

/** A row `a` of goods is named by its own `more`, by its order or by its site; `$k` is what is looked for. */
export function named(a: string, more: string, where: Where, scope: Scope): (p: string) => string {
  const site = siteNamed(where, scope, 's')
  return (p) =>
    `(${more} OR EXISTS (SELECT 1 FROM orders k WHERE k.tenant_id = $1 AND k.id = ${a}.order_id
         AND (lower(k.code) LIKE ${p} OR lower(k.community) LIKE ${p}))
       OR EXISTS (SELECT 1 FROM sites s
         WHERE s.tenant_id = $1 AND s.id = ${a}.site_id AND ${site(p)}))`.replaceAll('$k', p)
}
