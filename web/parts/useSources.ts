import { useQuery } from '@tanstack/react-query'
import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'

import { call } from '../kit/api.ts'

/** The sources that customers may have and have had; nothing until they are known. */
export const useSources = () =>
  useQuery({
    queryKey: [customersApi.sources.path],
    queryFn: ({ signal }) => call(customersApi.sources, {}, signal),
  }).data ?? []
