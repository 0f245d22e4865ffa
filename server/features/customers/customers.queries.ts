import { signingProgress } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import {
  type customersApi,
  MOST_CARDS,
  PICK_CUSTOMERS,
} from '@zhuguan/contract/features/customers/customers.api.ts'
import {
  contactRelation,
  customerHeld,
  type CustomerRow,
  customerStep,
  lostReason,
} from '@zhuguan/contract/features/customers/customers.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { dealAddress } from '../../kit/home-address.ts'
import { phoneText } from '../../kit/masked.ts'
import { bool, float8, int2, int4, json, row, text, uuid } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import {
  contains,
  dayBegins,
  epoch,
  listOf,
  type PageOf,
  plain,
  TODAY,
  type Where,
} from '../../kit/statement.ts'

const { assigned, lost, merged } = customerHeld.code
const { deposit, signed } = customerStep.code
const progress = signingProgress.code

const customer = row<CustomerRow>({
  id: uuid,
  bc_id: uuid,
  bc_name: text,
  store_id: uuid.null,
  storeName: text,
  name: text,
  phone: text,
  source: text,
  community: text,
  address: text,
  area: text.null,
  budget: text.null,
  style: text,
  consultant_id: uuid.null,
  consultantName: text,
  introducer_id: uuid.null,
  introducerName: text,
  held: text.of(customerHeld),
  why: text,
  step: int2.of(customerStep),
  signingProgress: int2.of(signingProgress),
  lostReason: text.of(lostReason).null,
  refuses: bool,
  notice: text,
  createdAt: float8,
  followedAt: float8.null,
  nextAt: float8.null,
  answerDue: float8.null,
  backDue: float8.null,
  overdue: bool,
  version: int4,
})
/** Nobody has answered in time, or the day of what was planned is over. */
export const OVERDUE = `(k.held = '${assigned}' AND (coalesce(k.answer_due <= :now, false)
       OR coalesce(k.next_at < ${dayBegins(TODAY)}, false)))`
const PROGRESS = `(CASE WHEN k.step = ${signed} THEN ${progress.signed}
       WHEN k.step = ${deposit} THEN ${progress.deposit} ELSE ${progress.begun} END)::smallint`
/** `whole` number; `address`: what is said of it. */
const columns = (whole: boolean, address = 'k.address') =>
  `k.id, k.bc_id, c.bc_name, k.store_id, coalesce(s.name, '') AS "storeName", k.name,
       ${phoneText('k.phone', whole)} AS phone, k.source, k.community, ${address} AS address,
       ${plain('k.area')} AS area,
       k.budget::text AS budget, k.style, k.consultant_id, coalesce(u.nickname, '') AS "consultantName",
       k.introducer_id, coalesce(i.name, '') AS "introducerName", k.held, k.why,
       k.step, ${PROGRESS} AS "signingProgress", k.lost_reason AS "lostReason", k.refuses, k.notice,
       ${epoch('k.created_at')} AS "createdAt", ${epoch('k.followed_at')} AS "followedAt",
       ${epoch('k.next_at')} AS "nextAt", ${epoch('k.answer_due')} AS "answerDue", ${epoch('k.back_due')} AS "backDue",
       ${OVERDUE} AS overdue, k.version`
const WHERE_IT_IS = {
  bc: 'k.bc_id',
  store: 'k.store_id',
  site: `(SELECT x.site_id FROM contracts x WHERE x.tenant_id = $1 AND x.customer_id = k.id AND x.site_id IS NOT NULL
       ORDER BY x.signed_on DESC LIMIT 1)`,
  signed: `k.step = ${signed}`,
}
const JOINS = `JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id
     LEFT JOIN stores s ON s.tenant_id = $1 AND s.id = k.store_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
     LEFT JOIN customers i ON i.tenant_id = $1 AND i.id = k.introducer_id`
const FROM = `FROM customers k
     ${JOINS}`

type Filters = QueryOf<(typeof customersApi)['board']>
/** The steps that show as a progress of signing. */
const stepsOf = (all: readonly number[]): number[] =>
  customerStep.values.filter((step) => {
    if (step === signed) return all.includes(progress.signed)
    return all.includes(step === deposit ? progress.deposit : progress.begun)
  })
/**
 * A whole telephone number finds its customer, and so do the four digits at its end, which its mask leaves; any other
 * part of one finds nobody, since nobody may read it.
 */
