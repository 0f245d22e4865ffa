import { z } from 'zod'

import type { DataOf, Endpoint, QueryOf } from './api.ts'

export const PAGE_SIZES = [10, 20, 30, 50] as const
export const PAGE_SIZE = 20
export const MAX_PAGE_SIZE = 100

/** A comma list in a query string: `a,b` → ['a','b']; empty and missing → undefined. */
export const commaList = <T extends z.ZodType>(item: T) =>
  z.preprocess((v) => {
    if (v === '' || v === undefined || v === null) return undefined
    return typeof v === 'string' || typeof v === 'number' ? String(v).split(',') : v
  }, z.array(item).max(200).optional())

/** Empty text in a query string means “not filtered”. */
export const optional = <T extends z.ZodType>(item: T) =>
  z.preprocess((v) => (v === '' || v === null ? undefined : v), item.optional())

export const keyword = optional(z.string().trim().max(50)).meta({ title: '关键字' })
export const uuid = z.uuid({ error: '编号格式不正确' })
/** An Asia/Shanghai day, YYYY-MM-DD. */
export const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: '日期格式应为 2026-01-31' })
  .refine((v) => !Number.isNaN(Date.parse(v)) && new Date(v).toISOString().startsWith(v), {
    error: '没有这一天',
  })
export const flag = optional(
  z.preprocess((v) => {
    if (v === 'true' || v === '1') return true
    return v === 'false' || v === '0' ? false : v
  }, z.boolean()),
)

/**
 * Query of a list: page, size, whitelisted sort (`field,-field`) and the feature's filters.
 * Answers `{list, pageNo, pageSize, totalCount}`.
 */
export function listQuery<const S extends readonly string[], F extends z.ZodRawShape>(
  sortable: S,
  filters: F,
) {
  type Field = S[number] | `-${S[number]}`
  const field = z.enum([...sortable, ...sortable.map((name) => `-${name}`)] as Field[], {
    error: `排序只能是：${sortable.join('、')}`,
  })
  return z.object({
    pageNo: z.coerce
      .number({ error: '页码应为数字' })
      .int()
      .min(1, { error: '页码从 1 开始' })
      .max(100_000, { error: '页码太大' })
      .default(1)
      .meta({ title: '页码' }),
    pageSize: z.coerce
      .number({ error: '每页条数应为数字' })
      .int()
      .min(1, { error: '每页至少 1 条' })
      .max(MAX_PAGE_SIZE, { error: `每页最多 ${MAX_PAGE_SIZE} 条` })
      .default(PAGE_SIZE)
      .meta({ title: '每页条数' }),
    sort: commaList(field).meta({ title: '排序' }),
    ...filters,
  })
}

export const paged = <T extends z.ZodType>(row: T) =>
  z.object({
    list: z.array(row),
    pageNo: z.number().int(),
    pageSize: z.number().int(),
    totalCount: z.number().int(),
  })

/** An endpoint that answers pages of rows. */
export interface ListEndpoint extends Endpoint {
  query: z.ZodObject
  data: z.ZodType<Paged<{ id: string }>>
}
export type RowOf<E extends ListEndpoint> = DataOf<E>['list'][number]
type Paging = 'pageNo' | 'pageSize' | 'sort'
/** The names an endpoint's answer can be filtered by. */
export type FilterOf<E extends Endpoint> = E extends Endpoint
  ? Exclude<keyof QueryOf<E> & string, Paging>
  : never
/** The names a list can be sorted by. */
export type SortOf<E extends ListEndpoint> =
  QueryOf<E> extends { sort?: (infer S extends string)[] | undefined } ? Exclude<S, `-${string}`> : never

export interface Paged<T> {
  list: T[]
  pageNo: number
  pageSize: number
  totalCount: number
}
