/** What was asked of a schema, by the name of the call: `{ string: [], max: [60], meta: [{ title: '地址' }] }`. */
export type Calls = Readonly<Record<string, readonly unknown[]>>
const CALLS = Symbol('calls')

const schema = (calls: Calls, name = ''): unknown =>
  new Proxy(function () {}, {
    get(_target, key) {
      if (key === CALLS) return calls
      return key === Symbol.toPrimitive ? () => '' : schema(calls, String(key))
    },
    apply: (_target, _self, given: unknown[]) => schema({ ...calls, [name]: given }),
  })

/** Stands in for zod in the browser: it checks nothing and remembers what was asked, which is what a form needs. */
export const z = schema({})
export const callsOf = (of: unknown): Calls => (of as { [CALLS]?: Calls } | undefined)?.[CALLS] ?? {}

export type Shape = Readonly<Record<string, unknown>>
/** The fields of an object's schema. */
export function shapeOf(schema: unknown): Shape {
  const { object, omit, extend } = callsOf(schema)
  const left = Object.keys(omit?.[0] ?? {})
  const own = Object.entries((object?.[0] ?? {}) as Shape).filter(([name]) => !left.includes(name))
  return { ...Object.fromEntries(own), ...(extend?.[0] as Shape | undefined) }
}
