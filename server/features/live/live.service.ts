import type { Tx } from '../../database/connect.ts'

export interface Announcement {
  tenant: string
  bc: string | null
  site: string | null
  /** Only this person is told. */
  user?: string | null
  topic: string
  what: string
  id: string
}

/** Tells the browsers that may see it, once the transaction commits. */
export async function announce(tx: Tx, a: Announcement): Promise<void> {
  tx.send(
    'live.announce',
    'INSERT INTO live_events (tenant_id, bc_id, site_id, user_id, topic, what, ref_id, at) VALUES ($1, $2, $3, $4, $5, $6, $7, :now)',
    [a.tenant, a.bc, a.site, a.user ?? null, a.topic, a.what, a.id],
  )
  tx.tell('live')
}

/** A line on the site's one timeline. */
export async function tellSite(
  tx: Tx,
  e: {
    tenant: string
    bc: string
    site: string
    id: string
    kind: string
    at: Date
    title: string
    actor: string
    ref: string | null
    picture?: string | null
  },
): Promise<void> {
  tx.send(
    'live.site',
    'INSERT INTO site_events (tenant_id, id, bc_id, site_id, kind, at, title, actor, ref_id, picture) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
    [e.tenant, e.id, e.bc, e.site, e.kind, e.at, e.title, e.actor, e.ref, e.picture ?? null],
  )
}
