import { ApiError } from '../../kit/api.ts'

const NO_NETWORK = 0
/** It may be different the next time. */
export const isAway = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.code === NO_NETWORK || error.code === 429 || error.code >= 500
