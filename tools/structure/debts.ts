import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Counts = Readonly<Record<string, number>>
const fileOf = (kind: string): string => join(import.meta.dirname, 'debts', `${kind}.json`)
const read = (kind: string): unknown => JSON.parse(readFileSync(fileOf(kind), 'utf8'))

/** Imports against the floors that stand today; one that is gone is taken from the list. */
export const owedImports = read('imports') as string[]

/**
 * What breaks a rule today and may only become less: `writes` of somebody else's table by feature and table,
 * `wide` lines and `casts` by file; `tenants`: how far a family's statement is from naming its tenant
 * (server/testing/tenant-rule.ts).
 */
export type Debt = 'writes' | 'wide' | 'casts' | 'tenants'

/** What is more than was owed: new debts, and old ones that grew. */
export const grown = (found: Counts, owed: Counts): string[] =>
  Object.entries(found)
    .filter(([key, n]) => n > (owed[key] ?? 0))
    .map(([key, n]) => `${key}: ${n}, owed ${owed[key] ?? 0}`)

/** What is owed from now on: never more than before, and nothing that was paid. */
export const lowered = (found: Counts, owed: Counts): Record<string, number> =>
  Object.fromEntries(
    Object.entries(owed)
      .map(([key, n]) => [key, Math.min(n, found[key] ?? 0)] as const)
      .filter(([, n]) => n > 0),
  )
const sum = (counts: Counts): number => Object.values(counts).reduce((n, c) => n + c, 0)

/** Answers what grew; `npm run check` also writes down what was paid, the tests of a clean clone do not. */
export function settle(debt: Debt, found: Counts): string[] {
  const owed = read(debt) as Counts
  const left = lowered(found, owed)
  console.log(`${debt}: ${sum(found)} of ${sum(owed)}`)
  if (process.env.PAY_DEBTS && sum(left) < sum(owed))
    writeFileSync(fileOf(debt), `${JSON.stringify(left, null, 2)}\n`)
  return grown(found, owed)
}
