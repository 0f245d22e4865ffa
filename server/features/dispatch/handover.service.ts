import { holdFor } from '@zhuguan/contract/features/recordings/recordings.record.ts'

import type { Tx } from '../../database/connect.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { holdOnSite } from '../recordings/recordings.service.ts'
import type { LockedNote } from './notes.queries.ts'
import type { NoteCall } from './notes.service.ts'

const BEFORE_S = 600
const AFTER_S = 1_200
/** Longer than a complaint and its rounds take. */
const HELD_DAYS = 180
/** What the site's cameras record around the handover is kept for whoever judges the goods. */
export async function holdHandover(
  tx: Tx,
  call: NoteCall,
  n: Pick<LockedNote, 'id' | 'code' | 'place_id'>,
): Promise<void> {
  const { nickname, tenant } = call.user
  const at = call.now()
  const held = await holdOnSite(tx, n.place_id, {
    tenant,
    from: new Date(at.getTime() - BEFORE_S * 1_000),
    to: new Date(at.getTime() + AFTER_S * 1_000),
    for: holdFor.code.delivery,
    reason: `${n.code} 交接`,
    until: startOfDay(addDays(shanghaiDay(at), HELD_DAYS)),
    by: nickname,
    at,
  })
  if (held.length)
    await tx.run(
      'dispatch.holds',
      `INSERT INTO note_holds (tenant_id, note_id, hold_id)
       SELECT $1, $2, x.id
       FROM unnest($3::uuid[]) AS x(id)`,
      [tenant, n.id, held],
    )
}
