import type { Tx } from '../../database/connect.ts'

/** Whose name a contract bears stays in it for the law, when the name goes everywhere else. */
export const keepParties = (tx: Tx, tenant: string, contracts: readonly string[]) =>
  tx.run(
    'contracts.keepparty',
    `UPDATE contracts c SET kept_name = u.name, kept_phone = u.phone
     FROM customers u
     WHERE c.tenant_id = $1 AND c.id = ANY ($2::uuid[]) AND c.kept_name = '' AND u.tenant_id = $1
       AND u.id = c.customer_id`,
    [tenant, contracts],
  )
