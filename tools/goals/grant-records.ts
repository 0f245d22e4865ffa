import { api } from '@zhuguan/contract/api.ts'

import type { Caller } from './client.ts'
import type { Machine, Place } from './machine-records.ts'
import type { Stage } from './stage.ts'
import { GRANT } from './states.ts'

/** What somebody of a home may see of it, made once, then put where the table says with what it asks for. */
export async function grantMachine(stage: Stage, admin: Caller, of: Place): Promise<Machine> {
  const one = async <R = { id: string }>(text: string, values: unknown[] = []) =>
    (await stage.owner.query(text, values)).rows[0] as R
  const write = async (text: string, values: unknown[] = []) => void (await stage.owner.query(text, values))
  const contact = await one(
    `SELECT id FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL`,
    [of.site],
  )
  const consent = await one(
    `INSERT INTO consents (tenant_id, id, kind, subject_type, subject_id, state, how, answered_on, scope, recorded_by,
       recorded_at)
     SELECT tenant_id, gen_random_uuid(), 'ownerVideo', 'contact', id, 1, 'electronic', current_date, '看现场', '', now()
     FROM home_contacts WHERE id = $1 RETURNING id`,
    [contact.id],
  )
  const grant = await one(
    `INSERT INTO video_grants (tenant_id, id, bc_id, site_id, contact_id, from_day, to_day, from_time, to_time, state,
       granted_by, granted_at, changed_by, changed_at)
     SELECT tenant_id, gen_random_uuid(), bc_id, site_id, id, current_date, current_date + 30, '09:00', '18:00',
       'ended', '', now(), '', now()
     FROM home_contacts WHERE id = $1 RETURNING id`,
    [contact.id],
  )
  await write(
    `INSERT INTO video_grant_cameras (tenant_id, grant_id, device_id, added_at)
     SELECT tenant_id, id, $2, now() FROM video_grants WHERE id = $1`,
    [grant.id, of.device],
  )
  return {
    lines: GRANT,
    reasons: ['stop'],
    async put(situation) {
      const [state] = situation.split(' ')
      await write('UPDATE sites SET status = CASE WHEN $2 THEN 2 ELSE 1 END WHERE id = $1', [
        of.site,
        situation.endsWith('not started'),
      ])
      await write(
        `UPDATE consents SET state = CASE WHEN $2 THEN 3 ELSE 1 END, withdrawn_at = CASE WHEN $2 THEN now() END,
           withdrawn_by = CASE WHEN $2 THEN '' END, withdrawn_why = CASE WHEN $2 THEN '' END
         WHERE id = $1`,
        [consent.id, situation.endsWith('taken back')],
      )
      await write(
        `UPDATE devices SET site_id = CASE WHEN $3 THEN NULL ELSE $2::uuid END,
           bind_status = CASE WHEN $3 THEN 1 ELSE 2 END, device_status = CASE WHEN $3 THEN 5 ELSE 1 END,
           deleted_at = NULL
         WHERE id = $1`,
        [of.device, of.site, situation.endsWith('taken down')],
      )
      await write('UPDATE video_grant_cameras SET added_at = now() WHERE grant_id = $1', [grant.id])
      await write('UPDATE video_grants SET state = $2, version = 7 WHERE id = $1', [grant.id, state])
    },
    ask(command, reason) {
      const seen = { id: grant.id, version: 7 }
      return command === 'stop'
        ? admin.ask(api.grants.stop, { body: { ...seen, reason } })
        : admin.ask(api.grants.resume, { body: seen })
    },
    stands: async () =>
      (await one<{ at: string }>('SELECT state AS at FROM video_grants WHERE id = $1', [grant.id])).at,
  }
}
