import { useQuery } from '@tanstack/react-query'
import { customersApi } from '@zhuguan/contract/features/customers/customers.api.ts'

import { call } from '../../kit/api.ts'
import type { Addressed } from '../../kit/list/address.ts'
import { CodeFilter } from '../../kit/list/filters.tsx'

/** The stores in reach; where there is one, there is nothing to choose. */
export function StoreFilter({ list }: { list: Addressed<'store_id'> }) {
  const { data = [] } = useQuery({
    queryKey: [customersApi.stores.path],
    staleTime: Infinity,
    queryFn: ({ signal }) => call(customersApi.stores, {}, signal),
  })
  if (data.length < 2) return null
  return (
    <CodeFilter
      list={list}
      field="store_id"
      label="门店"
      options={data.map((s) => ({ value: s.id, label: s.name }))}
    />
  )
}
