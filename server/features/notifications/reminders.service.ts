import type { Tx } from '../../database/connect.ts'
import { row, text } from '../../kit/row.ts'
import { type Cause, type CauseKind, notify, type Notice } from './notifications.service.ts'

/** Somebody is to be reminded of a cause that still waits. `step` says which reminder it is; each comes once. */
export interface Reminder extends Pick<Notice, 'link' | 'site' | 'title' | 'user'> {
  id: string
  step: string
}
/**
 * Who keeps a kind of cause says what is due now. It holds the rows that it answers, so that nobody acts on one while
 * its reminder is written.
 */
export interface ReminderSource {
  kind: CauseKind
  due(tx: Tx, tenant: string, now: Date): Promise<Reminder[]>
}

async function first(tx: Tx, tenant: string, { kind, id }: Cause, step: string): Promise<boolean> {
  const { rows } = await tx.query(
    'reminders.first',
    row({ step: text }),
    `INSERT INTO reminders (tenant_id, cause_kind, cause_id, step, at) VALUES ($1, $2, $3, $4, :now)
     ON CONFLICT DO NOTHING
     RETURNING step`,
    [tenant, kind, id, step],
  )
  return rows.length > 0
}

/** Reminds of what waits in one group; answers how many reminders there were. */
export async function remind(tx: Tx, tenant: string, source: ReminderSource): Promise<number> {
  let reminded = 0
  for (const { id, step, ...notice } of await source.due(tx, tenant, tx.now)) {
    const cause = { kind: source.kind, id }
    if (!(await first(tx, tenant, cause, step))) continue
    await notify(tx, { ...notice, tenant, cause })
    reminded += 1
  }
  return reminded
}
