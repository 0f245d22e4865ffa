import { api } from '@zhuguan/contract/api.ts'

import type { Caller } from './client.ts'
import type { Machine, Place } from './machine-records.ts'
import { GRANT } from './owner-states.ts'
import type { Stage } from './stage.ts'

const ANSWERS: Record<string, number> = { refused: 2, withdrawn: 3 }
const SITES: Record<string, number> = { begun: 2, over: 4 }
/** What a contact of the home may look at, made once, then put where the table says. */
export async function grantMachine(stage: Stage, admin: Caller, of: Place): Promise<Machine> {
  const one = async (text: string, values: unknown[]) =>
    (await stage.owner.query<{ id: string }>(text, values)).rows[0]!
  const write = async (text: string, values: unknown[]) => void (await stage.owner.query(text, values))
  const contact = await one(
    `INSERT INTO home_contacts (tenant_id, id, bc_id, site_id, name, phone, relation, since)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, '逐项联系人', '13700008888', 'spouse', now()
     FROM sites WHERE id = $1 RETURNING id`,
    [of.site],
  )
  const consent = await one(
    `INSERT INTO consents (tenant_id, id, kind, subject_type, subject_id, state, how, answered_on, scope, recorded_by,
       recorded_at)
     SELECT tenant_id, gen_random_uuid(), 'ownerVideo', 'contact', $2, 1, 'electronic', current_date, '看自己家', '', now()
     FROM sites WHERE id = $1 RETURNING id`,
    [of.site, contact.id],
  )
  const grant = await one(
    `INSERT INTO video_grants (tenant_id, id, bc_id, site_id, contact_id, from_day, to_day, from_time, to_time, state,
       granted_by, granted_at, changed_by, changed_at)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, $2, current_date, current_date + 30, '08:00', '18:00', 'ended', '',
       now() - interval '1 hour', '', now()
     FROM sites WHERE id = $1 RETURNING id`,
    [of.site, contact.id],
  )
  await write(
    `INSERT INTO video_grant_cameras (tenant_id, grant_id, device_id, added_at)
     SELECT tenant_id, id, $2, now() + interval '1 day' FROM video_grants WHERE id = $1`,
    [grant.id, of.device],
  )
  return {
    lines: GRANT,
    reasons: ['stop'],
    async put(situation) {
      const [state] = situation.replace(',', '').split(' ')
      const word = situation.split(' ').at(-1)!
      const answer = ANSWERS[word] ?? 1
      await write('UPDATE sites SET status = $2 WHERE id = $1', [of.site, SITES[word] ?? 1])
      await write(
        `UPDATE consents SET state = $2::smallint, withdrawn_by = CASE $2::smallint WHEN 3 THEN '' END,
           withdrawn_at = CASE $2::smallint WHEN 3 THEN now() END,
           withdrawn_why = CASE $2::smallint WHEN 3 THEN '不看了' END
         WHERE id = $1`,
        [consent.id, answer],
      )
      await write(
        `UPDATE devices SET site_id = $2::uuid, bind_status = CASE WHEN $2::uuid IS NULL THEN 1 ELSE 2 END,
           device_status = CASE WHEN $2::uuid IS NULL THEN 5 ELSE 1 END, last_seen = now(), deleted_at = NULL
         WHERE id = $1`,
        [of.device, word === 'elsewhere' ? null : of.site],
      )
      await write(`UPDATE home_contacts SET ended_at = CASE WHEN $2 THEN now() END WHERE id = $1`, [
        contact.id,
        word === 'gone',
      ])
      await write('UPDATE video_grants SET state = $2, version = 7 WHERE id = $1', [grant.id, state])
    },
    ask: (command, reason) =>
      admin.ask(api.grants[command as 'stop'], { body: { id: grant.id, version: 7, reason } }),
    stands: async () =>
      (
        await stage.owner.query<{ at: string }>('SELECT state AS at FROM video_grants WHERE id = $1', [
          grant.id,
        ])
      ).rows[0]!.at,
  }
}
