import { contractState } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { dispatchState } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'
import { feedbackKind, feedbackStatus } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { goodsChangeState } from '@zhuguan/contract/features/goods/goods.record.ts'
import { contactRelation } from '@zhuguan/contract/features/owners/owners.record.ts'
import { packageStatus } from '@zhuguan/contract/features/packages/packages.record.ts'
import { checkState, orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { promiseState } from '@zhuguan/contract/features/promises/promises.record.ts'
import { questionState } from '@zhuguan/contract/features/questions/questions.record.ts'
import { quotationStatus } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { type searchApi } from '@zhuguan/contract/features/search/search.api.ts'
import { statementState } from '@zhuguan/contract/features/statements/statements.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { addressText } from '../../kit/home-address.ts'
import { int2, int4, row, text, uuid } from '../../kit/row.ts'
import { saidSites } from '../../kit/said-sites.ts'
import { scoped, scopedParties, scopedShared, scopedStores } from '../../kit/scoped.ts'
import { contains } from '../../kit/statement.ts'
import { contractsBy } from '../contracts/contracts.reads.ts'
import { knownFeedback } from '../feedback/feedback.reads.ts'
import { namedPeople, PHONE_END } from '../owners/named-people.reads.ts'
import { matching, workerScope } from '../workers/workers.reads.ts'

export type Hit = DataOf<(typeof searchApi)['all']>[number]
export const EACH = 6

export async function findSites(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const where = scoped(scope, 'w', { site: 'id' }).plain('w.deleted_at IS NULL')
  const named = saidSites(where, scope)
  where.add((p) => `w.id IN ${named(p)}`, contains(keyword))
  const address = addressText(where, scope, 'w.address', { bc: 'w.bc_id', site: 'w.id' }, 'w.community')
  const said = where.asked(contains(keyword), 'text')
  const { rows } = await tx.query(
    'search.sites',
    row({ id: uuid, code: text, ws_name: text, address: text, owner: text.null }),
    // A name of nobody that is typed is not said.
    `SELECT w.id, w.code, w.ws_name, ${address} AS address,
       (SELECT o.name FROM owners o
         WHERE o.tenant_id = $1 AND o.id = w.owner_id AND o.name ILIKE ${said}) AS owner
     FROM sites w
     WHERE ${where.text}
     ORDER BY w.code
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((r) => ({
    kind: 'site',
    id: r.id,
    title: r.ws_name,
    detail: `${r.code} ${r.owner ? `业主 ${r.owner}` : r.address}`,
    link: linkTo('SiteInfo', { id: r.id }),
  }))
}

/** People of a home: by name, or by a whole telephone number. */
export async function findOwners(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const where = scoped(scope, 'h')
  where.plain(`h.id IN ${namedPeople(where, keyword, 'id')}`)
  const { rows } = await tx.query(
    'search.owners',
    row({ id: uuid, site: uuid, name: text, relation: text.of(contactRelation), siteName: text }),
    `SELECT h.id, h.site_id AS site, coalesce(h.name, o.name) AS name, h.relation, w.ws_name AS "siteName"
     FROM home_contacts h
     JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
     LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
     WHERE ${where.text}
     ORDER BY h.owner_id IS NULL, h.since DESC, h.id
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((r) => ({
    kind: 'owner',
    id: r.id,
    title: r.name,
    detail: `${contactRelation.label(r.relation)} ${r.siteName}${PHONE_END.test(keyword) ? ` · 尾号 ${keyword}` : ''}`,
    link: linkTo('OwnerInfo', { site_id: r.site }),
  }))
}

/** By telephone too, for who may read it. */
export async function findWorkers(tx: Tx, scope: Scope, keyword: string, byPhone: boolean): Promise<Hit[]> {
  const where = matching(workerScope(scope), keyword, byPhone)
  const { rows } = await tx.query(
    'search.workers',
    row({ id: uuid, w_id: text, w_name: text, w_type: int2 }),
    `SELECT k.id, k.w_id, k.w_name, k.w_type
     FROM workers k
     WHERE ${where.text}
     ORDER BY k.status, k.w_id
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((r) => ({
    kind: 'worker',
    id: r.id,
    title: r.w_name,
    detail: `${r.w_id} ${workerType.label(r.w_type)}`,
    link: linkTo('WorkerInfo', { id: r.id }),
  }))
}

export async function findDevices(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const where = scoped(scope, 'd')
    .plain('d.deleted_at IS NULL')
    .add((p) => `lower(d.sn) LIKE ${p}`, contains(keyword))
  const { rows } = await tx.query(
    'search.devices',
    row({ id: uuid, sn: text, model: text }),
    `SELECT d.id, d.sn, d.model FROM devices d WHERE ${where.text} ORDER BY d.sn LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((r) => ({
    kind: 'device',
    id: r.id,
    title: r.sn,
    detail: r.model,
    link: linkTo('DeviceList', { keyword: r.sn }),
  }))
}

/** By what it is called; costs and prices are never looked through. */
export async function findProducts(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const where = scopedShared(scope, 'p').add(
    (p) => `(p.name ILIKE ${p} OR p.code ILIKE ${p} OR p.brand ILIKE ${p} OR p.model ILIKE ${p})`,
    contains(keyword),
  )
  const { rows } = await tx.query(
    'search.products',
    row({ id: uuid, code: text, name: text, brand: text, model: text, spec: text }),
    `SELECT p.id, p.code, p.name, p.brand, p.model, p.spec
     FROM products p
     WHERE ${where.text}
     ORDER BY p.status, p.code
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((r) => ({
    kind: 'product',
    id: r.id,
    title: r.name,
    detail: [r.code, r.brand, r.model, r.spec].filter(Boolean).join(' '),
    link: linkTo('ProductList', { keyword: r.code }),
  }))
}

/** Those that are sold or written. */
export async function findPackages(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const where = scopedShared(scope, 'p')
    .add((p) => `p.name ILIKE ${p}`, contains(keyword))
    .plain(`p.status <> ${packageStatus.code.stopped}`)
  const { rows } = await tx.query(
    'search.packages',
    row({ id: uuid, name: text, number: int4, status: int2 }),
    `SELECT p.id, p.name, p.number, p.status
     FROM packages p
     WHERE ${where.text}
     ORDER BY p.name, p.number DESC
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((r) => ({
    kind: 'package',
    id: r.id,
    title: r.name,
    detail: `v${r.number} ${packageStatus.label(r.status)}`,
    link: linkTo('PackageList', { keyword: r.name }),
  }))
}

/** By number, customer and community; void ones last. */
export async function findQuotations(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const where = scopedStores(scope, 'q').add(
    (p) => `(q.code ILIKE ${p} OR k.name ILIKE ${p} OR k.community ILIKE ${p})`,
    contains(keyword),
  )
  const { rows } = await tx.query(
    'search.quotations',
    row({ id: uuid, code: text, name: text, community: text, status: int2 }),
    `SELECT q.id, q.code, k.name, k.community, q.status
     FROM quotations q
     JOIN customers k ON k.tenant_id = $1 AND k.id = q.customer_id
     WHERE ${where.text}
     ORDER BY q.status = ${quotationStatus.code.void}, q.changed_at DESC, q.id
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((r) => ({
    kind: 'quotation',
    id: r.id,
    title: [r.name, r.community].filter(Boolean).join(' '),
    detail: `${r.code} ${quotationStatus.label(r.status)}`,
    link: linkTo('QuotationList', { keyword: r.code }),
  }))
}

/** By their number, customer or site. */
export async function findContracts(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const where = contractsBy(scope, keyword)
  const { rows } = await tx.query(
    'search.contracts',
    row({ id: uuid, code: text, name: text, state: text }),
    `SELECT c.id, c.code, k.name, c.state
     FROM contracts c
     JOIN customers k ON k.tenant_id = $1 AND k.id = c.customer_id
     WHERE ${where.text}
     ORDER BY c.made_at DESC, c.id
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((r) => ({
    kind: 'contract',
    id: r.id,
    title: `${r.code} ${r.name}`,
    detail: contractState.label(r.state),
    link: linkTo('ContractDetail', { id: r.id }),
  }))
}
/** Orders of either party by their number or the site's community; the receiver learns no more of the site. */
export async function findOrders(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const { where } = scopedParties(scope, 'o')
  where.add((p) => `(lower(o.code) LIKE ${p} OR lower(o.community) LIKE ${p})`, contains(keyword))
  const { rows } = await tx.query(
    'search.orders',
    row({ id: uuid, code: text, community: text, receiver: text, state: int2.null }),
    `SELECT o.id, o.code, o.community, o.receiver_name AS receiver, o.order_state AS state
     FROM orders o
     WHERE ${where.text}
     ORDER BY o.made_at DESC, o.id
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((r) => ({
    kind: 'order',
    id: r.id,
    title: `${r.code} ${r.community}`,
    detail: [r.receiver, r.state !== null && orderState.label(r.state)].filter(Boolean).join(' · '),
    link: linkTo('OrderDetail', { id: r.id }),
  }))
}

const numbered = row({ id: uuid, code: text, receiver: text, community: text, state: int2 })
/** A document of an order, found by the number that is printed on it. */
const hitOf = (
  kind: Hit['kind'],
  page: 'AcceptanceList' | 'ChangeGoods' | 'DispatchList',
  of: { id: string; code: string; receiver: string; community: string },
  state: string,
): Hit => ({
  kind,
  id: of.id,
  title: `${of.code} ${of.community}`,
  detail: `${of.receiver} · ${state}`,
  link: linkTo(page, { keyword: of.code }),
})

/** Notes of either party. */
export async function findNotes(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const { where } = scopedParties(scope, 'd')
  where.add((p) => `lower(d.code) LIKE ${p}`, contains(keyword))
  const { rows } = await tx.query(
    'search.notes',
    numbered,
    `SELECT d.id, d.code, d.state, o.receiver_name AS receiver, o.community
     FROM dispatches d
     JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
     WHERE ${where.text}
     ORDER BY d.made_at DESC, d.id
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((r) => hitOf('note', 'DispatchList', r, dispatchState.label(r.state)))
}

/** Acceptance sheets of either party. */
export async function findSheets(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const { where } = scopedParties(scope, 'd')
  where.plain('d.check_state IS NOT NULL').add((p) => `lower(d.sheet_code) LIKE ${p}`, contains(keyword))
  const { rows } = await tx.query(
    'search.sheets',
    numbered,
    `SELECT d.id, d.sheet_code AS code, d.check_state AS state, o.receiver_name AS receiver, o.community
     FROM dispatches d
     JOIN orders o ON o.tenant_id = $1 AND o.id = d.order_id
     WHERE ${where.text}
     ORDER BY d.delivered_at DESC, d.id
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((r) => hitOf('sheet', 'AcceptanceList', r, checkState.label(r.state)))
}

/** Faults of goods. */
export async function findChanges(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const { where } = scopedParties(scope, 'g')
  where.add((p) => `lower(g.code) LIKE ${p}`, contains(keyword))
  const { rows } = await tx.query(
    'search.changes',
    row({ id: uuid, code: text, receiver: text, community: text, state: text }),
    `SELECT g.id, g.code, g.state, o.receiver_name AS receiver, o.community
     FROM goods_changes g
     JOIN orders o ON o.tenant_id = $1 AND o.id = g.order_id
     WHERE ${where.text}
     ORDER BY g.made_at DESC, g.id
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((r) => hitOf('goodsChange', 'ChangeGoods', r, goodsChangeState.label(r.state)))
}

/** What owners said, by its number alone: never by the words, and not what is kept from who asks. */
export async function findFeedback(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const where = knownFeedback(scope).add((p) => `lower(f.no) LIKE ${p}`, contains(keyword))
  const { rows } = await tx.query(
    'search.feedback',
    row({ id: uuid, no: text, kind: text.of(feedbackKind), status: int2.of(feedbackStatus), site: text }),
    `SELECT f.id, f.no, f.kind, f.status, w.ws_name AS site
     FROM feedback f
     JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
     WHERE ${where.text}
     ORDER BY f.entered_at DESC, f.id
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((f) => ({
    kind: 'feedback',
    id: f.id,
    title: `${f.no} ${feedbackKind.label(f.kind)}`,
    detail: `${f.site} · ${feedbackStatus.label(f.status)}`,
    link: linkTo('FeedbackList', { id: f.id }),
  }))
}

/** What was said in the thread of a home, by either side. */
export async function findMessages(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const where = scoped(scope, 'm').add((p) => `m.words ILIKE ${p}`, contains(keyword))
  const { rows } = await tx.query(
    'search.messages',
    row({ id: uuid, site_id: uuid, who: text, words: text, site: text }),
    `SELECT m.id, m.site_id, m.who, left(m.words, 60) AS words, w.ws_name AS site
     FROM thread_messages m
     JOIN sites w ON w.tenant_id = $1 AND w.id = m.site_id
     WHERE ${where.text}
     ORDER BY m.at DESC, m.id
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((m) => ({
    kind: 'message',
    id: m.id,
    title: m.words,
    detail: `${m.who} · ${m.site}`,
    link: linkTo('OwnerInteract', { site_id: m.site_id }),
  }))
}

/** Papers of what is owed: of either party, and of the receiver not before it was sent. */
export async function findStatements(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const { buyer, where } = scopedParties(scope, 's', { site: false })
  where
    .plain(`(${buyer} OR s.sent_at IS NOT NULL)`)
    .add((p) => `lower(s.code || ' ' || s.receiver_name) LIKE ${p}`, contains(keyword))
  const { rows } = await tx.query(
    'search.statements',
    row({ id: uuid, code: text, receiver: text, month: text, scope: text, state: text }),
    `SELECT s.id, s.code, s.receiver_name AS receiver, to_char(s.month, 'YYYY-MM') AS month, s.bc_name AS scope, s.state
     FROM statements s
     WHERE ${where.text}
     ORDER BY s.month DESC, s.code DESC
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((s) => ({
    kind: 'statement',
    id: s.id,
    title: `${s.code} ${s.receiver}`,
    detail: `${s.month} · ${s.scope} · ${statementState.label(s.state)}`,
    link: linkTo('StatementList', { id: s.id }),
  }))
}

/** Questions to owners; what is open first. */
export async function findQuestions(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const where = scoped(scope, 'q').add((p) => `q.words ILIKE ${p}`, contains(keyword))
  const { rows } = await tx.query(
    'search.questions',
    row({ id: uuid, words: text, site_id: uuid, site: text, needed: text, state: text }),
    `SELECT q.id, q.words, q.site_id, w.ws_name AS site, q.needed_by::text AS needed, q.state
     FROM questions q
     JOIN sites w ON w.tenant_id = $1 AND w.id = q.site_id
     WHERE ${where.text}
     ORDER BY q.closed_at DESC, q.needed_by, q.id DESC
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((r) => ({
    kind: 'question',
    id: r.id,
    title: r.words,
    detail: `${r.site} · ${r.needed} 前答复 · ${questionState.label(r.state)}`,
    link: linkTo('OwnerInfo', { site_id: r.site_id }),
  }))
}

/** Promises to owners, by their words; what is open first. */
export async function findPromises(tx: Tx, scope: Scope, keyword: string): Promise<Hit[]> {
  const where = scoped(scope, 'p').add((p) => `p.content ILIKE ${p}`, contains(keyword))
  const { rows } = await tx.query(
    'search.promises',
    row({ id: uuid, content: text, site: text, due: text, state: text }),
    `SELECT p.id, p.content, w.ws_name AS site, p.due::text AS due, p.state
     FROM promises p
     JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
     WHERE ${where.text}
     ORDER BY p.place, p.id
     LIMIT ${EACH}`,
    where.values,
  )
  return rows.map((r) => ({
    kind: 'promise',
    id: r.id,
    title: r.content,
    detail: `${r.site} · ${r.due} · ${promiseState.label(r.state)}`,
    link: linkTo('PromiseList', { id: r.id }),
  }))
}
