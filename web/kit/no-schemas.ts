/** Stands in for zod in the browser: every call on a schema answers the same silent object. */
const silent: unknown = new Proxy(function () {}, {
  get: (_target, key) => (key === Symbol.toPrimitive ? () => '' : silent),
  apply: () => silent,
})
export const z = silent
export default silent
