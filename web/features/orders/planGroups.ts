import type { PlanRow } from '@zhuguan/contract/features/orders/orders.record.ts'

const keyOf = (r: PlanRow) => `${r.site_id} ${r.stage ?? ''}`
/** Lines of a site and stage beside each other; the group whose first line comes first stays first. */
export function groupedRows(rows: readonly PlanRow[]): PlanRow[] {
  const groups = Map.groupBy(rows, keyOf)
  return [...groups.values()].flat()
}
/** The lines that begin a site, and those that begin a stage of it. */
export function beginnings(rows: readonly PlanRow[]): { sites: Set<string>; stages: Set<string> } {
  const begins = (differs: (a: PlanRow, b: PlanRow) => boolean) =>
    new Set(rows.filter((r, i) => i === 0 || differs(r, rows[i - 1]!)).map((r) => r.id))
  return {
    sites: begins((a, b) => a.site_id !== b.site_id),
    stages: begins((a, b) => keyOf(a) !== keyOf(b)),
  }
}
