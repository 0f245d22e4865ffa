import type { Tx } from '../../database/connect.ts'

/**
 * Of items of a contract: the quantity that deliveries hold and no change can take (docs/states.md). Nothing can be
 * ordered yet, so nothing is held.
 */
export const committed = (
  _tx: Tx,
  _tenant: string,
  items: readonly string[],
): Promise<ReadonlyMap<string, string>> => Promise.resolve(new Map(items.map((id) => [id, '0'])))
