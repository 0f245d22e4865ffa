import { caseState } from '@zhuguan/contract/features/cases/cases.record.ts'
import { linkKind, linkState, SHARED_KINDS } from '@zhuguan/contract/features/links/links.record.ts'
import type { sharesApi } from '@zhuguan/contract/features/shares/shares.api.ts'
import {
  type ShareOpening,
  type ShareRow,
  shareSection,
} from '@zhuguan/contract/features/shares/shares.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int4, row, text, texts, timestamptz, uuid } from '../../kit/row.ts'
import { scopedStores, whole } from '../../kit/scoped.ts'
import { contains, dayBegins, epoch, type PageOf, type Where } from '../../kit/statement.ts'
import { isLinked } from '../cases/cases.reads.ts'
import { LAST_SEEN, OF_NO_WALL, SPENT } from '../links/links.reads.ts'
import { isShownVersion } from '../quotations/quotations.reads.ts'
import { isOut } from './previews.queries.ts'

const KINDS = SHARED_KINDS.map((kind) => `'${kind}'`).join(', ')
/** What it leads to is shown no more, whatever the link itself allows. */
const OVER = `CASE l.kind WHEN 'share' THEN NOT ${isLinked('l.target_id')}
         WHEN 'quotation' THEN NOT ${isShownVersion('l.target_id')} ELSE NOT ${isOut('l.target_id')} END`
const STATE = `CASE WHEN l.revoked_at IS NOT NULL THEN 'revoked' WHEN l.expires_at <= :now THEN 'expired'
         WHEN ${OF_NO_WALL} THEN 'revoked' WHEN ${OVER} THEN 'over' WHEN ${SPENT} THEN 'used' ELSE 'live' END`
/** A browser that keeps nothing is no device: what two visits are, nobody can say. */
const OTHER = `(SELECT count(DISTINCT p.device) > 1 FROM link_openings p
         WHERE p.tenant_id = $1 AND p.link_id = l.id AND p.shown_at IS NOT NULL AND p.device NOT LIKE 'visit-%')`
/** Whoever has it has done nothing with the customer since they opened it. */
const UNFOLLOWED = `(l.customer_id IS NOT NULL AND l.openings > 0 AND NOT EXISTS (
         SELECT FROM follow_ups f
         WHERE f.tenant_id = $1 AND f.customer_id = l.customer_id AND f.state = 'done'
           AND f.at >= (SELECT min(p.shown_at) FROM link_openings p
             WHERE p.tenant_id = $1 AND p.link_id = l.id AND p.shown_at IS NOT NULL)))`

const COLUMNS = `l.id, l.kind, l.title, l.bc_id, c.bc_name, coalesce(s.name, '') AS "storeName", l.customer_id,
       coalesce(k.name, l.person) AS "customerName", l.made_by AS maker_id, l.made_name AS "makerName",
       ${epoch('l.made_at')} AS "madeAt", ${epoch('l.expires_at')} AS "expiresAt", l.openings, l.told, l.most,
       ${epoch(LAST_SEEN)} AS "lastOpenedAt", ${OTHER} AS "otherDevice", ${UNFOLLOWED} AS unfollowed,
       l.password IS NOT NULL AS "hasPassword", ${STATE} AS state`
const shared = (scope: Scope): Where => scopedStores(scope, 'l').plain(`l.kind IN (${KINDS})`)
/**
 * The customer, where they are in reach too: of one who went elsewhere it is told to whom the link was given. Behind
 * the values that `shared` begins with.
 */
function customerIn(scope: Scope): string {
  const joined = 'LEFT JOIN customers k ON k.tenant_id = $1 AND k.id = l.customer_id'
  if (whole(scope)) return joined
  if (scope.stores?.length) return `${joined} AND (k.bc_id = ANY($2::uuid[]) OR k.store_id = ANY($3::uuid[]))`
  // A list of one is no list there (`Where.add`).
  return `${joined} AND k.bc_id = ${scope.bcs?.length === 1 ? '$2::uuid' : 'ANY($2::uuid[])'}`
}
const joins = (scope: Scope): string =>
  `JOIN companies c ON c.tenant_id = $1 AND c.bc_id = l.bc_id
     LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = l.store_id
     ${customerIn(scope)}`

/**
 * What was sent inside the reach. A case may be of any branch and still be shown: the transaction reaches the whole
 * group (`wholeGroup`), and the caller's reach stands in the statement.
 */
