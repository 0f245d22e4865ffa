import type { LiveTopic } from '@zhuguan/contract/features/live/live.api.ts'
import type { TimelineKind } from '@zhuguan/contract/features/timeline/timeline.api.ts'

import type { Tx } from '../../database/connect.ts'

/** What a command changed, as everybody reads it. */
export interface Told {
  /** Told to the pages that show it, of those who see the branch or the site. */
  topic: LiveTopic
  bc: string | null
  site: string | null
  /** Who receives the order that it is of: told of it as well, without the site. */
  receiver?: string
  /** Kept from this person: everybody else is told. */
  except?: string | null
  /** The changed record; empty where no more is told than that something changed. */
  id: string
  /** The line on the site's one timeline. */
  line?: { kind: TimelineKind; title: string; at?: Date; ref?: string; picture?: string | null }
}

/** A call, or scheduled work that tells by itself. */
interface Teller {
  user: { tenant: string; nickname: string }
  now: () => Date
  newId: () => string
}
/** Tells the browsers that may see it, and the site's timeline, once the transaction commits. */
export function tell(tx: Tx, call: Teller, { line, ...told }: Told): void {
  const { nickname, tenant } = call.user
  if (line)
    tx.send(
      'live.line',
      `INSERT INTO site_events (tenant_id, id, bc_id, site_id, kind, at, title, actor, ref_id, picture)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        tenant,
        call.newId(),
        told.bc,
        told.site,
        line.kind,
        line.at ?? call.now(),
        line.title,
        nickname,
        line.ref ?? told.id,
        line.picture ?? null,
      ],
    )
  tellChange(tx, tenant, told)
}

/** Lines of these records stay on their timelines; their pictures of these moments are shown there no more. */
export const forgetLinePictures = (
  tx: Tx,
  tenant: string,
  lines: readonly { site_id: string; id: string; at: Date; picture: string }[],
) =>
  tx.run(
    'live.forget',
    `UPDATE site_events e
     SET picture = NULL
     FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[]) AS x(site, ref, at, picture)
     WHERE e.tenant_id = $1 AND e.site_id = x.site AND e.ref_id = x.ref AND e.picture = x.picture
       AND e.at BETWEEN x.at - interval '1 day' AND x.at + interval '8 days'`,
    [
      tenant,
      lines.map((l) => l.site_id),
      lines.map((l) => l.id),
      lines.map((l) => l.at),
      lines.map((l) => l.picture),
    ],
  )

/** Tells the browsers that may see it, of work that is nobody's call. */
export const tellChange = (tx: Tx, tenant: string, told: Omit<Told, 'line'>): void =>
  announce(tx, { tenant, ...told, user: null, what: 'changed' })

/** Tells one person. */
export const tellPerson = (tx: Tx, tenant: string, user: string, topic: LiveTopic, id: string): void =>
  announce(tx, { tenant, bc: null, site: null, user, topic, what: 'raised', id })

function announce(
  tx: Tx,
  a: Omit<Told, 'line'> & { tenant: string; user: string | null; what: 'changed' | 'raised' },
): void {
  tx.send(
    'live.announce',
    `INSERT INTO live_events (tenant_id, bc_id, site_id, user_id, topic, what, ref_id, receiver_id, except_id,
       at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, :now)`,
    [a.tenant, a.bc, a.site, a.user, a.topic, a.what, a.id, a.receiver ?? null, a.except ?? null],
  )
  tx.tell('live')
}
