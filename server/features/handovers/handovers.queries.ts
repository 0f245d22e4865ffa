import type { contactRelation } from '@zhuguan/contract/features/customers/customers.record.ts'
import {
  earlyState,
  type EarlyPromise,
  type HandoverSheet,
  handoverState,
} from '@zhuguan/contract/features/handovers/handovers.record.ts'
import { promiseSubject } from '@zhuguan/contract/features/promises/promises.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int2, int4, json, row, text, timestamptz, uuid } from '../../kit/row.ts'
import { scoped, scopedStores } from '../../kit/scoped.ts'
import { epoch, listOf } from '../../kit/statement.ts'

const SHEET = `h.id, h.bc_id, h.site_id, w.ws_name AS "siteName", w.steward_id,
       coalesce(s.nickname, '') AS "stewardName", h.customer_id,
       coalesce(k.name, o.name, '') AS "customerName", h.consultant_id,
       coalesce(u.nickname, '') AS "consultantName", h.state, ${epoch('h.made_at')} AS "madeAt", h.taste, h.people,
       h.fears, h.given, h.confirmed_by AS "confirmedBy", ${epoch('h.confirmed_at')} AS "confirmedAt", h.version`
// Whoever keeps the home reads no customers: to them it is its owner’s.
const FROM = `FROM handovers h
     JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
     LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = w.owner_id
     LEFT JOIN customers k ON k.tenant_id = $1 AND k.id = h.customer_id
     LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = h.consultant_id`
/** Who else belongs to the home, what was promised before the signature as it stands now, what was asked. */
const LISTS = `${listOf(
  `'name', t.name, 'relation', t.relation`,
  'customer_contacts t WHERE t.tenant_id = $1 AND t.customer_id = h.customer_id',
  't.created_at, t.id',
)} AS contacts,
       ${listOf(
         `'id', p.id, 'content', p.content, 'subject', p.subject, 'due', p.due::text, 'state', p.state,
           'post', p.post, 'authorName', a.nickname`,
         `promises p
         JOIN customer_promises e ON e.tenant_id = $1 AND e.promise_id = p.id
         JOIN users a ON a.tenant_id = $1 AND a.id = p.author_id
         WHERE p.tenant_id = $1 AND p.site_id = h.site_id AND e.customer_id = h.customer_id`,
         'p.due, p.id',
       )} AS promises,
       ${listOf(
         `'id', q.id, 'text', q.text, 'askedBy', q.asked_by, 'askedAt', ${epoch('q.asked_at')}, 'answer', q.answer,
           'answeredBy', q.answered_by, 'answeredAt', ${epoch('q.answered_at')}`,
         'handover_questions q WHERE q.tenant_id = $1 AND q.handover_id = h.id',
         'q.asked_at, q.id',
       )} AS questions`

const standing = {
  id: uuid,
  bc_id: uuid,
  site_id: uuid,
  siteName: text,
  steward_id: uuid.null,
  stewardName: text,
  customer_id: uuid,
  customerName: text,
  consultant_id: uuid.null,
  consultantName: text,
  state: text.of(handoverState),
  madeAt: float8,
  taste: text,
  people: text,
  fears: text,
  given: text,
  confirmedBy: text,
  confirmedAt: float8.null,
  version: int4,
}
const sheet = row<HandoverSheet>({
  ...standing,
  contacts: json<{ name: string; relation: (typeof contactRelation.values)[number] }[]>(),
  promises: json<HandoverSheet['promises']>(),
  questions: json<HandoverSheet['questions']>(),
})
/** The sheet of a site in reach: of the signature that counts now, where there were several. */
export async function sheetOfSite(tx: Tx, scope: Scope, site: string): Promise<HandoverSheet | undefined> {
  const where = scoped(scope, 'h').add((p) => `h.site_id = ${p}::uuid`, site)
  const { rows } = await tx.query(
    'handovers.ofsite',
    sheet,
    `SELECT ${SHEET}, ${LISTS}
     ${FROM}
     WHERE ${where.text}
     ORDER BY h.made_at DESC, h.id
     LIMIT 1`,
    where.values,
  )
  return rows[0]
}
/** Those of a customer in reach, the newest first. */
export async function sheetsOfCustomer(tx: Tx, scope: Scope, customer: string): Promise<HandoverSheet[]> {
  const where = scopedStores(scope, 'h').add((p) => `h.customer_id = ${p}::uuid`, customer)
  const { rows } = await tx.query(
    'handovers.ofcustomer',
    sheet,
    `SELECT ${SHEET}, ${LISTS}
     ${FROM}
     WHERE ${where.text}
     ORDER BY h.made_at DESC, h.id`,
    where.values,
  )
  return rows
}

