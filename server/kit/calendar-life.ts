import type { Call } from './serve.ts'
import type { Tx } from './tx.ts'

/** A calendar that was changed: of which branches, and where a moment lies now that was so far ahead by the old one. */
export interface CalendarChange {
  bcs: readonly string[]
  moved(bc: string, due: Date): Date
}
export interface Clock {
  id: string
  bc: string
  due: Date
}
/**
 * What a feature does when the calendar is changed: its running clocks keep the working time that they have left, days
 * that are not over are what the calendar says now. What has passed stays.
 */
export interface CalendarLife {
  changed(tx: Tx, call: Call, change: CalendarChange): Promise<void>
}

/** Running clocks that end elsewhere now, as two lists of a statement. */
export function movedClocks(clocks: readonly Clock[], change: CalendarChange): [ids: string[], dues: Date[]] {
  const moved = clocks
    .map(({ id, bc, due }) => ({ id, due, to: change.moved(bc, due) }))
    .filter(({ due, to }) => due.getTime() !== to.getTime())
  return [moved.map((c) => c.id), moved.map((c) => c.to)]
}
