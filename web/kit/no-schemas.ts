/** The calls that a schema got, by name: `{ string: [], max: [60], meta: [{ title: '地址' }] }`. */
export type Calls = Readonly<Record<string, readonly unknown[]>>
class Schema {
  readonly calls: Calls
  constructor(calls: Calls) {
    this.calls = calls
  }
}
// Whatever zod can be asked is a method here: it is made when it is first called.
Object.setPrototypeOf(
  Schema.prototype,
  new Proxy(
    {},
    {
      get(_target, name) {
        if (typeof name === 'symbol') return undefined
        const value = function (this: Schema, ...given: unknown[]) {
          // An object may be extended twice and asked for more than one rule; of anything else the last call counts.
          if (name === 'refine')
            return new Schema({ ...this.calls, refine: [...(this.calls.refine ?? []), given] })
          const before = name === 'extend' ? (this.calls.extend?.[0] as object | undefined) : undefined
          return new Schema({
            ...this.calls,
            [name]: before ? [{ ...before, ...(given[0] as object) }] : given,
          })
        }
        Object.defineProperty(Schema.prototype, name, { value })
        return value
      },
    },
  ),
)
const nothing = new Schema({})

/** Stands in for zod in the browser: it checks nothing and remembers what was asked, which is what a form needs. */
export const z: unknown = Object.assign(new Schema({}), { coerce: nothing })
export const callsOf = (of: unknown): Calls => (of instanceof Schema ? of.calls : {})

export type Shape = Readonly<Record<string, unknown>>
/** The fields of an object's schema. */
export function shapeOf(schema: unknown): Shape {
  const { object, omit, extend } = callsOf(schema)
  const left = Object.keys(omit?.[0] ?? {})
  const own = Object.entries((object?.[0] ?? {}) as Shape).filter(([name]) => !left.includes(name))
  return { ...Object.fromEntries(own), ...(extend?.[0] as Shape | undefined) }
}
