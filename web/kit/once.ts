/** What comes of a value that never changes, worked out once for as long as the value is kept. */
export function once<A extends object, B extends object>(make: (of: A) => B): (of: A) => B {
  const known = new WeakMap<A, B>()
  return (of) => {
    const old = known.get(of)
    if (old) return old
    const fresh = make(of)
    known.set(of, fresh)
    return fresh
  }
}
