import type { Scope, Tx } from '../../database/connect.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { ALARM_COLUMNS, ALARM_FROM } from './alarms.queries.ts'

/** Rows of the alarms' list as somebody of this reach reads them there, as JSON by id; what lies outside is left out. */
export async function alarmRowsOf(
  tx: Tx,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const where = scoped(scope, 'a').add((p) => `a.id = ANY(${p}::uuid[])`, ids)
  const { rows } = await tx.last(
    'alarms.told',
    row({ id: uuid, json: text }),
    `SELECT r.id, row_to_json(r)::text AS json FROM (SELECT ${ALARM_COLUMNS} FROM ${ALARM_FROM} WHERE ${where.text}) r`,
    where.values,
  )
  return new Map(rows.map((r) => [r.id, r.json]))
}
