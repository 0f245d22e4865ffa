import { createHash } from 'node:crypto'

import type { DataScope } from '@zhuguan/contract/features/roles/roles.record.ts'

import type { Database, Scope } from '../../database/connect.ts'
import { union, withAddresses } from '../../kit/reach.ts'
import type { SessionUser } from '../../kit/serve.ts'
import {
  type AccessRow,
  accessOf,
  accessOfAll,
  accessOfPerson,
  livingOf,
  SESSION_SKEW_MINUTES,
} from './access.queries.ts'

export { isStaffOf } from './access.queries.ts'

/** Sees every tenant; only for the server's own work and for finding out who is calling. */
export const SYSTEM: Scope = { tenant: '', bcs: null, sites: null, user: null, system: true }

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The reach of one kind of role (docs/product.md); a receiver is a company or a store. */
function scopeOf(row: AccessRow, kind: DataScope): Scope {
  const base = { tenant: row.tenant_id, user: row.user_id, bcs: null, sites: null }
  const ids = (places: AccessRow['own_sites']) => (places ?? []).map((place) => place.id)
  const stores = ids(row.stores)
  const reaches: Record<DataScope, Scope> = {
    tenant: base,
    branches: { ...base, bcs: row.branches, receivers: row.branches },
    stores: { ...base, sites: ids(row.store_sites), stores, receivers: stores },
    ownSites: { ...base, sites: ids(row.own_sites) },
  }
  return reaches[kind]
}

function userOf(row: AccessRow): SessionUser {
  const told = [
    row.roles,
    row.permissions,
    row.pages,
    row.menu_version,
    row.nickname,
    row.must_change,
    row.stands_for,
  ]
  const holdings = row.holdings.map((h) => ({ ...h, scope: scopeOf(row, h.dataScope) }))
  const branchOf = new Map(
    [...(row.own_sites ?? []), ...(row.store_sites ?? []), ...row.stores].map((place) => [
      place.id,
      place.bc,
    ]),
  )
  const scopes = holdings.map((h) => h.scope)
  return withAddresses({
    id: row.user_id,
    tenant: row.tenant_id,
    userName: row.user_name,
    nickname: row.nickname,
    roles: row.roles,
    permissions: row.permissions,
    standsFor: row.stands_for,
    pages: row.pages.map((p) => p.name),
    // With no role nothing is visible.
    scope: union({ tenant: row.tenant_id, user: row.user_id }, scopes, branchOf),
    holdings,
    branchOf,
    mustChange: row.must_change,
    tokenHash: row.token_hash,
    version: createHash('sha1').update(JSON.stringify(told)).digest('base64url').slice(0, 12),
    knownAt: row.known_at,
  })
}

export type Found =
  | { kind: 'user'; user: SessionUser; expiresAt: number }
  | { kind: 'unknown' }
  | { kind: 'expired' }

const MAX_KEPT = 5_000
const KEEP_MS = 20_000
const SKEW_MS = SESSION_SKEW_MINUTES * 60_000
const AT_ONCE = 200
const LIVING_AT_ONCE = 2_000

function foundAt(now: Date, row: AccessRow | undefined): Found {
  if (!row || row.revoked || !row.active) return { kind: 'unknown' }
  const at = now.getTime()
  const isAhead = row.created_at.getTime() > at + SKEW_MS
  if (isAhead || row.expires_at.getTime() <= at) return { kind: 'expired' }
  return { kind: 'user', user: userOf(row), expiresAt: row.expires_at.getTime() }
}
/** The owner of this session now, asked of the database itself: for addresses that carry no token. */
export async function personOf(db: Database, tokenHash: Buffer, now: Date): Promise<SessionUser | undefined> {
  const found = foundAt(now, await db.tx(SYSTEM, (tx) => accessOf(tx, tokenHash), { readOnly: true }))
  return found.kind === 'user' && !found.user.mustChange ? found.user : undefined
}

/** What somebody may do who is not signed in now, for what is told to them outside; nobody whose account is stopped. */
export async function absentPerson(
  db: Database,
  { tenant, user }: { tenant: string; user: string },
): Promise<SessionUser | undefined> {
  const row = await db.tx(SYSTEM, (tx) => accessOfPerson(tx, tenant, user), { readOnly: true })
  return row?.active ? userOf(row) : undefined
}

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

  /** What is kept of this token, while it can be trusted. */
  function recall(key: string): Found | undefined {
    const at = now().getTime()
    const hit = kept.get(key)
    // What was kept while the clock was ahead is looked up again.
    if (!hit || !hearing || hit.until <= at || hit.until > at + KEEP_MS) return undefined
    return hit.found.kind === 'user' && hit.found.expiresAt <= at ? { kind: 'expired' } : hit.found
  }
  function keep(key: string, found: Found, asked: number): void {
    if (!hearing || asked !== generation || found.kind !== 'user') return
    if (kept.size >= MAX_KEPT) kept.clear()
    kept.set(key, { found, until: now().getTime() + KEEP_MS })
  }

  return {
    /** The remembered session, without asking anybody. */
    peek: (hash: Buffer): Found | undefined => recall(hash.toString('base64')),
    async find(hash: Buffer): Promise<Found> {
      const key = hash.toString('base64')
      const hit = recall(key)
      if (hit) return hit
      const asked = generation
      const found = foundAt(now(), await db.tx(SYSTEM, (tx) => accessOf(tx, hash), { readOnly: true }))
      keep(key, found, asked)
      return found
    },
    /** Those whose session is over. Asked at once of every open stream whenever somebody signs out. */
    async ended(tokens: readonly string[]): Promise<Set<string>> {
      const byKey = new Map(tokens.map((token) => [hashToken(token).toString('base64'), token]))
      const hashes = [...byKey.keys()].map((key) => Buffer.from(key, 'base64'))
      for (let i = 0; i < hashes.length; i += LIVING_AT_ONCE) {
        const some = hashes.slice(i, i + LIVING_AT_ONCE)
        const living = await db.tx(SYSTEM, (tx) => livingOf(tx, some, now()), { readOnly: true })
        for (const hash of living) byKey.delete(hash.toString('base64'))
      }
      return new Set(byKey.values())
    },
    /** What the holders of many tokens may do, in few statements. */
    async findAll(tokens: readonly string[]): Promise<Map<string, Found>> {
      const answers = new Map<string, Found>()
      const unknown = new Map<string, { token: string; hash: Buffer }>()
      for (const token of tokens) {
        const hash = hashToken(token)
        const key = hash.toString('base64')
        const hit = recall(key)
        if (hit) answers.set(token, hit)
        else unknown.set(key, { token, hash })
      }
      const hashes = [...unknown.values()].map(({ hash }) => hash)
      for (let i = 0; i < hashes.length; i += AT_ONCE) {
        const asked = generation
        const some = hashes.slice(i, i + AT_ONCE)
        const rows = await db.tx(SYSTEM, (tx) => accessOfAll(tx, some), { readOnly: true })
        const byKey = new Map(rows.map((row) => [row.token_hash.toString('base64'), row]))
        for (const key of some.map((hash) => hash.toString('base64'))) {
          const found = foundAt(now(), byKey.get(key))
          keep(key, found, asked)
          answers.set(unknown.get(key)!.token, found)
        }
      }
      return answers
    },
    forget,
    hear(on: boolean) {
      hearing = on
      forget()
    },
  }
}
export type AccessBook = ReturnType<typeof accessBook>
