import { type LinkKindName, linkKind, linkState } from '@zhuguan/contract/features/links/links.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { LOCKS } from '../../database/locks.ts'
import { networkOf } from '../../kit/network.ts'
import { bool, bytea, float8, int4, row, type RowOf, text, there, timestamptz, uuid } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import { epoch } from '../../kit/statement.ts'

/** One device in thirty minutes is one opening; who goes on working stays in theirs. */
const OPENING = `interval '30 minutes'`
const current = (device: string) =>
  `EXISTS (SELECT 1 FROM link_openings p WHERE p.tenant_id = $1 AND p.link_id = l.id AND p.device = ${device}
       AND p.last_at > :now - ${OPENING})`

/** It has told as often as it may; whether somebody looked at what it told is another question. */
export const SPENT = 'l.told >= l.most'
/** The wall that shows the code of the link `l` was taken back, and its code with it; the tenant is $1. */
export const OF_NO_WALL = `(l.screen_id IS NOT NULL AND EXISTS (SELECT FROM screens s
         WHERE s.tenant_id = $1 AND s.id = l.screen_id AND s.revoked_at IS NOT NULL))`
/** When the link `l` was last in somebody's sight; the tenant is $1. */
export const LAST_SEEN = `(SELECT max(p.last_at) FROM link_openings p
         WHERE p.tenant_id = $1 AND p.link_id = l.id AND p.shown_at IS NOT NULL)`

const kept = row({
  id: uuid,
  bc_id: uuid,
  kind: text.of(linkKind),
  target_id: uuid,
  password: text.null,
  person: text,
  made_name: text,
  expires_at: timestamptz,
  /** Neither taken back nor expired. */
  valid: bool,
  /** When somebody else began to drive: what was done before may still arrive for a day. */
  relievedAt: timestamptz.null,
  full: bool,
  /** This device stands in an opening. */
  inside: bool,
})
export type KeptLink = RowOf<typeof kept>
const KEPT = `l.id, l.bc_id, l.kind, l.target_id, l.password, l.person, l.made_name, l.expires_at,
       l.revoked_at IS NULL AND l.expires_at > :now AND NOT ${OF_NO_WALL} AS valid,
       CASE WHEN l.relieved AND l.expires_at > :now AND l.revoked_at > :now - interval '1 day'
         THEN l.revoked_at END AS "relievedAt", coalesce(${SPENT}, false) AS full,
       ${current('$3')} AS inside`
export async function linkByHash(
  tx: Tx,
  tenant: string,
  hash: Buffer,
  device: string,
): Promise<KeptLink | undefined> {
  const { rows } = await tx.query(
    'links.byhash',
    kept,
    `SELECT ${KEPT} FROM links l WHERE l.tenant_id = $1 AND l.hash = $2`,
    [tenant, hash, device],
  )
  return rows[0]
}
/** The same, held: two devices cannot both be the last that may open it. */
export async function lockLink(
  tx: Tx,
  tenant: string,
  id: string,
  device: string,
): Promise<KeptLink | undefined> {
  const { rows } = await tx.query(
    'links.lock',
    kept,
    `SELECT ${KEPT} FROM links l WHERE l.tenant_id = $1 AND l.id = $2 FOR UPDATE OF l`,
    [tenant, id, device],
  )
  return rows[0]
}
/** How many links lead to it and still open, one after the other with whoever makes another. */
export async function countAlive(
  tx: Tx,
  tenant: string,
  kind: LinkKindName,
  target: string,
): Promise<number> {
  tx.send('links.turn', 'SELECT pg_advisory_xact_lock($1::int, hashtext($2))', [LOCKS.links, target])
  const { rows } = await tx.query(
    'links.alive',
    row({ n: int4 }),
    `SELECT count(*)::int AS n FROM links l
     WHERE l.tenant_id = $1 AND l.kind = $2 AND l.target_id = $3 AND l.expires_at > :now AND l.revoked_at IS NULL`,
    [tenant, kind, target],
  )
  return rows[0]!.n
}
export const addLink = (
  tx: Tx,
  l: {
    tenant: string
    id: string
    bc: string
    kind: LinkKindName
    target: string
    hash: Buffer
    expiresAt: Date
    most: number | null
    password: string | null
    person: string
    generation: number | null
    store: string | null
    customer: string | null
    title: string
    by: { id: string; nickname: string }
  },
) =>
  tx.run(
    'links.add',
    `INSERT INTO links (tenant_id, id, bc_id, kind, target_id, hash, expires_at, most, password, person, made_by,
       made_name, made_at, generation, store_id, customer_id, title)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, :now, $13, $14, $15, $16)`,
    [
      l.tenant,
      l.id,
      l.bc,
      l.kind,
      l.target,
      l.hash,
      l.expiresAt,
      l.most,
      l.password,
      l.person,
      l.by.id,
      l.by.nickname,
      l.generation,
      l.store,
      l.customer,
      l.title,
    ],
  )