export function sharePage(scope: Scope, q: QueryOf<(typeof sharesApi)['list']>): PageOf {
  return {
    name: 'shares.page',
    alias: 'l',
    base: `links l ${customerIn(scope)}`,
    columns: COLUMNS,
    joins: joins(scope),
    where: shared(scope)
      .when(
        q.keyword || undefined,
        (p) => `(l.title ILIKE ${p} OR coalesce(k.name, l.person) ILIKE ${p})`,
        contains,
      )
      .when(q.kind, (p) => `l.kind = ANY(${p}::text[])`)
      .when(q.maker_id, (p) => `l.made_by = ${p}::uuid`)
      .when(q.state, (p) => `${STATE} = ANY(${p}::text[])`)
      .when(q.bc_id, (p) => `l.bc_id = ANY(${p}::uuid[])`)
      .when(q.customer_id, (p) => `l.customer_id = ${p}::uuid`)
      .when(q.screen_id, (p) => `l.screen_id = ${p}::uuid`)
      .when(q.from, (p) => `l.made_at >= ${dayBegins(p)}`)
      .when(q.to, (p) => `l.made_at < ${dayBegins(p)} + interval '1 day'`)
      .when(q.unfollowed, (p) => `${UNFOLLOWED} = ${p}::boolean`)
      .when(q.id, (p) => `l.id = ${p}::uuid`),
    sort: q.sort,
    otherwise: 'l.made_at DESC',
    tie: 'l.id ASC',
    sortable: { madeAt: 'l.made_at', expiresAt: 'l.expires_at', openings: 'l.openings' },
    filled: ['madeAt', 'expiresAt', 'openings'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const shareRow = row<ShareRow>({
  id: uuid,
  kind: text.of(linkKind),
  title: text,
  bc_id: uuid,
  bc_name: text,
  storeName: text,
  customer_id: uuid.null,
  customerName: text,
  maker_id: uuid.null,
  makerName: text,
  madeAt: float8,
  expiresAt: float8,
  openings: int4,
  told: int4,
  most: int4.null,
  lastOpenedAt: float8.null,
  otherDevice: bool,
  unfollowed: bool,
  hasPassword: bool,
  state: text.of(linkState),
})
/** One that was sent, where it is inside the reach; `tx` reaches the whole group. */
export async function shareOf(tx: Tx, scope: Scope, id: string): Promise<ShareRow | undefined> {
  const where = shared(scope).add((p) => `l.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'shares.one',
    shareRow,
    `SELECT ${COLUMNS} FROM links l ${joins(scope)} WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

const MOST_OPENINGS = 200
/** When it was opened and what was looked at, the newest first. */
export async function openingsOf(tx: Tx, tenant: string, id: string): Promise<ShareOpening[]> {
  const { rows } = await tx.query(
    'shares.openings',
    row<ShareOpening>({
      id: uuid,
      at: float8,
      seconds: int4,
      looked: texts.of(shareSection),
      device: int4.null,
    }),
    `SELECT p.id, ${epoch('p.shown_at')} AS at, p.seconds, p.looked, d.place AS device
     FROM link_openings p
     LEFT JOIN (
       SELECT f.device, row_number() OVER (ORDER BY min(f.shown_at))::int AS place
       FROM link_openings f
       WHERE f.tenant_id = $1 AND f.link_id = $2 AND f.shown_at IS NOT NULL AND f.device NOT LIKE 'visit-%'
       GROUP BY f.device) d ON d.device = p.device
     WHERE p.tenant_id = $1 AND p.link_id = $2 AND p.shown_at IS NOT NULL
     ORDER BY p.shown_at DESC, p.id
     LIMIT ${MOST_OPENINGS}`,
    [tenant, id],
  )
  return rows
}

/** The facts around what a link shows: who made it, for whom, until when. */
export async function frameOf(tx: Tx, tenant: string, id: string) {
  const { rows } = await tx.query(
    'shares.frame',
    row({
      kind: text.of(linkKind),
      title: text,
      person: text,
      maker: text,
      /** As an outsider reads it: of a wall its store, whatever staff call the screen. */
      shownMaker: text,
      maker_id: uuid.null,
      store_id: uuid.null,
      customer_id: uuid.null,
      expiresAt: float8,
    }),
    `SELECT l.kind, l.title, coalesce(k.name, l.person) AS person, l.made_name AS maker, l.made_by AS maker_id,
       CASE WHEN l.screen_id IS NULL THEN l.made_name ELSE coalesce(t.name, '') END AS "shownMaker",
       l.store_id,
       l.customer_id, ${epoch('l.expires_at')} AS "expiresAt"
     FROM links l
     LEFT JOIN customers k ON k.tenant_id = $1 AND k.id = l.customer_id
     LEFT JOIN stores t ON t.tenant_id = $1 AND t.id = l.store_id
     WHERE l.tenant_id = $1 AND l.id = $2`,
    [tenant, id],
  )
  return rows[0]!
}

/** When the consent to the case `k` ends: with the last second of its last day. */
export const CONSENT_ENDS = `((k.until + 1)::timestamp AT TIME ZONE 'Asia/Shanghai' - interval '1 second')`
/** Cases to which a link says and lives longer than their consent, and until when it may: they were asked for anew. */
export async function outlivedShares(tx: Tx, tenant: string) {
  const { rows } = await tx.query(
    'shares.outlived',
    row({ id: uuid, end: timestamptz }),
    `SELECT DISTINCT k.id, ${CONSENT_ENDS} AS end
     FROM links l
     JOIN cases k ON k.tenant_id = $1 AND k.id = l.target_id
     WHERE l.tenant_id = $1 AND l.kind = 'share' AND l.revoked_at IS NULL AND l.expires_at > :now
       AND l.expires_at > ${CONSENT_ENDS}
     LIMIT 200`,
    [tenant],
  )
  return rows
}

/** Links to cases that can still be opened and whose home took the case back, or whose time is over. */
export async function fallenShares(tx: Tx, tenant: string) {
  const { rows } = await tx.query(
    'shares.fallen',
    row({ id: uuid, bc_id: uuid, title: text, person: text, maker_id: uuid.null }),
    `SELECT l.id, l.bc_id, l.title, coalesce(c.name, l.person) AS person, l.made_by AS maker_id
     FROM links l
     JOIN cases k ON k.tenant_id = $1 AND k.id = l.target_id
       AND k.state NOT IN ('${caseState.code.consented}', '${caseState.code.published}')
     LEFT JOIN customers c ON c.tenant_id = $1 AND c.id = l.customer_id
     WHERE l.tenant_id = $1 AND l.kind = 'share' AND l.revoked_at IS NULL AND l.expires_at > :now
     ORDER BY l.made_at
     LIMIT 200`,
    [tenant],
  )
  return rows
}
