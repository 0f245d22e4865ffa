import type { Belongings } from '../../kit/belongings.ts'
import { previewsToCustomer } from './previews.queries.ts'

/** What was composed for a customer is for the one that they are merged into. */
export const previewBelongings: Belongings = {
  refusal: async () => undefined,
  move: previewsToCustomer,
}
