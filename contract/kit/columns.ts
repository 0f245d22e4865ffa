import type { ListEndpoint, RowOf, SortOf } from './paging.ts'

interface Codes {
  label: (value: unknown) => string
  options: readonly { value: number | string; label: string }[]
}
/** Fields of a row that hold such a value. */
type FieldsOf<R, V> = { [K in keyof R & string]: R[K] extends V ? K : never }[keyof R & string]

interface Shape<S, Txt, Num, One, Many, Named, Flag> {
  title: string
  /** The endpoint's name for sorting by it. */
  sort?: S | undefined
  /** Cannot be hidden; names the row. */
  fixed?: true | undefined
  /** Stands in the file alone. */
  only?: 'file' | undefined
  /** On the page only where the window is wide, unless somebody asks for it. */
  wide?: true | undefined
  of:
    | { kind: 'text' | 'day' | 'money' | 'price'; field: Txt }
    /** Several texts, one after the other. */
    | { kind: 'joined'; fields: readonly Txt[]; between: string }
    /** `percent` is a fraction, shown in hundredths; `time` whole seconds since 1970. */
    | { kind: 'number' | 'percent' | 'time'; field: Num }
    /** `part` of `whole`, as 3/4; nothing where the whole is 0. */
    | { kind: 'share'; part: Num; whole: Num }
    /** Hours between two moments; of what has not ended, up to now. */
    | { kind: 'lasting'; from: Num; to: Num }
    | { kind: 'code'; field: One; codes: Codes }
    | { kind: 'codes'; field: Many; codes: Codes }
    /** Names of several things, in the row's order. */
    | { kind: 'names'; field: Named }
    /** 是 where it is so. */
    | { kind: 'flag'; field: Flag }
    /** Only on the page, which draws it: a picture, a button. */
    | { kind: 'drawn' }
}
/** A column's kind. The page draws it and the file holds it by its kind, so that both say the same. */
export type ColumnSpec<R, S extends string> = Shape<
  S,
  FieldsOf<R, string | null | undefined>,
  FieldsOf<R, number | null | undefined>,
  FieldsOf<R, string | number | null | undefined>,
  FieldsOf<R, readonly (string | number)[]>,
  FieldsOf<R, readonly { name: string }[]>,
  FieldsOf<R, boolean>
>
/** A column of whatever list. */
export type AnyColumn = Shape<string, string, string, string, string, string, string>

interface More<S extends string> {
  sort?: S
  fixed?: true
  only?: 'file'
  wide?: true
}
const made =
  <const K extends string>(kind: K) =>
  <const F extends string, S extends string = never>(title: string, field: F, more: More<S> = {}) => ({
    title,
    of: { kind, field },
    ...more,
  })
export const text = made('text')
export const flag = made('flag')
/** An Asia/Shanghai day, YYYY-MM-DD. */
export const day = made('day')
export const number = made('number')
/** Whole seconds since 1970. */
export const time = made('time')
export const percent = made('percent')
/** Decimal text: an amount with two places. */
export const money = made('money')
/** Decimal text: a unit price with up to six places. */
export const price = made('price')
const coded =
  <const K extends string>(kind: K) =>
  <const F extends string, S extends string = never>(
    title: string,
    field: F,
    list: Codes,
    more: More<S> = {},
  ) => ({ title, of: { kind, field, codes: list }, ...more })
export const code = coded('code')
/** Several codes of one row. */
export const codes = coded('codes')
export const names = made('names')
export const joined = <const F extends string>(title: string, fields: readonly F[], between = ' ') => ({
  title,
  of: { kind: 'joined' as const, fields, between },
})
export const share = <const P extends string, const W extends string>(title: string, part: P, whole: W) => ({
  title,
  of: { kind: 'share' as const, part, whole },
})
export const lasting = <const A extends string, const B extends string>(title: string, from: A, to: B) => ({
  title,
  of: { kind: 'lasting' as const, from, to },
})
export const drawn = <S extends string = never>(title: string, more: More<S> = {}) => ({
  title,
  of: { kind: 'drawn' as const },
  ...more,
})

/** The columns of a list, once for the page, the file and the sorting: `columnsOf<typeof api.list>()({ … })`. */
export const columnsOf =
  <E extends ListEndpoint>() =>
  <const T extends Record<string, ColumnSpec<RowOf<E>, SortOf<E>>>>(table: T): T =>
    table
export type Columns = Readonly<Record<string, AnyColumn>>
