import type { LinkKind } from '../../kit/link-kind.ts'
import { driverLives, driverTarget, receiverOf } from './driver.queries.ts'

/** A driver's link leads to a trip, or to one note. */
export const driverLink: LinkKind = { find: driverTarget, lives: driverLives, receiver: receiverOf }