export const revokeLink = (tx: Tx, tenant: string, ...ids: readonly string[]) =>
  tx.run(
    'links.revoke',
    'UPDATE links l SET revoked_at = :now WHERE l.tenant_id = $1 AND l.id = ANY ($2::uuid[])',
    [tenant, ids],
  )
/** Of several targets at once: their branch, the latest moment at which they end, or their end now. */
export const moveAll = (tx: Tx, tenant: string, kind: LinkKindName, targets: readonly string[], bc: string) =>
  tx.run(
    'links.moveall',
    'UPDATE links l SET bc_id = $4 WHERE l.tenant_id = $1 AND l.kind = $2 AND l.target_id = ANY ($3::uuid[])',
    [tenant, kind, targets, bc],
  )
export const shortenAll = (
  tx: Tx,
  tenant: string,
  kind: LinkKindName,
  targets: readonly string[],
  until: Date,
) =>
  tx.run(
    'links.shortenall',
    `UPDATE links l SET expires_at = least(l.expires_at, $4)
     WHERE l.tenant_id = $1 AND l.kind = $2 AND l.target_id = ANY ($3::uuid[]) AND l.revoked_at IS NULL`,
    [tenant, kind, targets, until],
  )
export const revokeAll = (tx: Tx, tenant: string, kind: LinkKindName, targets: readonly string[]) =>
  tx.run(
    'links.revokeall',
    `UPDATE links l SET revoked_at = :now
     WHERE l.tenant_id = $1 AND l.kind = $2 AND l.target_id = ANY ($3::uuid[]) AND l.revoked_at IS NULL`,
    [tenant, kind, targets],
  )
/** All that are left of a target: who had them is not the one who needs them any more. */
export const relieve = async (
  tx: Tx,
  tenant: string,
  { kind, target }: { kind: LinkKindName; target: string },
): Promise<number> =>
  (
    await tx.run(
      'links.relieve',
      `UPDATE links l SET revoked_at = :now, relieved = true
       WHERE l.tenant_id = $1 AND l.kind = $2 AND l.target_id = $3 AND l.revoked_at IS NULL AND l.expires_at > :now`,
      [tenant, kind, target],
    )
  ).rowCount ?? 0

const listed = row({
  id: uuid,
  kind: text.of(linkKind),
  state: text.of(linkState),
  person: text,
  openings: int4,
  most: int4.null,
  hasPassword: bool,
  lastOpenedAt: float8.null,
  expiresAt: float8,
  madeBy: text,
  madeAt: float8,
})
/** `ids`: only of these, where not all that lead to the target are in reach. */
export const linksOf = async (
  tx: Tx,
  tenant: string,
  { ids, kind, target }: { ids?: readonly string[]; kind: LinkKindName; target: string },
) =>
  (
    await tx.query(
      'links.of',
      listed,
      `SELECT l.id, l.kind, CASE WHEN l.revoked_at IS NOT NULL THEN 'revoked' WHEN l.expires_at <= :now THEN 'expired'
           WHEN ${SPENT} THEN 'used' ELSE 'live' END AS state,
         l.person, l.openings, l.most, l.password IS NOT NULL AS "hasPassword",
         ${epoch(LAST_SEEN)} AS "lastOpenedAt",
         ${epoch('l.expires_at')} AS "expiresAt", l.made_name AS "madeBy", ${epoch('l.made_at')} AS "madeAt"
       FROM links l
       WHERE l.tenant_id = $1 AND l.kind = $2 AND l.target_id = $3 AND ($4::uuid[] IS NULL OR l.id = ANY ($4::uuid[]))
       ORDER BY l.made_at DESC, l.id DESC
       LIMIT 50`,
      [tenant, kind, target, ids ?? null],
    )
  ).rows

