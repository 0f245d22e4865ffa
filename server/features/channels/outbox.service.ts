import {
  channelEvent,
  channelMaker,
  channelState,
  messageState,
} from '@zhuguan/contract/features/channels/channels.record.ts'
import { causeKind } from '@zhuguan/contract/features/notifications/notifications.record.ts'

import type { Tx } from '../../database/connect.ts'

const { dropped, queued, sent } = messageState.code
const { settled, waiting } = channelEvent.code

export interface Told {
  tenant: string
  cause: { kind: string; id: string } | undefined
  site: string | undefined
  /** The branch of what is about no site. */
  bc: string | undefined
  /** Nobody has to act on it. */
  informed: boolean
  link: string
  told: readonly { id: string; user_id: string }[]
  /** People who were told a sum of many causes, and have no message of this one. */
  summed?: readonly string[] | undefined
}
/**
 * What people have just been told goes to the channels that hear of it: by kind, by the branch of its site, by the role
 * of somebody who was told. Only what is new: an unread one that is told again is none, and of what people were told as
 * a sum each goes once. Sent after this transaction.
 */
export function outbox(tx: Tx, { bc, cause, informed, link, site, summed = [], tenant, told }: Told): void {
  if (!cause || informed || told.length + summed.length === 0) return
  tx.send(
    'channels.queue',
    `INSERT INTO channel_messages (tenant_id, id, channel_id, event, kind, cause_id, of_site, link, at, since, next_at)
     SELECT k.tenant_id, gen_random_uuid(), k.id, '${waiting}', $2, $3, w.id, $5, :now, :now, :now
     FROM channels k
     LEFT JOIN sites w ON w.tenant_id = $1 AND w.id = $4
     WHERE k.tenant_id = $1 AND k.state = '${channelState.code.active}' AND $2 = ANY (k.kinds)
       AND (k.bc_id IS NULL OR k.bc_id = coalesce(w.bc_id, $8::uuid))
       AND (k.role = '' OR EXISTS (
         SELECT 1 FROM user_roles ur
         JOIN roles ro ON ro.tenant_id = $1 AND ro.id = ur.role_id AND ro.code = k.role
         WHERE ur.tenant_id = $1 AND ur.user_id = ANY ($6::uuid[])))
       AND (EXISTS (
         SELECT 1 FROM notifications n WHERE n.tenant_id = $1 AND n.id = ANY ($7::uuid[]) AND n.times = 1)
         OR $9 AND NOT EXISTS (
           SELECT 1 FROM channel_messages o
           WHERE o.tenant_id = $1 AND o.channel_id = k.id AND o.event = '${waiting}' AND o.kind = $2
             AND o.cause_id = $3))
     ORDER BY k.id
     ON CONFLICT (tenant_id, channel_id, event, kind, cause_id) WHERE state = '${queued}' DO NOTHING`,
    [
      tenant,
      cause.kind,
      cause.id,
      site ?? null,
      link,
      [...told.map((t) => t.user_id), ...summed],
      told.map((t) => t.id),
      bc ?? null,
      summed.length > 0,
    ],
  )
}

/** Somebody has acted: what was not sent yet is not sent any more; systems that were told hear that it is settled. */
export function settleOutbox(tx: Tx, tenant: string, causes: readonly { kind: string; id: string }[]): void {
  const list = JSON.stringify(causes.filter((c) => c.kind !== causeKind.code.channel))
  tx.send(
    'channels.settled',
    `INSERT INTO channel_messages (tenant_id, id, channel_id, event, kind, cause_id, of_site, at, since, next_at)
     SELECT DISTINCT ON (m.channel_id, m.kind, m.cause_id) m.tenant_id, gen_random_uuid(), m.channel_id, '${settled}',
       m.kind, m.cause_id, m.of_site, :now::timestamptz, :now::timestamptz, :now::timestamptz
     FROM json_to_recordset($2::json) AS x(kind text, id text)
     JOIN channel_messages m ON m.tenant_id = $1 AND m.kind = x.kind AND m.cause_id = x.id AND m.event = '${waiting}'
       AND (m.state = '${sent}' OR m.tries > 0)
     JOIN channels k ON k.tenant_id = $1 AND k.id = m.channel_id AND k.maker = '${channelMaker.code.webhook}'
       AND k.state = '${channelState.code.active}'
     WHERE NOT EXISTS (
       SELECT 1 FROM channel_messages o
       WHERE o.tenant_id = $1 AND o.channel_id = m.channel_id AND o.kind = m.kind AND o.cause_id = m.cause_id
         AND o.event = '${settled}' AND o.at >= m.at)
     ON CONFLICT (tenant_id, channel_id, event, kind, cause_id) WHERE state = '${queued}' DO NOTHING`,
    [tenant, list],
  )
  tx.send(
    'channels.drop',
    `UPDATE channel_messages m SET state = '${dropped}', said = '已经有人处理'
     FROM json_to_recordset($2::json) AS x(kind text, id text)
     WHERE m.tenant_id = $1 AND m.kind = x.kind AND m.cause_id = x.id AND m.event = '${waiting}'
       AND m.state = '${queued}'`,
    [tenant, list],
  )
}
