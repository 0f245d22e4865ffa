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
export type Debt = 'writes' | 'wide' | 'casts' | 'tenants' | 'riddles'

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

/**
 * The most that may be owed of each kind, in all: lower it when a debt was paid, never raise it. Lists may be written
 * anew; this number is read by whoever reads a change.
 */
export const CEILING = { imports: 18, writes: 39, wide: 575, casts: 22, tenants: 186, riddles: 480 } as const
/** Kinds of which more is owed than their ceiling. */
export function aboveCeiling(): string[] {
  const owed = (kind: keyof typeof CEILING) =>
    kind === 'imports' ? owedImports.length : sum(read(kind) as Counts)
  return (Object.keys(CEILING) as (keyof typeof CEILING)[])
    .filter((kind) => owed(kind) > CEILING[kind])
    .map((kind) => `${kind}: ${owed(kind)} of ${CEILING[kind]}`)
}

/** What is more than is owed of a kind of debt. */
export const beyond = (debt: Debt, found: Counts): string[] => grown(found, read(debt) as Counts)

/** Answers what grew; `npm run check` also writes down what was paid, the tests of a clean clone do not. */
export function settle(debt: Debt, found: Counts): string[] {
  const owed = read(debt) as Counts
  const left = lowered(found, owed)
  console.log(`${debt}: ${sum(found)} of ${sum(owed)}`)
  if (process.env.PAY_DEBTS && sum(left) < sum(owed))
    writeFileSync(fileOf(debt), `${JSON.stringify(left, null, 2)}\n`)
  return beyond(debt, found)
}
