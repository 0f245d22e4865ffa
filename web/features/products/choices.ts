import { useQuery } from '@tanstack/react-query'
import { productCategoriesApi, productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import type { CategoryRow } from '@zhuguan/contract/features/products/products.record.ts'

import { call } from '../../kit/api.ts'

export const useCategories = (): readonly CategoryRow[] =>
  useQuery({
    queryKey: [productCategoriesApi.list.path],
    queryFn: ({ signal }) => call(productCategoriesApi.list, {}, signal),
  }).data ?? []

/** Every category with those above it: 主材 / 瓷砖, by what they are called. */
export function categoryPaths(all: readonly CategoryRow[]): [id: string, path: string][] {
  const byId = new Map(all.map((c) => [c.id, c]))
  const pathOf = (c: CategoryRow): string => {
    const above = c.parent_id === null ? undefined : byId.get(c.parent_id)
    return above ? `${pathOf(above)} / ${c.name}` : c.name
  }
  return all.map((c): [string, string] => [c.id, pathOf(c)]).sort((a, b) => a[1].localeCompare(b[1], 'zh-CN'))
}

const choice = (r: { id: string; name: string; bc_name: string }) => ({
  value: r.id,
  label: r.name === r.bc_name ? r.name : `${r.name}（${r.bc_name}）`,
})
export const findReceivers = (keyword: string) =>
  call(productsApi.receivers, { query: { keyword } }).then((rows) => rows.map(choice))
export const receiverNamed = (id: string) =>
  call(productsApi.receivers, { query: { id } }).then((rows) => rows.map(choice)[0])
