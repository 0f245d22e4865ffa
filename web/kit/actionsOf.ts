import type { Action } from '@zhuguan/contract/kit/actions.ts'
import type { Actor } from '@zhuguan/contract/kit/permits.ts'

import type { RowAction } from './RowActions.tsx'

interface Machine<R, T extends Record<string, Action<never>>> {
  table: T
  names: (keyof T & string)[]
  offered: (name: keyof T & string, record: R, actor: Actor) => boolean
  refusal: (name: keyof T & string, record: R, actor: Actor) => string | undefined
}
/**
 * What a button does: those that ask for more open a drawer, the others are sent with the reason; null is not offered
 * here.
 */
export type Doing<T> = {
  [K in keyof T]:
    | null
    | (T[K] extends { asks: true }
        ? { open: () => void }
        : { run: (reason: string) => Promise<unknown>; confirm?: string; note?: boolean })
}

/**
 * A record's actions as buttons, in the table's order: what never applies to its state or is not this person's to do is
 * left out, what cannot be done now says why. `doing` names every action of the table; one that needs a drawer and has
 * none does not compile.
 */
export function actionsOf<R, T extends Record<string, Action<never>>>(
  machine: Machine<R, T>,
  record: R,
  actor: Actor,
  doing: Doing<T>,
): RowAction[] {
  return machine.names
    .filter((name) => doing[name] && machine.offered(name, record, actor))
    .map((name) => {
      const { label, reason, asks } = machine.table[name]!
      return {
        key: name,
        label,
        why: machine.refusal(name, record, actor),
        ...(asks ? {} : { reason: reason ?? false }),
        ...doing[name],
      }
    })
}
