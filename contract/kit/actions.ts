import { type Actor, hasPermission } from './permits.ts'

/** One allowed change of a record's state (states.md). `unless` returns the sentence why not, or nothing. */
export interface Action<R> {
  label: string
  from: readonly (number | string)[]
  to: number | string
  /** The operation permission, or 'system' when no person may do it. */
  permission: string
  /** A reason must be given (marked R in states.md). */
  reason?: boolean
  unless?: (record: R, actor: Actor) => string | undefined
}

/**
 * The table of what may be done to a record, read by buttons, services, batch commands, docs and tests alike.
 * `state` names the field that holds the code, `codes` gives it words.
 */
export function defineActions<R>() {
  return <const T extends Record<string, Action<R>>>(
    state: keyof R & string,
    codes: { label: (value: unknown) => string; values: readonly (number | string)[] },
    table: T,
  ) => {
    type Name = keyof T & string
    const names = Object.keys(table) as Name[]
    const refusal = (name: Name, record: R, actor: Actor): string | undefined => {
      const action = table[name]!
      if (action.permission === 'system' || !hasPermission(actor, action.permission))
        return `您没有“${action.label}”的权限`
      const now = record[state] as number | string
      if (!action.from.includes(now)) {
        const legal = names.filter((n) => table[n]!.from.includes(now)).map((n) => table[n]!.label)
        return (
          `当前为“${codes.label(now)}”，不能${action.label}` +
          (legal.length ? `；可以：${legal.join('、')}` : '')
        )
      }
      return action.unless?.(record, actor)
    }
    return {
      state,
      codes,
      table,
      names,
      /** The sentence why this person may not do this now; undefined when they may. */
      refusal,
      allowed: (record: R, actor: Actor): Name[] =>
        names.filter((n) => refusal(n, record, actor) === undefined),
    }
  }
}
