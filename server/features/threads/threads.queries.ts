import { contactRelation } from '@zhuguan/contract/features/owners/owners.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { threadSide } from '@zhuguan/contract/features/threads/thread-page.record.ts'
import type { threadsApi } from '@zhuguan/contract/features/threads/threads.api.ts'
import { threadKind, threadOutcome } from '@zhuguan/contract/features/threads/threads.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'
import type { Code } from '@zhuguan/contract/kit/codes.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { homeSince } from '../../kit/home-time.ts'
import { keptFrom } from '../../kit/kept-from.ts'
import { bool, float8, int2, int4, row, type RowOf, text, texts, timestamptz, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { contains, epoch, type PageOf } from '../../kit/statement.ts'

const { staff } = threadSide.code
const COLUMNS = `m.id, m.seq, m.kind, m.side, m.channel, m.who,
     CASE WHEN m.side = 'owner' THEN coalesce(u.nickname, '') ELSE '' END AS "enteredBy", m.user_id, m.words,
     m.pictures, ${epoch('m.at')} AS at, ${epoch('m.taken_at')} AS "takenAt", ${epoch('s.at')} AS "seenAt",
     coalesce(s.name, '') AS "seenBy",
     coalesce(m.side = 'owner' AND m.taken_at IS NULL AND m.seq >= t.waiting_from, false) AS waits`
const JOINS = `JOIN threads t ON t.tenant_id = $1 AND t.site_id = m.site_id
   LEFT JOIN users u ON u.tenant_id = $1 AND u.id = m.user_id
   LEFT JOIN LATERAL (
     SELECT r.at, coalesce(h.name, o.name) AS name
     FROM thread_reads r
     JOIN home_contacts h ON h.tenant_id = $1 AND h.id = r.contact_id
     LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
     WHERE r.tenant_id = $1 AND r.site_id = m.site_id AND r.after < m.seq AND m.seq <= r.seq
     ORDER BY r.at, r.contact_id
     LIMIT 1) s ON m.side = '${staff}' AND m.kind <> 'silence' AND m.channel = 'page'`

/** The lines of a home, the newest first. */
export const threadPage = (scope: Scope, q: QueryOf<(typeof threadsApi)['list']>): PageOf => ({
  name: 'threads.page',
  columns: COLUMNS,
  base: 'thread_messages m',
  joins: JOINS,
  where: scoped(scope, 'm')
    .add((p) => `m.site_id = ${p}::uuid`, q.site_id)
    .when(q.keyword && contains(q.keyword), (p) => `m.words ILIKE ${p}`),
  sort: q.sort,
  otherwise: 'm.seq DESC',
  tie: 'm.id DESC',
  sortable: { at: 'm.seq' },
  filled: ['at'],
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})

/** The home of a thread, if the caller sees it; `hold`: whoever speaks there at the same time waits. */
export async function homeOf(tx: Tx, scope: Scope, site: string, hold: boolean) {
  const where = scoped(scope, 'w', { site: 'id' })
    .add((v) => `w.id = ${v}::uuid`, site)
    .plain('w.deleted_at IS NULL')
  const how = hold ? 'hold' : 'read'
  const { rows } = await tx.query(
    `threads.${how}home`,
    row({
      id: uuid,
      bc_id: uuid,
      ws_name: text,
      status: int2.of(siteStatus),
      owner_id: uuid.null,
      manager_id: uuid.null,
      steward_id: uuid.null,
    }),
    `SELECT w.id, w.bc_id, w.ws_name, w.status, w.owner_id, w.manager_id, w.steward_id
     FROM sites w
     WHERE ${where.text}${hold ? ' FOR NO KEY UPDATE OF w' : ''}`,
    where.values,
  )
  return rows[0]
}
export type ThreadHome = NonNullable<Awaited<ReturnType<typeof homeOf>>>

const thread = row({
  newest: int4,
  waiting_since: timestamptz.null,
  waiting_from: int4.null,
  due_at: timestamptz.null,
  late_at: timestamptz.null,
})
export type Thread = RowOf<typeof thread>
/** The state of a thread; of a home in which nobody has spoken yet, nothing. Its home is locked before. */
export async function threadOf(tx: Tx, tenant: string, site: string): Promise<Thread | undefined> {
  const { rows } = await tx.query(
    'threads.one',
    thread,
    `SELECT t.newest, t.waiting_since, t.waiting_from, t.due_at, t.late_at
     FROM threads t
     WHERE t.tenant_id = $1 AND t.site_id = $2`,
    [tenant, site],
  )
  return rows[0]
}
export const keepThread = (
  tx: Tx,
  of: { tenant: string; home: Pick<ThreadHome, 'id' | 'bc_id'>; newest: number },
  waiting: { since: Date; from: number; due: Date; late: Date } | null,
) =>
  tx.run(
    'threads.keep',
    `INSERT INTO threads (tenant_id, site_id, bc_id, newest, waiting_since, waiting_from, due_at, late_at, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, :now)
     ON CONFLICT (tenant_id, site_id) DO UPDATE
     SET newest = $4, waiting_since = $5, waiting_from = $6, due_at = $7, late_at = $8, changed_at = :now`,
    [
      of.tenant,
      of.home.id,
      of.home.bc_id,
      of.newest,
      waiting?.since ?? null,
      waiting?.from ?? null,
      waiting?.due ?? null,
      waiting?.late ?? null,
    ],
  )

export interface NewLine {
  id: string
  seq: number
  kind: 'words' | 'silence' | 'progress'
  side: 'owner' | 'staff'
  channel: 'page' | 'phone' | 'wechat' | 'meet'
  who: string
  contact_id: string | null
  user_id: string | null
  post: string
  words: string
  pictures: readonly string[]
  /** The page's own number of what is sent once. */
  act?: string
}
export const addLine = (tx: Tx, tenant: string, home: Pick<ThreadHome, 'id' | 'bc_id'>, l: NewLine) =>
  tx.run(
    'threads.add',
    `INSERT INTO thread_messages (tenant_id, id, site_id, bc_id, seq, kind, side, channel, who, contact_id, user_id,
       post, words, pictures, act, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, :now)`,
    [
      tenant,
      l.id,
      home.id,
      home.bc_id,
      l.seq,
      l.kind,
      l.side,
      l.channel,
      l.who,
      l.contact_id,
      l.user_id,
      l.post,
      l.words,
      l.pictures,
      l.act ?? null,
    ],
  )

/** The first word of the home that nothing of staff stands after; what is told of a day is no answer. */
export async function unanswered(tx: Tx, tenant: string, site: string) {
  const { rows } = await tx.query(
    'threads.unanswered',
    row({ seq: int4, at: timestamptz }),
    `SELECT m.seq, m.at
     FROM thread_messages m
     WHERE m.tenant_id = $1 AND m.site_id = $2 AND m.side = 'owner' AND m.taken_at IS NULL
       AND m.seq > coalesce((SELECT max(a.seq)
         FROM thread_messages a
         WHERE a.tenant_id = $1 AND a.site_id = $2 AND a.side = '${staff}' AND a.kind <> 'progress'
           AND a.taken_at IS NULL), 0)
     ORDER BY m.seq
     LIMIT 1`,
    [tenant, site],
  )
  return rows[0]
}
/** The newest line after the one that was seen; what was taken back is no word. */
export async function newerThan(tx: Tx, tenant: string, site: string, seen: number) {
  const { rows } = await tx.query(
    'threads.newer',
    row({ who: text, side: text.of(threadSide), kind: text.of(threadKind), words: text, at: timestamptz }),
    `SELECT m.who, m.side, m.kind, m.words, m.at
     FROM thread_messages m
     WHERE m.tenant_id = $1 AND m.site_id = $2 AND m.seq > $3 AND m.taken_at IS NULL
     ORDER BY m.seq DESC
     LIMIT 1`,
    [tenant, site, seen],
  )
  return rows[0]
}

/** When the time of the home's present owner began. */
export async function sinceOf(tx: Tx, tenant: string, site: string): Promise<Date | undefined> {
  const { rows } = await tx.query(
    'threads.since',
    row({ since: timestamptz.null }),
    `SELECT ${homeSince('$2')} AS since`,
    [tenant, site],
  )
  return rows[0]?.since ?? undefined
}

/** The home of a line, and the facts that taking it back asks; in reach. */
export async function lineOf(tx: Tx, scope: Scope, id: string) {
  const where = scoped(scope, 'm').add((p) => `m.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'threads.line',
    row({
      id: uuid,
      site_id: uuid,
      kind: text.of(threadKind),
      side: text.of(threadSide),
      contact_id: uuid.null,
      user_id: uuid.null,
      pictures: texts,
      at: timestamptz,
      isTaken: bool,
    }),
    `SELECT m.id, m.site_id, m.kind, m.side, m.contact_id, m.user_id, m.pictures, m.at,
       m.taken_at IS NOT NULL AS "isTaken"
     FROM thread_messages m
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}
export type Line = NonNullable<Awaited<ReturnType<typeof lineOf>>>
export const eraseLine = (tx: Tx, tenant: string, id: string) =>
  tx.run(
    'threads.erase',
    `UPDATE thread_messages SET words = '', pictures = '{}', taken_at = :now WHERE tenant_id = $1 AND id = $2`,
    [tenant, id],
  )

/** The person who is of this home today, the signatory first. */
export async function contactsOf(tx: Tx, tenant: string, site: string) {
  const { rows } = await tx.query(
    'threads.contacts',
    row({ id: uuid, name: text, relation: text.of(contactRelation) }),
    `SELECT h.id, coalesce(h.name, o.name) AS name, h.relation
     FROM home_contacts h
     LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
     WHERE h.tenant_id = $1 AND h.site_id = $2 AND h.ended_at IS NULL
     ORDER BY h.owner_id IS NULL, h.since, h.id`,
    [tenant, site],
  )
  return rows
}

/** What was made of the messages of a home; a feedback that is kept from the caller is not told of. */
export async function outcomesOf(tx: Tx, scope: Scope, site: string) {
  const where = scoped(scope, 'm')
    .add((p) => `m.site_id = ${p}::uuid`, site)
    .add((p) => `(x.kind <> 'feedback' OR NOT ${keptFrom('x.record_id', p)})`, scope.user)
  const { rows } = await tx.query(
    'threads.outcomes',
    row({ message_id: uuid, kind: text.of(threadOutcome), id: uuid }),
    `SELECT x.message_id, x.kind, x.record_id AS id
     FROM thread_messages m
     JOIN thread_outcomes x ON x.tenant_id = $1 AND x.message_id = m.id
     WHERE ${where.text}
     ORDER BY x.at, x.record_id
     LIMIT 500`,
    where.values,
  )
  return rows
}
/** Whether the record is one of this home that the caller may know of. */
export async function isRecordOf(
  tx: Tx,
  scope: Scope,
  of: { site: string; kind: Code<typeof threadOutcome>; id: string },
): Promise<boolean> {
  const table = { feedback: 'feedback', promise: 'promises', reception: 'receptions', question: 'questions' }[
    of.kind
  ]
  const where = scoped(scope, 'x')
    .add((p) => `x.site_id = ${p}::uuid`, of.site)
    .add((p) => `x.id = ${p}::uuid`, of.id)
  if (of.kind === threadOutcome.code.feedback) where.add((p) => `NOT ${keptFrom('x.id', p)}`, scope.user)
  const { rows } = await tx.query(
    `threads.of${of.kind}`,
    row({ id: uuid }),
    `SELECT x.id FROM ${table} x WHERE ${where.text}`,
    where.values,
  )
  return rows.length > 0
}
export const addOutcome = (
  tx: Tx,
  tenant: string,
  o: { message: string; kind: string; record: string; by: string; pictures: readonly string[] },
) =>
  tx.run(
    'threads.outcome',
    `INSERT INTO thread_outcomes (tenant_id, message_id, kind, record_id, made_by, pictures, at)
     VALUES ($1, $2, $3, $4, $5, $6, :now)
     ON CONFLICT DO NOTHING`,
    [tenant, o.message, o.kind, o.record, o.by, o.pictures],
  )
/** Pictures of a line that nothing else was made of: they leave with it. */
export async function picturesOfNothingElse(tx: Tx, tenant: string, line: Line): Promise<string[]> {
  const { rows } = await tx.query(
    'threads.carried',
    row({ key: text }),
    `SELECT unnest(x.pictures) AS key FROM thread_outcomes x WHERE x.tenant_id = $1 AND x.message_id = $2`,
    [tenant, line.id],
  )
  return line.pictures.filter((key) => !rows.some((carried) => carried.key === key))
}

/** The phrases of a branch; nothing where there is no such branch. */
export async function templatesOf(tx: Tx, tenant: string, bc: string) {
  const { rows } = await tx.query(
    'threads.templates',
    row({ texts, version: int4, changedBy: text, changedAt: float8.null }),
    `SELECT coalesce(s.texts, '{}') AS texts, coalesce(s.version, 0) AS version,
       coalesce(s.changed_by, '') AS "changedBy", ${epoch('s.changed_at')} AS "changedAt"
     FROM companies c
     LEFT JOIN thread_templates s ON s.tenant_id = $1 AND s.bc_id = c.bc_id
     WHERE c.tenant_id = $1 AND c.bc_id = $2`,
    [tenant, bc],
  )
  return rows[0]
}
/** False where somebody else has begun the branch's list meanwhile. */
export async function keepTemplates(
  tx: Tx,
  s: { tenant: string; bc: string; texts: readonly string[]; by: string; version: number },
): Promise<boolean> {
  const { rowCount } = await tx.run(
    'threads.keeptemplates',
    `INSERT INTO thread_templates AS s (tenant_id, bc_id, texts, changed_by, changed_at)
     VALUES ($1, $2, $3, $4, :now)
     ON CONFLICT (tenant_id, bc_id) DO UPDATE
     SET texts = $3, changed_by = $4, changed_at = :now, version = s.version + 1
     WHERE s.version = $5`,
    [s.tenant, s.bc, s.texts, s.by, s.version],
  )
  return rowCount === 1
}
