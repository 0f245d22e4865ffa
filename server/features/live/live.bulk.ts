import type { LiveTopic } from '@zhuguan/contract/features/live/live.api.ts'
import type { TimelineKind } from '@zhuguan/contract/features/timeline/timeline.api.ts'

import type { Tx } from '../../database/connect.ts'
import { uuidv7 } from '../../kit/ids.ts'

export interface SiteLine {
  tenant: string
  bc: string
  site: string
  kind: TimelineKind
  at: number
  title: string
  actor: string
  ref: string | null
  picture: string | null
}
/** Lines of many sites' timelines in one statement. */
export async function tellSites(tx: Tx, lines: readonly SiteLine[]): Promise<void> {
  if (lines.length === 0) return
  tx.send(
    'live.sites',
    `INSERT INTO site_events (tenant_id, id, bc_id, site_id, kind, at, title, actor, ref_id, picture)
     SELECT tenant, id, bc, site, kind, to_timestamp(at), title, actor, ref, picture
     FROM json_to_recordset($1::json)
       AS x(tenant uuid, id uuid, bc uuid, site uuid, kind text, at float8, title text, actor text, ref uuid,
         picture text)`,
    [JSON.stringify(lines.map((line) => ({ ...line, id: uuidv7() })))],
  )
}

export interface Change {
  tenant: string
  bc: string
  site: string
  topic: LiveTopic
  what: 'changed' | 'raised' | 'seen'
  id: string
}
/** One message per changed thing, however many events changed it. */
export async function announceAll(tx: Tx, changes: readonly Change[]): Promise<void> {
  const once = [...new Map(changes.map((c) => [`${c.topic}:${c.what}:${c.id}`, c])).values()]
  if (once.length === 0) return
  tx.send(
    'live.all',
    `INSERT INTO live_events (tenant_id, bc_id, site_id, topic, what, ref_id, at)
     SELECT x.*, :now
     FROM json_to_recordset($1::json)
       AS x(tenant uuid, bc uuid, site uuid, topic text, what text, id text)`,
    [JSON.stringify(once)],
  )
  tx.tell('live')
}