const WORDS = (p: string) =>
  `(k.name ILIKE ${p} OR k.community ILIKE ${p} OR EXISTS (SELECT FROM customer_numbers n
       WHERE n.tenant_id = $1 AND n.customer_id = k.id AND ('%' || n.phone || '%' = replace(${p}, '-', '')
         OR ${p} ~ '^%[0-9]{4}%$' AND n.phone LIKE rtrim(${p}, '%'))))`
/** A number as a telephone shows it, 130 5155 0640, is that number. */
const joined = (keyword: string) => (/^\d[\d ]+$/.test(keyword) ? keyword.replaceAll(' ', '') : keyword)
/** The filters by which customers are counted where they are written (docs/decisions/0691). */
const counted = (scope: Scope, q: Filters): Where =>
  scopedStores(scope, 'k')
    .plain(`k.held <> '${merged}'`)
    .when(q.signingProgress && stepsOf(q.signingProgress), (p) => `k.step = ANY(${p}::int2[])`)
    .when(q.step, (p) => `k.step = ANY(${p}::int2[])`)
    .when(q.held, (p) => `k.held = ANY(${p}::text[])`)
    .when(q.bc_id, (p) => `k.bc_id = ANY(${p}::uuid[])`)
    .when(q.store_id, (p) => `k.store_id = ANY(${p}::uuid[])`)
const narrowed = (scope: Scope, q: Filters): Where =>
  counted(scope, q)
    .when(q.id, (p) => `k.id = ${p}::uuid`)
    .when(q.keyword || undefined, WORDS, (keyword) => contains(joined(keyword)))
    .when(q.source, (p) => `k.source = ANY(${p}::text[])`)
    .when(q.lostReason, (p) => `k.lost_reason = ANY(${p}::text[])`)
    .when(q.consultant_id, (p) => `k.consultant_id = ${p}::uuid`)
    .when(q.from, (p) => `k.next_at >= ${dayBegins(p)}`)
    .when(q.to, (p) => `k.next_at < ${dayBegins(`(${p}::date + 1)`)}`)
    .when(q.enteredFrom, (p) => `k.created_at >= ${dayBegins(p)}`)
    .when(q.enteredTo, (p) => `k.created_at < ${dayBegins(`(${p}::date + 1)`)}`)
    .when(q.overdue, (p) => `${OVERDUE} = ${p}::boolean`)

const knownTotal = (scope: Scope, q: Filters, where: Where): string | undefined =>
  where.text === counted(scope, q).text
    ? `SELECT coalesce(sum(k.count), 0) FROM customer_counts k WHERE ${where.text}`
    : undefined

