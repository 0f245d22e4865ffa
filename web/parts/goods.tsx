import { useQuery } from '@tanstack/react-query'
import { productCategoriesApi, productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import type { CategoryRow } from '@zhuguan/contract/features/products/products.record.ts'

import { call } from '../kit/api.ts'
import type { Addressed } from '../kit/list/address.ts'
import { CodeFilter, GivenFilter, LookupFilter } from '../kit/list/filters.tsx'
import { useMayReach } from './session.ts'

export const useCategories = (enabled = true): readonly CategoryRow[] =>
  useQuery({
    enabled,
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

/** The person who takes orders; whoever may not look them up still sees that one is chosen. */
export function ReceiverFilter({ list }: { list: Addressed<'receiver_id'> }) {
  if (!useMayReach('ProductList'))
    return <GivenFilter list={list} field="receiver_id" label="商家" value={() => '指定的一家'} />
  return (
    <LookupFilter list={list} field="receiver_id" label="商家" find={findReceivers} nameOf={receiverNamed} />
  )
}
export function CategoryFilter({ list }: { list: Addressed<'category_id'> }) {
  const may = useMayReach('ProductList')
  const categories = useCategories(may)
  if (!may) return null
  const options = categoryPaths(categories).map(([value, label]) => ({ value, label }))
  return <CodeFilter single list={list} field="category_id" label="品类" options={options} />
}
const LATE = [
  { value: 'true', label: '已逾期' },
  { value: 'false', label: '未逾期' },
]
export const LateFilter = ({ list }: { list: Addressed<'late'> }) => (
  <CodeFilter single list={list} field="late" label="是否逾期" options={LATE} />
)