const locked = row({ ...standing, store_id: uuid.null })
export type LockedHandover = Omit<HandoverSheet, 'contacts' | 'promises' | 'questions'> & {
  store_id: string | null
}
/** One of a site, or of a customer, in reach, locked until the transaction ends. */
export async function lockHandover(
  tx: Tx,
  scope: Scope,
  id: string,
  by: 'customer' | 'site',
): Promise<LockedHandover | undefined> {
  const where = (by === 'site' ? scoped(scope, 'h') : scopedStores(scope, 'h')).add(
    (p) => `h.id = ${p}::uuid`,
    id,
  )
  const { rows } = await tx.query(
    'handovers.lock',
    locked,
    `SELECT ${SHEET}, h.store_id
     ${FROM}
     WHERE ${where.text}
     FOR UPDATE OF h`,
    where.values,
  )
  return rows[0]
}

/** The brief of a customer; nothing yet is an empty one. */
export async function briefOf(tx: Tx, tenant: string, customer: string) {
  const { rows } = await tx.query(
    'handovers.brief',
    row({
      taste: text,
      people: text,
      fears: text,
      given: text,
      changedBy: text,
      changedAt: float8,
      version: int4,
    }),
    `SELECT b.taste, b.people, b.fears, b.given, b.changed_by AS "changedBy", ${epoch('b.changed_at')} AS "changedAt",
       b.version
     FROM customer_briefs b
     WHERE b.tenant_id = $1 AND b.customer_id = $2`,
    [tenant, customer],
  )
  return (
    rows[0] ?? { taste: '', people: '', fears: '', given: '', changedBy: '', changedAt: null, version: 0 }
  )
}
const early = row<EarlyPromise>({
  id: uuid,
  content: text,
  subject: text.of(promiseSubject),
  due: text,
  post: int2.of(principalPost),
  state: text.of(earlyState),
  text,
  authorName: text,
  madeAt: float8,
  version: int4,
})
const EARLY = `e.id, e.content, e.subject, e.due::text AS due, e.post, e.state, e.text, u.nickname AS "authorName",
       ${epoch('e.made_at')} AS "madeAt", e.version`
/** Promises to a customer before the signature, the first to fall due first. */
export async function earlyPromisesOf(tx: Tx, tenant: string, customer: string): Promise<EarlyPromise[]> {
  const { rows } = await tx.query(
    'handovers.early',
    early,
    `SELECT ${EARLY}
     FROM customer_promises e
     JOIN users u ON u.tenant_id = $1 AND u.id = e.author_id
     WHERE e.tenant_id = $1 AND e.customer_id = $2
     ORDER BY e.due, e.id`,
    [tenant, customer],
  )
  return rows
}
/** Whose an early promise is, in reach: their record is locked before it. */
export async function customerOfEarly(tx: Tx, scope: Scope, id: string): Promise<string | undefined> {
  const where = scopedStores(scope, 'k').add((p) => `e.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'handovers.whose',
    row({ customer_id: uuid }),
    `SELECT e.customer_id
     FROM customer_promises e
     JOIN customers k ON k.tenant_id = $1 AND k.id = e.customer_id
     WHERE e.tenant_id = $1 AND ${where.text}`,
    where.values,
  )
  return rows[0]?.customer_id
}
/** Those that go to the site with the signature, with who gave each and when. */
export async function lockOpenEarly(tx: Tx, tenant: string, customer: string) {
  const { rows } = await tx.query(
    'handovers.openearly',
    row({
      id: uuid,
      content: text,
      subject: text.of(promiseSubject),
      due: text,
      post: int2.of(principalPost),
      author_id: uuid,
      madeAt: timestamptz,
    }),
    `SELECT e.id, e.content, e.subject, e.due::text AS due, e.post, e.author_id, e.made_at AS "madeAt"
     FROM customer_promises e
     WHERE e.tenant_id = $1 AND e.customer_id = $2 AND e.state = '${earlyState.code.open}'
     ORDER BY e.due, e.id
     FOR UPDATE OF e`,
    [tenant, customer],
  )
  return rows
}
