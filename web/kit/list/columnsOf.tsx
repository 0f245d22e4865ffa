import type { AnyColumn, ColumnSpec } from '@zhuguan/contract/kit/columns.ts'
import type { ListEndpoint, RowOf, SortOf } from '@zhuguan/contract/kit/paging.ts'
import type { ReactNode } from 'react'

import { full, lasting, nowSeconds, short } from '../time.ts'
import type { ColumnOf } from './ListPage.tsx'

const NOTHING = '--'
const RIGHT: readonly AnyColumn['of']['kind'][] = ['number', 'percent', 'lasting']

/** A value by its kind, as every list shows it. */
function shown(spec: AnyColumn['of'], row: Readonly<Record<string, unknown>>): ReactNode {
  const textOf = (field: string) => (row[field] as string | null) || NOTHING
  const numberOf = (field: string) => row[field] as number | null | undefined
  switch (spec.kind) {
    case 'text':
    case 'day':
      return textOf(spec.field)
    case 'joined':
      return (
        spec.fields
          .map((f) => row[f])
          .filter(Boolean)
          .join(spec.between) || NOTHING
      )
    case 'number':
      return numberOf(spec.field) ?? NOTHING
    case 'time':
      return <span title={full(numberOf(spec.field))}>{short(numberOf(spec.field))}</span>
    case 'percent': {
      const value = numberOf(spec.field)
      return value === null || value === undefined ? NOTHING : `${Math.round(value * 100)}%`
    }
    case 'share':
      return numberOf(spec.whole) ? `${numberOf(spec.part)}/${numberOf(spec.whole)}` : NOTHING
    case 'lasting': {
      const from = numberOf(spec.from)
      return from ? lasting((numberOf(spec.to) ?? nowSeconds()) - from) : NOTHING
    }
    case 'code':
      return spec.codes.label(row[spec.field] ?? null)
    case 'codes':
      return (row[spec.field] as readonly unknown[]).map(spec.codes.label).join('、') || NOTHING
    case 'names':
      return (row[spec.field] as readonly { name: string }[]).map((n) => n.name).join('、') || NOTHING
    case 'kept':
      return spec.words[row[spec.field] ? 0 : 1]
    case 'drawn':
      return null
  }
}

/** How the page draws some of the columns: those that are only drawn must be there, the others may. */
type Drawn<E extends ListEndpoint, T> = {
  [K in keyof T as T[K] extends { of: { kind: 'drawn' } } ? K : never]: (row: RowOf<E>) => ReactNode
} & { [K in keyof T]?: (row: RowOf<E>) => ReactNode }

/** A list's columns as its table has them; `draw` only what looks different from its kind. */
export const columnsOf =
  <E extends ListEndpoint>() =>
  <T extends Record<string, ColumnSpec<RowOf<E>, SortOf<E>>>>(table: T, draw: Drawn<E, T>): ColumnOf<E>[] =>
    Object.entries(table)
      .filter(([, spec]) => spec.only !== 'file')
      .map(([key, spec]) => {
        const own = (draw as Record<string, ((row: RowOf<E>) => ReactNode) | undefined>)[key]
        return {
          key,
          title: spec.title,
          render: own ?? ((row: RowOf<E>) => shown(spec.of, { ...row })),
          right: RIGHT.includes(spec.of.kind),
          ...(spec.sort ? { sort: spec.sort } : {}),
          ...(spec.fixed ? { fixed: true } : {}),
        }
      })
