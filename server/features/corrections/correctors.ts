import { actionsOfSource } from '@zhuguan/contract/features/corrections/corrections.actions.ts'
import type { CorrectionSource } from '@zhuguan/contract/features/corrections/corrections.record.ts'
import type { SettingKey } from '@zhuguan/contract/features/settings/settings.record.ts'

import type { Tx } from '../../database/connect.ts'
import { personReaches } from '../../kit/person-reach.ts'
import { row, uuid } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import type { Cause } from '../notifications/notifications.service.ts'
import { assignable } from '../users/users.reads.ts'
import type { LockedCorrection } from './corrections.queries.ts'

type Place = Pick<LockedCorrection, 'site_id' | 'source'>

/** Where it is read, by whoever is told of it. */
const linkOf = (c: { id: string; source: CorrectionSource }) =>
  c.source === 'alarm' ? `/image/AlarmEvent?id=${c.id}` : `/patrol/Correction?id=${c.id}`
export const causeOf = (c: { id: string; source: CorrectionSource }): Cause => ({
  kind: c.source === 'alarm' ? 'alarm' : 'correction',
  id: c.id,
})
/** What every message about it has in common. */
export const noticeOf = (c: Place & { id: string }) => ({
  link: linkOf(c),
  site: c.site_id,
  cause: causeOf(c),
})
/** The power that its corrector needs. */
export const correctPower = (source: CorrectionSource) => actionsOfSource(source).needs('submit')[0]!
/** The setting that says how long correcting it may take. */
export const correctionHours = (c: Pick<LockedCorrection, 'source' | 'alarmType'>): SettingKey =>
  c.source === 'alarm' ? `correctionHours.${c.alarmType!}` : `correctionHours.${c.source}`

export const canCorrect = (tx: Tx, call: Call, c: Place, id: string) =>
  assignable(tx, call.user.scope, { id, site: c.site_id, power: correctPower(c.source) })

/** Who leads the site: the manager before the steward. */
export async function leadersOf(tx: Tx, call: Call, site: string): Promise<string[]> {
  const { rows } = await tx.query(
    'corrections.leaders',
    row({ id: uuid }),
    `SELECT u.id
     FROM sites w
     JOIN users u ON u.tenant_id = $1 AND u.id IN (w.manager_id, w.steward_id)
     WHERE w.tenant_id = $1 AND w.id = $2
     ORDER BY u.id = w.manager_id DESC`,
    [call.user.tenant, site],
  )
  return [...new Set(rows.map((r) => r.id))]
}
/** Who leads the site and can correct. */
export async function firstOf(tx: Tx, call: Call, c: Place) {
  for (const id of await leadersOf(tx, call, c.site_id)) {
    const person = await canCorrect(tx, call, c, id)
    if (person) return person
  }
  return undefined
}
/** Who had it, or who leads the site now where they have left it; nobody where none of them may correct. */
export async function whoCorrects(tx: Tx, call: Call, c: LockedCorrection): Promise<string | null> {
  if (c.assignee_id && (await canCorrect(tx, call, c, c.assignee_id))) return c.assignee_id
  return (await firstOf(tx, call, c))?.id ?? null
}

/** Who may cancel it while it is being corrected, of the site's branch. */
export async function supervisorsOf(tx: Tx, call: Call, c: Place): Promise<string[]> {
  const { rows } = await tx.query(
    'corrections.supervisors',
    row({ id: uuid }),
    `SELECT u.id
     FROM sites w
     JOIN users u ON u.tenant_id = $1 AND u.bc_id = w.bc_id
     WHERE w.tenant_id = $1 AND w.id = $2 AND EXISTS (
       SELECT 1
       FROM user_roles ur
       JOIN roles r ON r.tenant_id = $1 AND r.id = ur.role_id AND r.status = 1
       JOIN role_powers p ON p.tenant_id = $1 AND p.role_id = r.id AND p.label = $3
       WHERE ur.tenant_id = $1 AND ur.user_id = u.id AND ${personReaches('$1', 'u', 'r', 'w')})`,
    [call.user.tenant, c.site_id, actionsOfSource(c.source).needs('reopen')[0]!],
  )
  return rows.map((r) => r.id)
}
