import { HOME_PLACES, SITE_PLACES } from './personal-homes.ts'
import { CUSTOMER_PLACES, TOLD_PLACES, WORKER_PLACES } from './personal-people.ts'
import type { Place } from './personal-places.ts'

/** In this order: what is found by its words before the words are gone from where they stand. */
export const PLACES: readonly Place[] = [
  ...HOME_PLACES,
  ...SITE_PLACES,
  ...CUSTOMER_PLACES,
  ...WORKER_PLACES,
  ...TOLD_PLACES,
]
