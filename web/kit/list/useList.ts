import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { PAGE_SIZE, type Paged } from '@zhuguan/contract/kit/paging.ts'
import { useState } from 'react'

import { call } from '../api.ts'
import { usePage } from '../page.tsx'
import { readAddress, writeAddress } from './address.ts'

const pageOf = <R>(endpoint: Endpoint, query: object) => ({
  queryKey: [endpoint.path, query],
  queryFn: ({ signal }: { signal?: AbortSignal }) =>
    call(endpoint, { query } as never, signal) as Promise<Paged<R>>,
})
/** What a list asks for when nothing is filtered: can be fetched before it is opened. */
export const firstPage = (endpoint: Endpoint) => pageOf(endpoint, { pageNo: 1, pageSize: PAGE_SIZE })

/** Address ↔ one page of a list. The rows of before stay while the next ones come. */
export function useList<R extends { id: string }>(endpoint: Endpoint) {
  const page = usePage()
  const client = useQueryClient()
  const address = readAddress(page.search)
  const [selected, select] = useState<readonly string[]>([])
  const query = {
    ...address.filters,
    pageNo: address.pageNo,
    pageSize: address.pageSize,
    ...(address.sort ? { sort: address.sort } : {}),
  }
  const result = useQuery({
    ...pageOf<R>(endpoint, query),
    placeholderData: keepPreviousData,
    enabled: page.active,
  })
  const to = (change: Parameters<typeof writeAddress>[1]) =>
    page.go(page.path + writeAddress(page.search, change), { replace: true })
  const refresh = () => client.invalidateQueries({ queryKey: [endpoint.path] })
  return {
    endpoint,
    address,
    rows: result.data?.list ?? [],
    /** The whole answer: some lists carry more than rows. */
    data: result.data,
    total: result.data?.totalCount ?? 0,
    first: result.isPending,
    busy: result.isFetching,
    stale: result.isPlaceholderData,
    error: result.error,
    selected: selected.filter((id) => result.data?.list.some((r) => r.id === id)),
    select,
    filter: (filters: Record<string, string | undefined>) => to({ filters }),
    clear: () => to({ filters: Object.fromEntries(Object.keys(address.filters).map((k) => [k, undefined])) }),
    sort: (sort: string) => to({ sort }),
    /** The columns of the address have become the user's own. */
    ownColumns: () => to({ cols: '' }),
    turn: (pageNo: number, pageSize: number) => to(pageSize === address.pageSize ? { pageNo } : { pageSize }),
    refresh,
    /** These rows are fetched and put in place; when one of them is gone from the list, the whole page is. */
    refreshRows: async (ids: readonly string[]) => {
      const change = { ...query, ids: ids.join(','), pageNo: 1, pageSize: ids.length }
      const { list: changed } = await (call(endpoint, { query: change } as never) as Promise<Paged<R>>)
      if (changed.length < ids.length) return refresh()
      const byId = new Map(changed.map((row) => [row.id, row]))
      client.setQueryData<Paged<R>>(pageOf<R>(endpoint, query).queryKey, (old) =>
        old ? { ...old, list: old.list.map((row) => byId.get(row.id) ?? row) } : old,
      )
    },
  }
}
export type List<R extends { id: string }> = ReturnType<typeof useList<R>>