/** Links to one thing of any branch that somebody may see: those of the branches and stores in reach. */
export async function linksInReach(
  tx: Tx,
  scope: Scope,
  kind: LinkKindName,
  target: string,
): Promise<string[]> {
  const where = scopedStores(scope, 'l')
    .add((p) => `l.kind = ${p}`, kind)
    .add((p) => `l.target_id = ${p}::uuid`, target)
  const columns = row({ id: uuid })
  const { rows } = await tx.query(
    'links.inreach',
    columns,
    `SELECT l.id FROM links l WHERE ${where.text}`,
    where.values,
  )
  return rows.map((r) => r.id)
}
/** Which target a link has and where it is, before it is known whether the caller may reach it. */
export async function targetOf(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'links.target',
    row({
      kind: text.of(linkKind),
      target_id: uuid,
      bc_id: uuid,
      store_id: uuid.null,
      customer_id: uuid.null,
      live: bool,
    }),
    `SELECT l.kind, l.target_id, l.bc_id, l.store_id, l.customer_id, l.revoked_at IS NULL AS live FROM links l
     WHERE l.tenant_id = $1 AND l.id = $2`,
    [tenant, id],
  )
  return rows[0]
}
/** What its secret is formed from, held until the transaction ends; nothing where it was told once. */
export async function lockSecret(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'links.secret',
    row({
      generation: int4.null,
      hash: bytea,
      live: bool,
      person: text,
      title: text,
      expiresAt: float8,
      password: bool,
    }),
    `SELECT l.generation, l.hash, l.revoked_at IS NULL AND l.expires_at > :now AS live, l.person, l.title,
       ${epoch('l.expires_at')} AS "expiresAt", l.password IS NOT NULL AS password
     FROM links l
     WHERE l.tenant_id = $1 AND l.id = $2 FOR UPDATE OF l`,
    [tenant, id],
  )
  return rows[0]
}
export const renewSecret = (tx: Tx, tenant: string, id: string, to: { generation: number; hash: Buffer }) =>
  tx.run(
    'links.renew',
    'UPDATE links l SET generation = $3, hash = $4 WHERE l.tenant_id = $1 AND l.id = $2',
    [tenant, id, to.generation, to.hash],
  )
/** A customer is another one: what was sent goes along. */
export const linksToCustomer = (tx: Tx, tenant: string, from: string, into: string) =>
  tx.run(
    'links.tocustomer',
    'UPDATE links l SET customer_id = $3 WHERE l.tenant_id = $1 AND l.customer_id = $2',
    [tenant, from, into],
  )
/** How much longer the page was in sight, and what of it. @returns how it stands now; nothing where nobody counts it */
export async function noteLook(
  tx: Tx,
  o: { tenant: string; link: string; device: string; seconds: number; looked: readonly string[] },
): Promise<{ seconds: number; news: boolean } | undefined> {
  const { rows } = await tx.query(
    'links.noted',
    row({ seconds: int4, news: bool }),
    `WITH o AS (
       SELECT p.id, p.looked FROM link_openings p
       WHERE p.tenant_id = $1 AND p.link_id = $2 AND p.device = $3 AND p.last_at > :now - ${OPENING}
       ORDER BY p.last_at DESC LIMIT 1)
     UPDATE link_openings p
     SET seconds = least(p.seconds + $4::int, ceil(extract(epoch FROM :now - p.at))::int + $4::int),
       looked = ARRAY(SELECT DISTINCT x FROM unnest(p.looked || $5::text[]) x ORDER BY x), last_at = :now
     FROM o
     WHERE p.tenant_id = $1 AND p.id = o.id
     RETURNING p.seconds, NOT o.looked @> $5::text[] AS news`,
    [o.tenant, o.link, o.device, o.seconds, o.looked],
  )
  return rows[0]
}
/** The device goes on in its opening. @returns whether that was in sight already; nothing where it stands in none */
export async function goOn(
  tx: Tx,
  tenant: string,
  link: string,
  device: string,
): Promise<{ shown: boolean } | undefined> {
  const { rows } = await tx.query(
    'links.goon',
    row({ shown: bool }),
    `UPDATE link_openings p SET last_at = :now
     WHERE p.tenant_id = $1 AND p.link_id = $2 AND p.device = $3 AND p.last_at > :now - ${OPENING}
     RETURNING p.shown_at IS NOT NULL AS shown`,
    [tenant, link, device],
  )
  return rows[0]
}
/** Its page is in sight: from now on the opening counts. @returns how many do; nothing where it did before */
export async function showOpening(
  tx: Tx,
  tenant: string,
  link: string,
  device: string,
): Promise<number | undefined> {
  const { rows } = await tx.query(
    'links.shown',
    row({ openings: int4 }),
    `WITH o AS (
       UPDATE link_openings p SET shown_at = :now
       WHERE p.tenant_id = $1 AND p.link_id = $2 AND p.device = $3 AND p.shown_at IS NULL
         AND p.last_at > :now - ${OPENING}
       RETURNING p.link_id)
     UPDATE links l SET openings = l.openings + 1
     FROM o
     WHERE l.tenant_id = $1 AND l.id = o.link_id
     RETURNING l.openings`,
    [tenant, link, device],
  )
  return rows[0]?.openings
}
/**
 * By what the link was opened before, with its password where it has one: by this device, or from this address or one
 * beside it.
 */
