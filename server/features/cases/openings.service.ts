import type { Tx } from '../../kit/tx.ts'

/** Strangers have opened a link that shows these cases; what somebody saw of a case before stays what it was. */
export async function countOpenings(tx: Tx, tenant: string, ids: readonly string[]): Promise<void> {
  // One order for everybody: two links that show the same cases do not wait for each other.
  for (const id of ids.toSorted())
    await tx.run(
      'cases.opened',
      'UPDATE cases SET openings = openings + 1 WHERE tenant_id = $1 AND id = $2',
      [tenant, id],
    )
}
