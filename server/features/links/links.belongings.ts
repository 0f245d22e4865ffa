import type { Belongings } from '../../kit/belongings.ts'
import { linksToCustomer } from './links.queries.ts'

/** What was sent to a customer is the other one's that they are merged into; the links go on. */
export const linkBelongings: Belongings = {
  refusal: async () => undefined,
  move: linksToCustomer,
}
