import { createHash } from 'node:crypto'

import type { Database, Scope } from '../../database/connect.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { type AccessRow, accessOf } from './access.queries.ts'

/** Sees every tenant; only for the server's own work and for finding out who is calling. */
export const SYSTEM: Scope = { tenant: '', bcs: null, sites: null, user: null, system: true }

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The widest of a person's roles decides; with no role nothing is visible. */
function scopeOf(row: AccessRow): Scope {
  const has = (s: string) => row.scopes.includes(s)
  const base = { tenant: row.tenant_id, user: row.user_id }
  if (has('tenant')) return { ...base, bcs: null, sites: null }
  if (has('branches')) return { ...base, bcs: row.branches, sites: null }
  return {
    ...base,
    bcs: null,
    sites: [
      ...new Set([...(has('stores') ? row.store_sites : []), ...(has('ownSites') ? row.own_sites : [])]),
    ],
  }
}

export type Found =
  | { kind: 'user'; user: SessionUser; expiresAt: number }
  | { kind: 'unknown' }
  | { kind: 'expired' }

const MAX_KEPT = 5_000
const KEEP_MS = 20_000

/**
 * Token → person. Kept in memory for seconds and forgotten at once when any server announces a change of access;
 * while the announcements cannot be heard, nothing is kept.
 */
export function accessBook(db: Database, now: () => Date) {
  const kept = new Map<string, { found: Found; until: number }>()
  let hearing = false
  // What was loaded before a change was announced must not be kept after it.
  let generation = 0
  const forget = () => {
    generation += 1
    kept.clear()
  }

  async function load(tokenHash: Buffer): Promise<Found> {
    const row = await db.tx(SYSTEM, (tx) => accessOf(tx, tokenHash), { readOnly: true })
    if (!row || row.revoked || !row.active) return { kind: 'unknown' }
    if (row.expires_at.getTime() <= now().getTime()) return { kind: 'expired' }
    const pages = row.pages.map((p) => p.name)
    const version = createHash('sha1')
      .update(
        JSON.stringify([
          row.roles,
          row.permissions,
          row.pages,
          row.menu_version,
          row.nickname,
          row.must_change,
        ]),
      )
      .digest('base64url')
      .slice(0, 12)
    const user: SessionUser = {
      id: row.user_id,
      tenant: row.tenant_id,
      userName: row.user_name,
      nickname: row.nickname,
      roles: row.roles,
      permissions: row.permissions,
      pages,
      scope: scopeOf(row),
      mustChange: row.must_change,
      tokenHash,
      version,
    }
    return { kind: 'user', user, expiresAt: row.expires_at.getTime() }
  }

  return {
    async find(token: string): Promise<Found> {
      const hash = hashToken(token)
      const key = hash.toString('base64')
      const at = now().getTime()
      const hit = kept.get(key)
      if (hit && hearing && hit.until > at)
        return hit.found.kind === 'user' && hit.found.expiresAt <= at ? { kind: 'expired' } : hit.found
      const asked = generation
      const found = await load(hash)
      if (hearing && asked === generation && found.kind === 'user') {
        if (kept.size >= MAX_KEPT) kept.clear()
        kept.set(key, { found, until: at + KEEP_MS })
      }
      return found
    },
    forget,
    hear(on: boolean) {
      hearing = on
      forget()
    },
  }
}
export type AccessBook = ReturnType<typeof accessBook>
