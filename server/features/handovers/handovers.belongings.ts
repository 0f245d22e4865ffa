import type { Belongings } from '../../kit/belongings.ts'

/** What is known of one who is merged away is known of the one that they are: in the words of both. */
export const handoverBelongings: Belongings = {
  refusal: async () => undefined,
  async move(tx, tenant, from, into) {
    await tx.run(
      'handovers.mergebrief',
      `INSERT INTO customer_briefs AS b (tenant_id, customer_id, taste, people, fears, given, changed_by,
         changed_at, version)
       SELECT $1, $3, o.taste, o.people, o.fears, o.given, o.changed_by, o.changed_at, o.version
       FROM customer_briefs o
       WHERE o.tenant_id = $1 AND o.customer_id = $2
       ON CONFLICT (tenant_id, customer_id) DO UPDATE
       SET taste = left(concat_ws('；', nullif(b.taste, ''), nullif(excluded.taste, '')), 500),
         people = left(concat_ws('；', nullif(b.people, ''), nullif(excluded.people, '')), 500),
         fears = left(concat_ws('；', nullif(b.fears, ''), nullif(excluded.fears, '')), 500),
         given = left(concat_ws('；', nullif(b.given, ''), nullif(excluded.given, '')), 500),
         version = b.version + 1`,
      [tenant, from, into],
    )
    await tx.run(
      'handovers.mergedbrief',
      'DELETE FROM customer_briefs b WHERE b.tenant_id = $1 AND b.customer_id = $2',
      [tenant, from],
    )
    await tx.run(
      'handovers.mergepromises',
      'UPDATE customer_promises e SET customer_id = $3 WHERE e.tenant_id = $1 AND e.customer_id = $2',
      [tenant, from, into],
    )
  },
}
