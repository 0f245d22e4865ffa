import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'

import { call } from '../../kit/api.ts'

/** One alarm with its log, kept by its number: the panel and its drawers read the same. */
export const detailsOf = (id: string) => ({
  queryKey: [alarmsApi.details.path, id],
  queryFn: ({ signal }: { signal?: AbortSignal }) => call(alarmsApi.details, { query: { id } }, signal),
})
