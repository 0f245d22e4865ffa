import { z } from 'zod'

type Table = Record<string, readonly [code: number | string, label: string]>
type CodeIn<T extends Table> = T[keyof T][0]

/**
 * A closed list of codes, said once: constants, label, schema and select options.
 * `defineCodes('siteStatus', '工地状态', { building: [1, '在建'] })` → `siteStatus.code.building === 1`.
 */
export function defineCodes<const T extends Table>(name: string, title: string, table: T) {
  const entries = Object.entries(table)
  const code = Object.fromEntries(entries.map(([key, [value]]) => [key, value])) as {
    readonly [K in keyof T]: T[K][0]
  }
  const labels = new Map<unknown, string>(entries.map(([, [value, label]]) => [value, label]))
  const values = entries.map(([, [value]]) => value) as CodeIn<T>[]
  const known = new Set<unknown>(values)
  const read = (raw: unknown) =>
    typeof raw === 'string' && values.some((v) => typeof v === 'number' && String(v) === raw)
      ? Number(raw)
      : raw
  return {
    name,
    title,
    code,
    values,
    /** Accepts the code itself, or its decimal text as it stands in a query string. */
    schema: z
      .preprocess(
        read,
        z.custom<CodeIn<T>>((v) => known.has(v), { error: `${title}不是有效的选项` }),
      )
      // For who reads the calls from outside: a check by a function says nothing of itself.
      .meta({
        enum: values,
        description: entries.map(([, [value, label]]) => `${value} ${label}`).join('，'),
      }),
    /** A stored code that nobody knows stays visible (docs/states.md: never dropped). */
    label: (value: unknown): string =>
      labels.get(value) ?? (value === null || value === undefined ? '--' : `未知(${String(value)})`),
    options: entries.map(([, [value, label]]) => ({ value: value as CodeIn<T>, label })),
  }
}

export type Code<C extends { values: readonly unknown[] }> = C['values'][number]
