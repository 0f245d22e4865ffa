import type { Reach } from './migrate.ts'

const MAX_NAMES = 500
/** Functions that could set a tenant from inside of a statement, or run a text that could (docs/decisions/0440). */
const SETS = /set_config|_to_xml|ts_stat|ts_rewrite|u&["']/i

type Names = Map<string, string>
/**
 * A statement is planned for the role that runs it: under another reach the same text has another name. Scopes are many
 * where people see single sites: they must not take the statements' names.
 */
export type Book = Record<Reach | 'listed' | 'scopes', Names>
export const newBook = (): Book => ({
  tenant: new Map(),
  branch: new Map(),
  listed: new Map(),
  scopes: new Map(),
})
export function nameOf(family: string, text: string, known: Names, reach = ''): string | undefined {
  const old = known.get(text)
  if (old) return old
  if (SETS.test(text)) throw new Error(`${family} could set what its transaction may see`)
  if (known.size >= MAX_NAMES) return undefined
  const name = `${family}.${reach}${known.size}`
  known.set(text, name)
  return name
}
