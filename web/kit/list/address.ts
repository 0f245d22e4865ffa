import { PAGE_SIZE, PAGE_SIZES } from '@zhuguan/contract/kit/paging.ts'

/** What the address of a list says; anything else in it is left alone. */
export interface ListAddress {
  pageNo: number
  pageSize: number
  sort: string
  filters: Record<string, string>
}
const OWN = new Set(['pageNo', 'pageSize', 'sort', 'view'])

export function readAddress(search: string): ListAddress {
  const params = new URLSearchParams(search)
  const size = Number(params.get('pageSize'))
  const page = Number(params.get('pageNo'))
  return {
    pageNo: Number.isInteger(page) && page > 0 ? page : 1,
    pageSize: (PAGE_SIZES as readonly number[]).includes(size) ? size : PAGE_SIZE,
    sort: params.get('sort') ?? '',
    filters: Object.fromEntries([...params].filter(([key, value]) => !OWN.has(key) && value !== '')),
  }
}

/** Defaults are not written, so that an address says only what was chosen. */
export function writeAddress(search: string, change: Partial<Omit<ListAddress, 'filters'>> & { filters?: Record<string, string | undefined> }): string {
  const params = new URLSearchParams(search)
  const set = (key: string, value: string | undefined, otherwise: string) => (value === undefined || value === '' || value === otherwise ? params.delete(key) : params.set(key, value))
  for (const [key, value] of Object.entries(change.filters ?? {})) set(key, value, '')
  if (change.filters || change.sort !== undefined || change.pageSize !== undefined) params.delete('pageNo')
  if (change.sort !== undefined) set('sort', change.sort, '')
  if (change.pageSize !== undefined) set('pageSize', String(change.pageSize), String(PAGE_SIZE))
  if (change.pageNo !== undefined) set('pageNo', String(change.pageNo), '1')
  const text = params.toString()
  return text ? `?${text}` : ''
}
