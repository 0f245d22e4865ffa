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

/** Asked when the filter is opened: the list itself does not wait for them. */
export const findStores = async (keyword: string) =>
  (await call(sitesApi.stores, { query: {} }))
    .filter((s) => s.name.includes(keyword))
    .map((s) => ({ value: s.id, label: s.name }))
export const storeOf = async (id: string) => (await findStores('')).find((s) => s.value === id)
