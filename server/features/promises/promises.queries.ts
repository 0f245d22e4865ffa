import type { promisesApi } from '@zhuguan/contract/features/promises/promises.api.ts'
import {
  type Contradiction,
  promiseAct,
  type PromiseRate,
  type PromiseRow,
  promiseSource,
  promiseState,
  promiseSubject,
} from '@zhuguan/contract/features/promises/promises.record.ts'
import { siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { carriedPictures } from '../../kit/carried-pictures.ts'
import { ownerThen } from '../../kit/home-time.ts'
import { bool, float8, int2, int4, row, type RowOf, text, texts, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { contains, epoch, type PageOf, TODAY, type Where } from '../../kit/statement.ts'
import { restDaySql } from '../settings/settings.reads.ts'
import { dayOf, ENDS, isKeptBy, isOver, lastAct, type PromiseDay, whoseAt } from './kept-promises.reads.ts'
import { dismissed } from './objected.reads.ts'
import { OPEN } from './open-promises.reads.ts'

const { broken, kept } = promiseState.code
const KEPT_AT = `CASE WHEN p.state = '${kept}' THEN ${lastAct('keep')} END`

const UPHELD = `(p.state = '${broken}' AND EXISTS (SELECT FROM promise_events e
     WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'uphold'))`
/** What is open is promised to whose the home is now; what is over, to whose it was then. */
const OVER_AT = `CASE WHEN ${OPEN} THEN 'infinity' ELSE (SELECT max(e.at) FROM promise_events e
     WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act IN ('keep', 'break', 'withdraw')) END`

const COLUMNS = `p.id, p.content, p.subject, p.source, p.site_id, w.ws_name AS "siteName",
     coalesce(o.name, '') AS "ownerName", p.bc_id, c.bc_name, p.author_id, a.nickname AS "authorName",
     ${epoch('p.made_at')} AS "madeAt", p.post, p.responsible_id, coalesce(r.nickname, '') AS "responsibleName",
     p.first_due::text AS "firstDue", p.due::text AS due, p.state,
     (SELECT count(*)::int FROM promise_events e
      WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'extend') AS extensions,
     ${epoch(KEPT_AT)} AS "keptAt", p.objected, ${UPHELD} AS upheld,
     p.state = '${kept}' AND ${dismissed('p.id')} AS judged,
     nullif(greatest(CASE WHEN ${OPEN} THEN ${TODAY} ELSE ${dayOf(KEPT_AT)} END - p.due, 0), 0) AS "lateDays",
     p.version`
const JOINS = `JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id
   JOIN users a ON a.tenant_id = $1 AND a.id = p.author_id
   ${ownerThen('p.site_id', OVER_AT)}
   LEFT JOIN users r ON r.tenant_id = $1 AND r.id = p.responsible_id`

type Narrowing = Pick<QueryOf<(typeof promisesApi)['list']>, 'author_id' | 'bc_id' | 'site_id' | 'subject'>
const narrowed = (scope: Scope, q: Narrowing): Where =>
  scoped(scope, 'p')
    .when(q.subject, (v) => `p.subject = ANY(${v}::text[])`)
    .when(q.author_id, (v) => `p.author_id = ${v}::uuid`)
    .when(q.bc_id, (v) => `p.bc_id = ANY(${v}::uuid[])`)
    .when(q.site_id, (v) => `p.site_id = ${v}::uuid`)

export function promisePage(scope: Scope, q: QueryOf<(typeof promisesApi)['list']>): PageOf {
  return {
    name: 'promises.page',
    columns: COLUMNS,
    base: 'promises p',
    joins: JOINS,
    where: narrowed(scope, q)
      .when(q.id, (v) => `p.id = ${v}::uuid`)
      .when(q.keyword && contains(q.keyword), (v) => `p.content ILIKE ${v}`)
      .when(q.state, (v) => `p.state = ANY(${v}::text[])`)
      .when(q.responsible_id, (v) => `p.responsible_id = ${v}::uuid`)
      .when(q.from, (v) => `p.due >= ${v}::date`)
      .when(q.to, (v) => `p.due <= ${v}::date`)
      .when(q.objected, (v) => `(p.objected OR ${UPHELD}) = ${v}::boolean`),
    sort: q.sort,
    otherwise: 'p.place',
    tie: 'p.id',
    sortable: { madeAt: 'p.made_at', due: 'p.due', state: 'p.state' },
    filled: ['madeAt', 'due', 'state'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const promiseRow = row<PromiseRow>({
  id: uuid,
  content: text,
  subject: text.of(promiseSubject),
  source: text.of(promiseSource),
  site_id: uuid,
  siteName: text,
  ownerName: text,
  bc_id: uuid,
  bc_name: text,
  author_id: uuid,
  authorName: text,
  madeAt: float8,
  post: int2.of(principalPost),
  responsible_id: uuid.null,
  responsibleName: text,
  firstDue: text,
  due: text,
  state: text.of(promiseState),
  extensions: int4,
  keptAt: float8.null,
  objected: bool,
  upheld: bool,
  judged: bool,
  lateDays: int4.null,
  version: int4,
})
const lockedPromise = row({ ...promiseRow, changedBy: text, changedAt: float8 })
export type LockedPromise = RowOf<typeof lockedPromise>
const LOCKED = `${COLUMNS}, p.changed_by AS "changedBy", ${epoch('p.changed_at')} AS "changedAt"`

/** One promise inside the scope, its row locked until the transaction ends. */
export async function lockPromise(tx: Tx, scope: Scope, id: string): Promise<LockedPromise | undefined> {
  const where = scoped(scope, 'p').add((v) => `p.id = ${v}::uuid`, id)
  const { rows } = await tx.query(
    'promises.lock',
    lockedPromise,
    `SELECT ${LOCKED} FROM promises p ${JOINS} WHERE ${where.text} FOR UPDATE OF p`,
    where.values,
  )
  return rows[0]
}
/** What is open: of one site, or of one person, wherever it is in the scope. `hold`: until the transaction ends. */
export async function lockOpen(
  tx: Tx,
  scope: Scope,
  of: { site: string } | { responsible: string },
  hold = true,
): Promise<LockedPromise[]> {
  const where = scoped(scope, 'p').plain(OPEN)
  if ('site' in of) where.add((v) => `p.site_id = ${v}::uuid`, of.site)
  else where.add((v) => `p.responsible_id = ${v}::uuid`, of.responsible)
  const how = hold ? 'lock' : 'read'
  const { rows } = await tx.query(
    `promises.${how}open`,
    lockedPromise,
    `SELECT ${LOCKED}
     FROM promises p ${JOINS}
     WHERE ${where.text}
     ORDER BY p.due, p.id
     ${hold ? 'FOR UPDATE OF p' : ''}`,
    where.values,
  )
  return rows
}

export async function promiseDetails(tx: Tx, scope: Scope, id: string) {
  const where = scoped(scope, 'p').add((v) => `p.id = ${v}::uuid`, id)
  const { rows } = await tx.query(
    'promises.one',
    row({ ...promiseRow, pictures: texts }),
    `SELECT ${COLUMNS}, ${carriedPictures('promise', 'p.id')} AS pictures FROM promises p ${JOINS} WHERE ${where.text}`,
    where.values,
  )
  const promise = rows[0]
  if (!promise) return undefined
  const log = await tx.query(
    'promises.events',
    row({
      at: float8,
      actor: text,
      act: text.of(promiseAct),
      text,
      fromDue: text.null,
      toDue: text.null,
      pictures: texts,
      feedback_id: uuid.null,
    }),
    `SELECT ${epoch('e.at')} AS at, e.actor, e.act, e.text, e.from_due::text AS "fromDue", e.to_due::text AS "toDue",
       e.pictures, e.feedback_id
     FROM promise_events e
     WHERE e.tenant_id = $1 AND e.promise_id = $2
     ORDER BY e.at, e.id`,
    [scope.tenant, id],
  )
  return { ...promise, log: log.rows }
}

/** The site of a new promise, if the caller sees it; `hold`: whoever promises there at the same time waits. */
export async function placeOf(tx: Tx, scope: Scope, site: string, hold: boolean) {
  const where = scoped(scope, 'w', { site: 'id' })
    .add((v) => `w.id = ${v}::uuid`, site)
    .plain('w.deleted_at IS NULL')
  const how = hold ? 'hold' : 'read'
  const { rows } = await tx.query(
    `promises.${how}site`,
    row({
      id: uuid,
      bc_id: uuid,
      ws_name: text,
      status: int2.of(siteStatus),
      manager_id: uuid.null,
      steward_id: uuid.null,
    }),
    `SELECT w.id, w.bc_id, w.ws_name, w.status, w.manager_id, w.steward_id
     FROM sites w
     WHERE ${where.text}${hold ? ' FOR NO KEY UPDATE OF w' : ''}`,
    where.values,
  )
  return rows[0]
}

interface Planned {
  site: string
  subject: string
  due: string
}
/** Open promises of the same home and subject with another date. */
export async function contradicting(tx: Tx, tenant: string, q: Planned): Promise<Contradiction[]> {
  const { rows } = await tx.query(
    'promises.contradicting',
    row<Contradiction>({ id: uuid, content: text, due: text, authorName: text, madeAt: float8 }),
    `SELECT p.id, p.content, p.due::text AS due, a.nickname AS "authorName", ${epoch('p.made_at')} AS "madeAt"
     FROM promises p
     JOIN users a ON a.tenant_id = $1 AND a.id = p.author_id
     WHERE p.tenant_id = $1 AND p.site_id = $2 AND ${OPEN} AND p.subject = $3 AND p.due <> $4::date
     ORDER BY p.due, p.id`,
    [tenant, q.site, q.subject, q.due],
  )
  return rows
}
/** Whether nobody works there that day, and which stage the plan still has under way then. */
export async function dayAt(tx: Tx, tenant: string, q: { site: string; due: string }) {
  const { rows } = await tx.query(
    'promises.day',
    row({ rest: bool, stage: text.of(siteStage).null, until: text.null }),
    `SELECT ${restDaySql('$1', 'w.bc_id', '$3::date')} AS rest, s.stage, s.until
     FROM sites w
     LEFT JOIN LATERAL (
       SELECT g.stage, g.planned_finish::text AS until
       FROM site_stages g
       WHERE g.tenant_id = $1 AND g.site_id = w.id AND g.actual_finish IS NULL
         AND g.planned_start <= $3::date AND g.planned_finish > $3::date
       ORDER BY g.sort
       LIMIT 1) s ON true
     WHERE w.tenant_id = $1 AND w.id = $2`,
    [tenant, q.site, q.due],
  )
  return rows[0]
}

const rated = row({ firstKept: int4, firstAll: int4, presentKept: int4, presentAll: int4 })
/**
 * Of promises whose day is over, by the day first named and by the one that stands now. What was taken back before its
 * day is in neither, after it it was not kept.
 */
export async function ratesOf(
  tx: Tx,
  scope: Scope,
  q: QueryOf<(typeof promisesApi)['rates']>,
): Promise<{ first: PromiseRate; present: PromiseRate }> {
  const where = narrowed(scope, q)
  const person = q.responsible_id && `$${where.values.push(q.responsible_id)}::uuid`
  const from = q.from && `$${where.values.push(q.from)}::date`
  const to = q.to && `$${where.values.push(q.to)}::date`
  const over = (day: PromiseDay) =>
    [
      isOver(day),
      from && `${day} >= ${from}`,
      to && `${day} <= ${to}`,
      person && `${whoseAt(day)} = ${person}`,
    ]
      .filter(Boolean)
      .join(' AND ')
  const count = (day: PromiseDay, more = '') => `count(*) FILTER (WHERE ${over(day)}${more})::int`
  const inTime = (day: PromiseDay) => ` AND ${isKeptBy(day)}`
  const { rows } = await tx.query(
    'promises.rates',
    rated,
    `SELECT ${count('p.first_due', inTime('p.first_due'))} AS "firstKept",
       ${count('p.first_due')} AS "firstAll",
       ${count('p.due', inTime('p.due'))} AS "presentKept",
       ${count('p.due')} AS "presentAll"
     FROM promises p
     ${ENDS}
     WHERE ${where.text}`,
    where.values,
  )
  const r = rows[0]!
  return {
    first: { kept: r.firstKept, n: r.firstAll },
    present: { kept: r.presentKept, n: r.presentAll },
  }
}
