import type { Action, State } from './actions.ts'
import type { Actor } from './permits.ts'

/** What every table of actions has, whatever its record is. */
export interface Machine {
  state: string
  codes: { label(value: unknown): string; values: readonly State[] }
  names: readonly string[]
  table: Readonly<Record<string, Pick<Action<never>, 'from' | 'label'>>>
  needs(name: string): string[]
  arrives(name: string, from: State): State
  refusal(name: string, record: object, actor: Actor): string | undefined
}
const isMachine = (value: unknown): value is Machine =>
  typeof value === 'object' && value !== null && 'arrives' in value && 'refusal' in value

/** The tables of actions among what these modules export, by name. */
export const machinesIn = (modules: readonly object[]): Record<string, Machine> =>
  Object.fromEntries(
    modules
      .flatMap((module) => Object.entries(module))
      .filter((entry): entry is [string, Machine] => isMachine(entry[1])),
  )

/**
 * The table as a person reads it: a line a state, what may be done there, and the state that it leads to where that is
 * another one.
 */
export const drawn = (m: Machine): string =>
  m.codes.values
    .map((from) => {
      const may = m.names
        .filter((name) => m.table[name]!.from.includes(from))
        .map((name) => {
          const to = m.arrives(name, from)
          return `${m.table[name]!.label}${to === from ? '' : ` → ${m.codes.label(to)}`}`
        })
      return `${m.codes.label(from)}: ${may.join(', ') || '–'}\n`
    })
    .join('')
