import { correctionsApi } from '@zhuguan/contract/features/corrections/corrections.api.ts'

import { call } from '../../kit/api.ts'

/** One correction with its log, kept by its number: the panel and its drawers read the same. */
export const correctionOf = (id: string) => ({
  queryKey: [correctionsApi.details.path, id],
  queryFn: ({ signal }: { signal?: AbortSignal }) => call(correctionsApi.details, { query: { id } }, signal),
})
