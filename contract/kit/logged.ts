/** Kinds of things that the log names where it keeps their numbers. */
export type NamedKind =
  | 'user'
  | 'company'
  | 'store'
  | 'site'
  | 'worker'
  | 'role'
  | 'device'
  | 'page'
  | 'alarm'
interface Words {
  label: (value: unknown) => string
}
/**
 * By its codes, as a moment (`second` with seconds), as the name of a thing, or as lines with fields of their own.
 * `personal`: words about people outside of the office (names, telephones, addresses, what somebody typed). They stand
 * beside the line, the chain holds their digests, and they can be forgotten.
 */
type How = Words | 'time' | 'second' | 'personal' | NamedKind | LoggedFields
export type LoggedField = string | readonly [title: string, how: How]
export interface LoggedFields {
  readonly [name: string]: LoggedField
}
/** Fields that every command may tell. */
const COMMON = {
  reason: ['原因', 'personal'],
  remark: ['备注', 'personal'],
  msg: ['说明', 'personal'],
  effects: '一并处理',
} as const
/** Of an address that was refused: no kind of thing has fields of its own for it. */
export const UNKNOWN_FIELDS: LoggedFields = COMMON
/** Stands where a person's words have been forgotten. */
export const GONE = '（已删除）'
/** A line that says nothing to a reader. */
const SILENT: ReadonlySet<string> = new Set(['id', 'version', 'ids'])

/**
 * A kind of thing that the log is about, and the words of its fields; the first of them names the thing.
 * A command that tells a field which stands nowhere here does not compile.
 */
export const logged = <const F extends LoggedFields>(title: string, fields: F): Logged<F> => ({
  title,
  fields: { ...fields, ...COMMON },
  named: Object.keys(fields)[0] ?? '',
})
export interface Logged<F = LoggedFields> {
  title: string
  fields: typeof COMMON & F
  /** The field that names the thing. */
  named: string
}

type NameOf = (id: string) => string | undefined
export interface Change {
  title: string
  before: string
  after: string
}
type Values = Readonly<Record<string, unknown>>

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const isEmpty = (value: unknown) => value === null || value === undefined || value === ''
const titleOf = (field: LoggedField | undefined, name: string) =>
  typeof field === 'object' ? field[0] : (field ?? name)

function textOf(
  field: LoggedField | undefined,
  value: unknown,
  nameOf: NameOf,
  time: (at: unknown, seconds: boolean) => string,
): string {
  if (isEmpty(value)) return ''
  const how = typeof field === 'object' ? field[1] : undefined
  if (isList(value))
    return value.map((v) => textOf(field, v, nameOf, time)).join(value.some(isValues) ? '；' : '、')
  if (how === 'time' || how === 'second') return time(value, how === 'second')
  if (typeof how === 'string' && how !== 'personal') return nameOf(String(value)) ?? GONE
  if (typeof how === 'object' && 'label' in how && typeof how.label === 'function') return how.label(value)
  if (isValues(value)) {
    const fields = (how ?? {}) as LoggedFields
    return Object.entries(value)
      .filter(([name, v]) => !SILENT.has(name) && !isEmpty(v))
      .map(([name, v]) => `${titleOf(fields[name], name)} ${textOf(fields[name], v, nameOf, time)}`)
      .join('，')
  }
  if (typeof value === 'boolean') return value ? '是' : '否'
  return String(value)
}

/** The differences of two lists of words: only what went and what came. */
function lessTheSame(before: unknown, after: unknown): [unknown, unknown] {
  if (!isList(before) || !isList(after) || [...before, ...after].some(isValues)) return [before, after]
  return [before.filter((v) => !after.includes(v)), after.filter((v) => !before.includes(v))]
}

/**
 * What a line of the log changed, in words: a field that stayed the same is left out.
 * @param nameOf the name of a thing by its number, undefined when it is gone
 * @param time a moment as text, with its seconds or without
 */
export function changesOf(
  fields: LoggedFields,
  before: unknown,
  after: unknown,
  nameOf: NameOf,
  time: (at: unknown, seconds: boolean) => string,
): Change[] {
  const was = isValues(before) ? before : {}
  const is = isValues(after) ? after : {}
  const order = Object.keys(fields)
  // The database keeps fields in an order of its own.
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((name) => !SILENT.has(name))
    .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
    .flatMap((name) => {
      const [b, a] = lessTheSame(was[name], is[name])
      // Whether it changed nobody can say any more.
      const isGone = b === GONE && a === GONE
      const text = (value: unknown) => textOf(fields[name], value, nameOf, time)
      const [from, to] = [text(b), text(a)]
      // Its middle is hidden in both: two numbers can look alike.
      const isHidden = from === to && to.includes('****')
      const after = isHidden ? `${to}（号码已改）` : to
      return isGone || from !== after ? [{ title: titleOf(fields[name], name), before: from, after }] : []
    })
}

/** Numbers of things among the values of a line, whose names its reader needs. */
export function idsOf(fields: LoggedFields, value: unknown): string[] {
  if (!isValues(value)) return []
  return Object.entries(value).flatMap(([name, v]) => {
    const field = fields[name]
    const how = typeof field === 'object' ? field[1] : undefined
    if (typeof how === 'string' && how !== 'time' && how !== 'second' && how !== 'personal')
      return [v].flat().filter((id) => typeof id === 'string')
    if (typeof how === 'object' && !('label' in how)) return [v].flat().flatMap((one) => idsOf(how, one))
    return []
  })
}
