import { PAGE_SIZE, PAGE_SIZES } from '@zhuguan/contract/kit/paging.ts'

/** The part of an address that a list understands; anything else in it is left alone. */
export interface ListAddress<F extends string = string> {
  pageNo: number
  pageSize: number
  sort: string
  /** Columns that the address asks for, instead of those the user has chosen: `code*,name` (a star is pinned). */
  cols: string
  filters: Partial<Record<F, string>>
}
/** A page whose address holds filters of these names; the filter components take nothing else. */
export interface Addressed<F extends string> {
  address: { filters: Partial<Record<F, string>> } & Omit<ListAddress, 'filters'>
  /** Sets filters, and takes off those without a value. */
  filter(...changes: readonly (readonly [name: F, value: string | undefined])[]): void
}
const OWN = new Set(['pageNo', 'pageSize', 'sort', 'view', 'cols', 'open'])

export function readAddress<F extends string = string>(search: string): ListAddress<F> {
  const params = new URLSearchParams(search)
  const size = Number(params.get('pageSize'))
  const page = Number(params.get('pageNo'))
  return {
    pageNo: Number.isInteger(page) && page > 0 ? page : 1,
    pageSize: (PAGE_SIZES as readonly number[]).includes(size) ? size : PAGE_SIZE,
    sort: params.get('sort') ?? '',
    cols: params.get('cols') ?? '',
    filters: Object.fromEntries(
      [...params].filter(([key, value]) => !OWN.has(key) && value !== ''),
    ) as Partial<Record<F, string>>,
  }
}

/** Defaults are not written, so that an address says only what was chosen. */
export function writeAddress(
  search: string,
  change: Partial<Omit<ListAddress, 'filters'>> & { filters?: Record<string, string | undefined> },
): string {
  const params = new URLSearchParams(search)
  const set = (key: string, value: string | undefined, otherwise: string) =>
    value === undefined || value === '' || value === otherwise ? params.delete(key) : params.set(key, value)
  for (const [key, value] of Object.entries(change.filters ?? {})) set(key, value, '')
  if (change.filters || change.sort !== undefined || change.pageSize !== undefined) params.delete('pageNo')
  if (change.sort !== undefined) set('sort', change.sort, '')
  if (change.cols !== undefined) set('cols', change.cols, '')
  if (change.pageSize !== undefined) set('pageSize', String(change.pageSize), String(PAGE_SIZE))
  if (change.pageNo !== undefined) set('pageNo', String(change.pageNo), '1')
  const text = params.toString()
  return text ? `?${text}` : ''
}

/** What is filtered by, as people count: two ends of a range are one. */
export const countFilters = (filters: Readonly<Record<string, string | undefined>>): number =>
  new Set(
    Object.keys(filters)
      .filter((k) => filters[k] !== undefined)
      .map((k) => k.replace(/(^f|F)rom$|(^t|T)o$/, '')),
  ).size

/** What a view is: filters, sort and columns, without the page one happens to stand on. */
export function viewOf(search: string, cols: string): string {
  const params = new URLSearchParams(search)
  for (const key of ['pageNo', 'id', 'open']) params.delete(key)
  if (cols) params.set('cols', cols)
  const text = params.toString()
  return text ? `?${text}` : ''
}
