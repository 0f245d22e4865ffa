import { useQuery } from '@tanstack/react-query'
import { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'

import { call } from '../../kit/api.ts'

/** Stores that go on, where something may be arranged or shown. */
export const useStores = () =>
  useQuery({
    queryKey: [arrangementsApi.stores.path],
    staleTime: 300_000,
    queryFn: ({ signal }) => call(arrangementsApi.stores, {}, signal),
  }).data ?? []
