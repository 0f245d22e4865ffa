import { type Calls, callsOf, type Shape, shapeOf } from '../no-schemas.ts'

interface Bound<T> {
  at: T
  /** The contract's sentence for what is beyond it. */
  words: string | undefined
}
/** The contract's rule for one field: its name in Chinese, and what the server will refuse. */
export interface Asked {
  title: string
  /** Something must be given. */
  needed: boolean
  nullable: boolean
  /** A text, or a list: `min` and `max` are its length. */
  text: boolean
  list: boolean
  number: boolean
  min?: Bound<number>
  max?: Bound<number>
  pattern?: Bound<RegExp>
  /** The fields of each row, where the field is a list of rows. */
  rows?: Shape
}

const bound = <T>([at, more]: readonly unknown[]): Bound<T> => ({
  at: at as T,
  words: (more as { error?: string } | undefined)?.error,
})
/** Every call on a schema, and on the one that it puts its input before. */
export function allCalls(schema: unknown): Calls {
  const calls = callsOf(schema)
  return { ...(calls.preprocess && allCalls(calls.preprocess[1])), ...calls }
}
export function askedOf(schema: unknown): Asked {
  const calls = allCalls(schema)
  const has = (...names: string[]) => names.some((name) => name in calls)
  const nullable = has('nullable', 'nullish')
  return {
    title: (calls.meta?.[0] as { title?: string } | undefined)?.title ?? '',
    needed: !nullable && !has('optional', 'default'),
    nullable,
    text: has('string'),
    number: has('number'),
    list: has('array'),
    ...(calls.min && { min: bound<number>(calls.min) }),
    ...(calls.max && { max: bound<number>(calls.max) }),
    ...(calls.regex && { pattern: bound<RegExp>(calls.regex) }),
    ...(callsOf(calls.array?.[0]).object && { rows: shapeOf(calls.array?.[0]) }),
  }
}

export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

const sizeOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value
  if (typeof value === 'string') return value.trim().length
  return Array.isArray(value) ? value.length : undefined
}
/** Why the server would refuse the value, as far as it can be said without asking it. */
export function faultOf(asked: Asked, needed: boolean, value: unknown): string | undefined {
  if (isEmpty(value)) {
    if (!needed) return undefined
    const least = asked.text || asked.list ? asked.min?.words : undefined
    return least ?? `请${asked.text || asked.number ? '填写' : '选择'}${asked.title}`
  }
  const size = sizeOf(value)
  const { min, max, pattern } = asked
  if (size !== undefined && min && size < min.at) return min.words ?? `至少 ${min.at}`
  if (size !== undefined && max && size > max.at) return max.words ?? `最多 ${max.at}`
  if (pattern && typeof value === 'string' && !pattern.at.test(value.trim())) return pattern.words
  return undefined
}
