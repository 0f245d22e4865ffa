import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AddressOf, DataOf } from '@zhuguan/contract/kit/api.ts'
import { type FilterOf, type ListEndpoint, type RowOf } from '@zhuguan/contract/kit/paging.ts'
import { useState } from 'react'

import { callAddressed } from '../api.ts'
import { callsOf, shapeOf } from '../no-schemas.ts'
import { usePage } from '../page.tsx'
import { type Addressed, type ListAddress, readAddress, writeAddress } from './address.ts'

const pageOf = <E extends ListEndpoint>(endpoint: E, query: AddressOf<E>) => ({
  queryKey: [endpoint.path, query],
  queryFn: ({ signal }: { signal?: AbortSignal }) => callAddressed(endpoint, query, signal),
})
/** What a list asks for at an address: can be fetched before it is opened. */
export function rowsAt(endpoint: ListEndpoint, search: string) {
  const { filters, pageNo, pageSize, sort } = knownIn(endpoint, readAddress(search))
  return pageOf(endpoint, { ...filters, ...(sort ? { sort } : {}), pageNo, pageSize })
}

/** One page of rows, and where in the whole list it stands: what tables, pictures and cards are drawn from. */
export interface Rows<R extends { id: string }> {
  rows: readonly R[]
  total: number
  /** Nothing has come yet. */
  first: boolean
  /** Something is under way. */
  busy: boolean
  /** These rows are of the filters of before. */
  stale: boolean
  error: Error | null
  address: { pageNo: number; pageSize: number; sort: string }
  selected: readonly string[]
  select: (ids: readonly string[]) => void
  sort: (field: string) => void
  turn: (pageNo: number, pageSize: number) => void
  refresh: () => Promise<void>
  refreshRows: (ids: readonly string[]) => Promise<void>
  /** Nothing is filtered or under way, and the page is the first. */
  plain: boolean
  /** Puts rows that are known already where `before` says that they stand on this page. */
  addRows: (rows: readonly R[], before: (a: R, b: R) => boolean) => void
}
export interface List<E extends ListEndpoint> extends Addressed<FilterOf<E>>, Rows<RowOf<E>> {
  endpoint: E
  address: Addressed<FilterOf<E>>['address']
  /** The filter and the order, without the page: what a file of the list is asked with. */
  query: AddressOf<E>
  /** The whole answer: some lists carry more than rows. */
  data: DataOf<E> | undefined
  /** The filter, without whose list it is. */
  chosen: Readonly<Record<string, string | undefined>>
  clear: () => void
  /** The columns of the address have become the user's own. */
  ownColumns: () => void
}

/** What the list does not know is no filter and no order: an address may be old, or typed. */
export function knownIn<F extends string>({ query }: ListEndpoint, address: ListAddress<F>): ListAddress<F> {
  const names = shapeOf(query)
  const [item] = callsOf(callsOf(names.sort).preprocess?.[1]).array ?? []
  const fields = callsOf(item).enum?.[0] as readonly string[] | undefined
  const filters = Object.entries(address.filters).filter(([name]) => name in names)
  return {
    ...address,
    filters: Object.fromEntries(filters) as ListAddress<F>['filters'],
    sort: address.sort.split(',').every((field) => fields?.includes(field)) ? address.sort : '',
  }
}
/** The same one each time: nothing is new where nothing has come. */
const NONE: readonly never[] = []
/**
 * Address ↔ one page of a list; rows, filters and sorting are the endpoint's. The rows of before stay while the next
 * ones come. `about` names the filter that says whose list it is: it is no filter of the reader's. `always` is
 * what the page itself narrows by.
 */
export function useList<E extends ListEndpoint>(
  endpoint: E,
  { about, always }: { about?: FilterOf<E>; always?: Partial<Record<FilterOf<E>, string>> } = {},
): List<E> {
  const page = usePage()
  const client = useQueryClient()
  const address = knownIn(endpoint, readAddress<FilterOf<E>>(page.search))
  const [selected, select] = useState<readonly string[]>([])
  const query = {
    ...address.filters,
    ...always,
    ...(address.sort ? { sort: address.sort } : {}),
  } as AddressOf<E>
  const asked = pageOf(endpoint, { ...query, pageNo: address.pageNo, pageSize: address.pageSize })
  const result = useQuery<DataOf<E>>({ ...asked, placeholderData: keepPreviousData, enabled: page.active })
  const rows: readonly RowOf<E>[] = result.data?.list ?? NONE
  const to = (change: Parameters<typeof writeAddress>[1]) =>
    page.go(page.path + writeAddress(page.search, change), { replace: true })
  const refresh = () => client.invalidateQueries({ queryKey: [endpoint.path] })
  return {
    endpoint,
    address,
    query,
    rows,
    data: result.data,
    total: result.data?.totalCount ?? 0,
    first: result.isPending,
    busy: result.isFetching,
    stale: result.isPlaceholderData,
    error: result.error,
    selected: selected.filter((id) => rows.some((r) => r.id === id)),
    select,
    filter: (...changes) => to({ filters: Object.fromEntries(changes) }),
    chosen: { ...address.filters, ...(about ? { [about]: undefined } : {}) },
    clear: () =>
      to({
        filters: Object.fromEntries(
          Object.keys(address.filters)
            .filter((name) => name !== about)
            .map((name) => [name, undefined]),
        ),
      }),
    sort: (sort) => to({ sort }),
    ownColumns: () => to({ cols: '' }),
    turn: (pageNo, pageSize) => to(pageSize === address.pageSize ? { pageNo } : { pageSize }),
    refresh,
    plain:
      address.pageNo === 1 &&
      Object.keys(address.filters).length === 0 &&
      !!result.data &&
      !result.isFetching,
    addRows: (added, before) =>
      client.setQueryData<DataOf<E>>(asked.queryKey, (old) => {
        if (!old) return old
        const known: readonly RowOf<E>[] = old.list
        const fresh = added.filter((row) => !known.some((r) => r.id === row.id))
        const all = [...known, ...fresh].sort((a, b) => (before(a, b) ? -1 : 1))
        return {
          ...old,
          list: all.slice(0, address.pageSize),
          totalCount: old.totalCount + fresh.length,
        }
      }),
    /** These rows are fetched and put in place; when one of them is gone from the list, the whole page is. */
    refreshRows: async (ids) => {
      // A list that cannot be asked for some of its rows is read whole.
      if (!('ids' in shapeOf(endpoint.query))) return refresh()
      const some: AddressOf<E> = { ...query, ids: ids.join(','), pageNo: 1, pageSize: ids.length }
      const { list: changed } = await callAddressed(endpoint, some)
      if (changed.length < ids.length) return refresh()
      const byId = new Map(changed.map((row) => [row.id, row]))
      client.setQueryData<DataOf<E>>(asked.queryKey, (old) =>
        old ? { ...old, list: old.list.map((row) => byId.get(row.id) ?? row) } : old,
      )
    },
  }
}
