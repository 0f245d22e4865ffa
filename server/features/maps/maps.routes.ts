import { mapsApi } from '@zhuguan/contract/features/maps/maps.api.ts'

import { type Feature, serve } from '../../kit/serve.ts'

export interface MapBase {
  /** An address with {z}, {x} and {y}; null where only the shipped boundaries are shown. */
  tiles: string | null
  credit: string
}
export const mapsFeature = (base: MapBase): Feature => serve(mapsApi, { base: async () => base })
