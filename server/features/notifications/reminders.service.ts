import type { CauseKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'

import type { Tx } from '../../database/connect.ts'
import { row, text } from '../../kit/row.ts'
import { type Cause, notify, type Notice, tellSummed } from './notifications.service.ts'

/** Somebody is to be reminded of a cause that still waits. `step` says which reminder it is; each comes once. */
export interface Reminder extends Pick<Notice, 'link' | 'site' | 'title' | 'user' | 'whose'> {
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
  /** What somebody is told of whom so many wait at once. */
  many?(n: number): Pick<Notice, 'link' | 'title'>
}

/** More of one kind to one person at one look are one message. */
const MOST = 5

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
  const told: (Omit<Notice, 'user'> & { user: readonly string[] })[] = []
  for (const { id, step, user, ...notice } of await source.due(tx, tenant, tx.now)) {
    const cause = { kind: source.kind, id }
    if (!(await first(tx, tenant, cause, step))) continue
    const people = [user].flat().filter((one) => one !== null)
    told.push({ ...notice, tenant, cause, user: [...new Set(people)] })
  }
  const sums = new Map<string, number>()
  for (const { user } of told) for (const one of user) sums.set(one, (sums.get(one) ?? 0) + 1)
  const isMany = (one: string) => source.many !== undefined && sums.get(one)! > MOST
  for (const notice of told) {
    const user = notice.user.filter((one) => !isMany(one))
    if (user.length) await notify(tx, { ...notice, user })
    else tellSummed(tx, notice, notice.user)
  }
  for (const [user, n] of sums) if (isMany(user)) await notify(tx, { tenant, user, ...source.many!(n) })
  return told.length
}
