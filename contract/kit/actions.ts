import { type Actor, hasPermission } from './permits.ts'

export type State = number | string
/** One value for every state that the action leaves, or one for each of them. */
type ByState<V extends State> = V | Readonly<Record<State, V>>

/** One allowed change of a record's state (docs/states.md). `unless`: the sentence why not, or all of them. */
export interface Action<R> {
  label: string
  from: readonly State[]
  to: ByState<State>
  /** The operation permission, or 'system' when no person may do it. */
  permission: ByState<string>
  /** A reason must be given (marked R in docs/states.md). */
  reason?: boolean
  /** It needs more than a reason: without a drawer that asks for it, its button does not compile. */
  asks?: boolean
  /** The sentence why it is not even offered: it is not this person's to do, or belongs to another step. */
  absent?: (record: R, actor: Actor) => string | undefined
  unless?: (record: R, actor: Actor, now: number) => string | readonly string[] | undefined
}

const at = <V extends State>(value: ByState<V>, state: State): V =>
  typeof value === 'object' ? value[state]! : value

/**
 * The table of what may be done to a record, read by buttons, services, batch commands, docs and tests alike.
 * `state` names the field that holds the code, `codes` gives it words.
 */
export function defineActions<R>() {
  return <const T extends Record<string, Action<R>>>(
    state: keyof R & string,
    codes: { label: (value: unknown) => string; values: readonly State[] },
    table: T,
  ) => {
    type Name = keyof T & string
    const names = Object.keys(table) as Name[]
    /** The permissions with which an action can be done in one state or another. */
    const needs = (name: Name): string[] => [
      ...new Set(table[name]!.from.map((from) => at(table[name]!.permission, from))),
    ]
    /** It could apply to this record in its state: a button stands for it, grey or not. */
    const offered = (name: Name, record: R, actor: Actor): boolean => {
      const action = table[name]!
      const from = record[state] as State
      if (!action.from.includes(from)) return false
      const needed = at(action.permission, from)
      return (
        needed !== 'system' && hasPermission(actor, needed) && action.absent?.(record, actor) === undefined
      )
    }
    const refusals = (
      name: Name,
      record: R,
      actor: Actor,
      now = Date.now() / 1000,
      label: string = table[name]!.label,
    ): readonly string[] => {
      const action = table[name]!
      const from = record[state] as State
      const may = needs(name).filter((label) => label !== 'system' && hasPermission(actor, label))
      if (may.length === 0) return [`您没有“${label}”的权限`]
      if (!action.from.includes(from)) {
        const legal = names.filter((n) => offered(n, record, actor)).map((n) => table[n]!.label)
        return [
          `当前为“${codes.label(from)}”，不能${label}` + (legal.length ? `；可以：${legal.join('、')}` : ''),
        ]
      }
      const needed = at(action.permission, from)
      if (!may.includes(needed)) return [`当前为“${codes.label(from)}”，您没有“${label}”的权限`]
      const why = action.absent?.(record, actor) ?? action.unless?.(record, actor, now) ?? []
      return typeof why === 'string' ? [why] : why
    }
    const refusal = (...asked: Parameters<typeof refusals>): string | undefined =>
      refusals(...asked).join('；') || undefined
    return {
      state,
      codes,
      table,
      names,
      needs,
      /** The state that an action arrives in, coming from this one. */
      arrives: (name: Name, from: State): State => at(table[name]!.to, from),
      /** Every sentence why this person may not do this now, each to be settled by itself. */
      refusals,
      /** The sentence why this person may not do this now, in the button's own words; undefined when they may. */
      refusal,
      offered,
      allowed: (record: R, actor: Actor): Name[] =>
        names.filter((n) => refusal(n, record, actor) === undefined),
    }
  }
}
