/**
 * The changes of an edit, for the log: fields of `after` that were otherwise before; what was not asked stays out.
 */
export function changed<B extends object, A extends object>(
  before: B,
  after: A,
): { before: Pick<B, keyof A & keyof B>; after: A } {
  const was = before as Record<string, unknown>
  const names = Object.entries(after)
    .filter(
      ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(was[name] ?? null),
    )
    .map(([name]) => name)
  const of = (values: Record<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, values[name]]))
  return { before: of(was) as Pick<B, keyof A & keyof B>, after: of(after as Record<string, unknown>) as A }
}