export async function openedBy(
  tx: Tx,
  tenant: string,
  link: string,
  { device, ip }: { device: string; ip: string },
): Promise<string | undefined> {
  const { rows } = await tx.query(
    'links.openedby',
    row({ ip: text, mine: bool }),
    `SELECT p.ip, bool_or(p.device = $3) AS mine FROM link_openings p
     WHERE p.tenant_id = $1 AND p.link_id = $2 GROUP BY p.ip`,
    [tenant, link, device],
  )
  if (rows.some((r) => r.mine)) return `device ${device}`
  return rows.some((r) => networkOf(r.ip) === networkOf(ip)) ? networkOf(ip) : undefined
}
/** The person who made it; nobody, where a wall shows its code. */
export async function makerOf(tx: Tx, tenant: string, link: string) {
  const { rows } = await tx.query(
    'links.maker',
    row({ made_by: uuid.null }),
    'SELECT l.made_by FROM links l WHERE l.tenant_id = $1 AND l.id = $2',
    [tenant, link],
  )
  return rows[0]?.made_by ?? null
}
export async function addOpening(
  tx: Tx,
  o: { tenant: string; id: string; link: string; device: string; ip: string; agent: string },
): Promise<void> {
  await tx.run(
    'links.opened',
    `INSERT INTO link_openings (tenant_id, id, link_id, device, ip, agent, at, last_at)
     VALUES ($1, $2, $3, $4, $5, $6, :now, :now)`,
    [o.tenant, o.id, o.link, o.device, o.ip, o.agent.slice(0, 200)],
  )
  await tx.run('links.told', 'UPDATE links l SET told = l.told + 1 WHERE l.tenant_id = $1 AND l.id = $2', [
    o.tenant,
    o.link,
  ])
}

/** Claims an act; answers what it was answered with where it was done before. */
export async function claimAct(
  tx: Tx,
  a: { tenant: string; link: string; act: string; target: string },
): Promise<{ target_id: string; answer: string } | undefined> {
  const { rows } = await tx.query(
    'links.act',
    there,
    `INSERT INTO link_acts (tenant_id, link_id, id, target_id, at) VALUES ($1, $2, $3, $4, :now)
     ON CONFLICT DO NOTHING RETURNING 1`,
    [a.tenant, a.link, a.act, a.target],
  )
  if (rows.length) return undefined
  const done = await tx.query(
    'links.acted',
    row({ target_id: uuid, answer: text }),
    `SELECT a.target_id, a.answer FROM link_acts a WHERE a.tenant_id = $1 AND a.link_id = $2 AND a.id = $3`,
    [a.tenant, a.link, a.act],
  )
  return done.rows[0]
}
export const keepAct = (tx: Tx, tenant: string, link: string, act: string, answer: string) =>
  tx.run(
    'links.answered',
    'UPDATE link_acts a SET answer = $4 WHERE a.tenant_id = $1 AND a.link_id = $2 AND a.id = $3',
    [tenant, link, act, answer],
  )
