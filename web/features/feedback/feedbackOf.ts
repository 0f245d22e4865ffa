import { feedbackApi } from '@zhuguan/contract/features/feedback/feedback.api.ts'

import { call } from '../../kit/api.ts'

/** One feedback with its thread, as it was when its row was read. */
export const feedbackOf = (id: string, version?: number) => ({
  queryKey: [feedbackApi.details.path, id, version],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(feedbackApi.details, { query: { id } }, signal),
})
