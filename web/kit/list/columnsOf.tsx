import type { AnyColumn, ColumnSpec } from '@zhuguan/contract/kit/columns.ts'
import { grouped, priceText } from '@zhuguan/contract/kit/digits.ts'
import type { ListEndpoint, RowOf, SortOf } from '@zhuguan/contract/kit/paging.ts'
import type { ReactNode } from 'react'

import { full, lasting, nowSeconds, short } from '../time.ts'
import type { Column, ColumnOf } from './ListPage.tsx'

export const NOTHING = '--'
/** The place of a column on a phone's card by what every list calls it. */
const ON_CARD: Readonly<Record<string, Column<never>['card']>> = {
  name: 'title',
  picture: 'picture',
  due: 'line',
  site: 'line',
  place: 'line',
  status: 'badge',
  level: 'badge',
  took: 'none',
}
const RIGHT: readonly AnyColumn['of']['kind'][] = ['number', 'money', 'price', 'percent', 'lasting']

type Row = Readonly<Record<string, unknown>>
type Kind = AnyColumn['of']['kind']
type Spec<K extends Kind> = AnyColumn['of'] & { kind: K }
const textOf = (row: Row, field: string) => (row[field] as string | null) || NOTHING
const decimalOf = (row: Row, field: string, written: (text: string) => string) => {
  const value = row[field] as string | null
  return value === null ? NOTHING : written(value)
}
const numberOf = (row: Row, field: string) => row[field] as number | null | undefined

/** A value by its kind, as every list shows it. */
const SHOWN: { [K in Kind]: (spec: Spec<K>, row: Row) => ReactNode } = {
  text: (spec, row) => textOf(row, spec.field),
  day: (spec, row) => textOf(row, spec.field),
  joined: (spec, row) =>
    spec.fields
      .map((f) => row[f])
      .filter(Boolean)
      .join(spec.between) || NOTHING,
  flag: (spec, row) => (row[spec.field] === true ? '是' : NOTHING),
  number: (spec, row) => numberOf(row, spec.field) ?? NOTHING,
  money: (spec, row) => decimalOf(row, spec.field, grouped),
  price: (spec, row) => decimalOf(row, spec.field, priceText),
  time: (spec, row) => (
    <span title={full(numberOf(row, spec.field))}>{short(numberOf(row, spec.field))}</span>
  ),
  percent(spec, row) {
    const value = numberOf(row, spec.field)
    return value === null || value === undefined ? NOTHING : `${Math.round(value * 100)}%`
  },
  share(spec, row) {
    const whole = numberOf(row, spec.whole)
    return whole ? `${numberOf(row, spec.part)}/${whole}` : NOTHING
  },
  lasting(spec, row) {
    const from = numberOf(row, spec.from)
    return from ? lasting((numberOf(row, spec.to) ?? nowSeconds()) - from) : NOTHING
  },
  code: (spec, row) => spec.codes.label(row[spec.field] ?? null),
  codes: (spec, row) => (row[spec.field] as readonly unknown[]).map(spec.codes.label).join('、') || NOTHING,
  names: (spec, row) =>
    (row[spec.field] as readonly { name: string }[]).map((n) => n.name).join('、') || NOTHING,
  drawn: () => null,
}
const shown = <K extends Kind>(spec: Spec<K>, row: Row): ReactNode => SHOWN[spec.kind](spec, row)

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
          ...(spec.wide ? { wide: true } : {}),
          ...(ON_CARD[key] ? { card: ON_CARD[key] } : {}),
        }
      })