export function customerPage(scope: Scope, q: QueryOf<(typeof customersApi)['list']>): PageOf {
  const where = narrowed(scope, q)
  const known = knownTotal(scope, q, where)
  return {
    name: 'customers.page',
    columns: columns(false, dealAddress(where, scope, 'k.address', WHERE_IT_IS)),
    base: 'customers k',
    joins: JOINS,
    where,
    known,
    sort: q.sort,
    otherwise: 'k.created_at DESC',
    tie: 'k.id',
    sortable: {
      createdAt: 'k.created_at',
      followedAt: 'k.followed_at',
      nextAt: 'k.next_at',
      step: 'k.step',
      budget: 'k.budget',
    },
    filled: ['createdAt', 'step'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

interface Cards {
  id: string
  name: string
  community: string
  consultant_id: string | null
  consultantName: string
  step: CustomerRow['step']
  nextAt: number | null
  overdue: boolean
  held: CustomerRow['held']
}
/** Each step with how many stand there, and the first of them: what is overdue before what comes next. */
export async function boardOf(tx: Tx, scope: Scope, q: Filters) {
  // Who is lost is no work: they stand there when somebody asks for them.
  const where = narrowed(scope, q).plain(!q.held && `k.held <> '${lost}'`)
  const { rows } = await tx.query(
    'customers.board',
    row({ step: int2.of(customerStep), n: int4, cards: json<Cards[]>() }),
    `SELECT x.step, max(x.n)::int AS n, coalesce(json_agg(json_build_object('id', x.id, 'name', x.name,
         'community', x.community, 'consultant_id', x.consultant_id,
         'consultantName', x.consultant, 'step', x.step, 'nextAt', x.next,
         'overdue', x.overdue, 'held', x.held) ORDER BY x.place) FILTER (WHERE x.place <= ${MOST_CARDS}), '[]') AS cards
     FROM (
       SELECT k.step, k.id, k.name, k.community, k.held, k.consultant_id, coalesce(u.nickname, '') AS consultant,
         ${epoch('k.next_at')} AS next, ${OVERDUE} AS overdue, count(*) OVER (PARTITION BY k.step) AS n,
         row_number() OVER (PARTITION BY k.step ORDER BY ${OVERDUE} DESC, k.next_at NULLS LAST, k.created_at DESC, k.id)
           AS place
       FROM customers k
       LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
       WHERE ${where.text}) x
     GROUP BY x.step
     ORDER BY x.step`,
    where.values,
  )
  return customerStep.values.map((step) => rows.find((r) => r.step === step) ?? { step, n: 0, cards: [] })
}

export async function pickCustomers(
  tx: Tx,
  scope: Scope,
  asked: { keyword?: string | undefined; id?: string | undefined; signed?: boolean | undefined },
): Promise<CustomerRow[]> {
  const where = narrowed(scope, {
    keyword: asked.keyword,
    id: asked.id,
    ...(asked.signed && { step: [signed] }),
  })
  const address = dealAddress(where, scope, 'k.address', WHERE_IT_IS)
  const { rows } = await tx.query(
    'customers.pick',
    customer,
    `SELECT ${columns(false, address)}
     ${FROM}
     WHERE ${where.text}
     ORDER BY k.created_at DESC, k.id
     LIMIT ${PICK_CUSTOMERS}`,
    where.values,
  )
  return rows
}

/** The places where somebody may write customers down. */
export async function storesOf(tx: Tx, scope: Scope): Promise<{ id: string; bc_id: string; name: string }[]> {
  const where = scopedStores(scope, 's')
  const { rows } = await tx.query(
    'customers.stores',
    row({ id: uuid, bc_id: uuid, name: text }),
    `SELECT s.store_id AS id, s.bc_id, s.name
     FROM (
       SELECT t.tenant_id, t.id AS store_id, t.bc_id, t.name
       FROM stores t
       WHERE t.tenant_id = $1 AND t.status = 1
     ) s
     WHERE ${where.text}
     ORDER BY s.name, s.store_id`,
    where.values,
  )
  return rows
}

const locked = row({
  ...customer,
  merged_into: uuid.null,
  owner_id: uuid.null,
})
export type LockedCustomer = CustomerRow & {
  merged_into: string | null
  owner_id: string | null
}
/** One in reach, with its number, locked until the transaction ends. */
export async function lockCustomer(tx: Tx, scope: Scope, id: string): Promise<LockedCustomer | undefined> {
  const where = scopedStores(scope, 'k').add((p) => `k.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'customers.lock',
    locked,
    `SELECT ${columns(true)}, k.merged_into, k.owner_id
     ${FROM}
     WHERE ${where.text}
     FOR UPDATE OF k`,
    where.values,
  )
  return rows[0]
}

/** Whether one is in reach, also one that was merged away. */
export async function customerInReach(tx: Tx, scope: Scope, id: string) {
  const where = scopedStores(scope, 'k').add((p) => `k.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'customers.reach',
    row({ id: uuid, bc_id: uuid, merged_into: uuid.null, step: int2.of(customerStep) }),
    `SELECT k.id, k.bc_id, k.merged_into, k.step FROM customers k WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

/** The customer that a merged one is now, as often as that happened. */
async function leadsTo(tx: Tx, tenant: string, id: string): Promise<string> {
  const { rows } = await tx.query(
    'customers.leads',
    row({ id: uuid }),
    `WITH RECURSIVE x AS (
       SELECT k.id, k.merged_into, 0 AS depth FROM customers k WHERE k.tenant_id = $1 AND k.id = $2
       UNION ALL
       SELECT k.id, k.merged_into, x.depth + 1
       FROM x JOIN customers k ON k.tenant_id = $1 AND k.id = x.merged_into
       WHERE x.depth < 50)
     SELECT x.id FROM x WHERE x.merged_into IS NULL`,
    [tenant, id],
  )
  return rows[0]?.id ?? id
}

/** A customer and those that were merged into it, as often as that happened. */
export const ALL_OF = (id: string) =>
  `WITH RECURSIVE x AS (
         SELECT ${id} AS id
         UNION
         SELECT o.id FROM x JOIN customers o ON o.tenant_id = $1 AND o.merged_into = x.id)
       SELECT x.id FROM x`
interface Contact {
  id: string
  name: string
  relation: (typeof contactRelation.values)[number]
  phone: string
}
const CONTACTS = listOf(
  `'id', t.id, 'name', t.name, 'relation', t.relation, 'phone', masked_phone(t.phone)`,
  'customer_contacts t WHERE t.tenant_id = $1 AND t.customer_id = k.id',
  't.created_at, t.id',
)
export async function customerDetails(tx: Tx, scope: Scope, asked: string) {
  const id = await leadsTo(tx, scope.tenant, asked)
  const where = scopedStores(scope, 'k').add((p) => `k.id = ${p}::uuid`, id)
  const address = dealAddress(where, scope, 'k.address', WHERE_IT_IS)
  const { rows } = await tx.query(
    'customers.one',
    row({
      ...customer,
      contacts: json<Contact[]>(),
      merged: json<string[]>(),
      introduced: json<{ n: number; signed: number }>(),
    }),
    `SELECT ${columns(false, address)}, ${CONTACTS} AS contacts,
       (SELECT json_build_object('n', count(*), 'signed', count(*) FILTER (WHERE b.step = ${signed}))
        FROM customers b
        WHERE b.tenant_id = $1 AND b.introducer_id = k.id AND b.held <> '${merged}') AS introduced,
       coalesce((SELECT json_agg(m.name ORDER BY m.name) FROM customers m
         WHERE m.tenant_id = $1 AND m.id <> k.id AND m.id IN (${ALL_OF('k.id')})), '[]') AS merged
     ${FROM}
     WHERE ${where.text}`,
    where.values,
  )
  const one = rows[0]
  if (!one) return undefined
  return { ...one, near: await nearOf(tx, scope, one), alike: await alikeTo(tx, scope, one) }
}

/** Names of the same length, three signs or more, and all but one the same: 王小明 and 王晓明. */
const isLike = (name: string) =>
  `(length(k.name) >= 3 AND length(k.name) = length(${name}) AND (SELECT count(*)
         FROM generate_series(1, length(k.name)) i
         WHERE substr(k.name, i, 1) <> substr(${name}, i, 1)) = 1)`
const plainly = (address: string) => `replace(${address}, ' ', '')`
/** Others of the branch that may be the same home: the address, or the same or a like name in the same community. */
async function alikeTo(tx: Tx, scope: Scope, one: CustomerRow) {
  const where = scopedStores(scope, 'k')
  const [self, name, community, address] = [one.id, one.name, one.community, one.address].map(
    (value) => `$${where.values.push(value)}`,
  ) as [string, string, string, string]
  const { rows } = await tx.query(
    'customers.alike',
    row({ id: uuid, name: text, storeName: text, consultantName: text, why: text }),
    `SELECT k.id, k.name, coalesce(s.name, '') AS "storeName", coalesce(u.nickname, '') AS "consultantName",
       CASE WHEN ${address}::text <> '' AND ${plainly('k.address')} = ${plainly(address)} THEN '地址相同'
         WHEN k.name = ${name} THEN '同小区同名' ELSE '同小区，名字只差一个字' END AS why
     ${FROM}
     WHERE ${where.text} AND k.id <> ${self}::uuid AND k.held <> '${merged}'
       AND k.bc_id = $${where.values.push(one.bc_id)}
       AND (${address}::text <> '' AND ${plainly('k.address')} = ${plainly(address)} AND k.community = ${community}
         OR ${community}::text <> '' AND k.community = ${community}
           AND (k.name = ${name} OR ${isLike(`${name}::text`)}))
     ORDER BY k.created_at, k.id
     LIMIT 10`,
    where.values,
  )
  return rows
}

/** Homes of the branch in the same community where somebody works now. */
async function nearOf(tx: Tx, scope: Scope, one: CustomerRow) {
  if (!one.community) return []
  const { rows } = await tx.query(
    'customers.near',
    row({ stage: text, n: int4 }),
    `SELECT x.stage, count(*)::int AS n
     FROM (
       SELECT coalesce((SELECT g.stage FROM site_stages g
         WHERE g.tenant_id = $1 AND g.site_id = w.id AND g.actual_start IS NOT NULL AND g.actual_finish IS NULL
         ORDER BY g.sort LIMIT 1), '') AS stage
       FROM sites w
       WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.community = $3 AND w.status = 1 AND w.deleted_at IS NULL) x
     GROUP BY x.stage
     ORDER BY n DESC, x.stage`,
    [scope.tenant, one.bc_id, one.community],
  )
  return rows
}
