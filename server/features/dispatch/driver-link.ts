import type { LinkKind } from '../../kit/link-kind.ts'
import { arrivesOn, driverLives, driverTarget, receiverOf } from './driver.queries.ts'

/** A driver's link leads to a trip, or to one note, and lives for some days after these arrive. */
export const driverLink: LinkKind = {
  find: driverTarget,
  lives: driverLives,
  receiver: receiverOf,
  begins: arrivesOn,
}
