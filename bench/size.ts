import { sized } from '../tools/size.ts'

/** Of one branch, beside the demo's. */
export const MANY_SITES = sized(5_000, 100)
/** So often each is measured; the middle counts. */
export const TIMES = sized(3, 1)
export const MIDST = Math.floor(TIMES / 2)
