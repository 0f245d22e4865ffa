import { useQuery } from '@tanstack/react-query'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'

import { call } from '../../kit/api.ts'

/** The stores that sites may belong to, of all branches that the person sees. */
export const useStores = () =>
  useQuery({
    queryKey: [sitesApi.stores.path],
    staleTime: 300_000,
    queryFn: ({ signal }) => call(sitesApi.stores, { query: {} }, signal),
  }).data ?? []
