import type { personsApi } from '@zhuguan/contract/features/persons/persons.api.ts'
import {
  personAsk,
  personKind,
  type PersonDetail,
  type PersonFound,
  type PersonPlanLine,
  personProof,
  type PersonRow,
  personState,
} from '@zhuguan/contract/features/persons/persons.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { phoneText } from '../../kit/masked.ts'
import { bool, float8, int4, jsonb, row, text, uuid } from '../../kit/row.ts'
import { scopedBranches } from '../../kit/scoped.ts'
import { epoch, type PageOf, TODAY } from '../../kit/statement.ts'
const { received, restricted, verified } = personState.code
/** What somebody still waits for. */
const OPEN = `p.state IN ('${received}', '${verified}')`
const LATE = `(${OPEN} AND p.due < ${TODAY})`
const COLUMNS = `p.id, p.no, p.ask, p.kind, p.name, p.bc_id, c.bc_name, p.state,
     ${epoch('p.received_at')} AS "receivedAt", p.received_by AS "receivedBy", p.due::text AS due, ${LATE} AS late,
     p.verified_id, p.verified_by AS "verifiedBy", ${epoch('p.executed_at')} AS "executedAt", p.version`
const JOINS = 'JOIN companies c ON c.tenant_id = $1 AND c.bc_id = p.bc_id'
const found = row<PersonRow>({
  id: uuid,
  no: text,
  ask: text.of(personAsk),
  kind: text.of(personKind),
  name: text,
  bc_id: uuid,
  bc_name: text,
  state: text.of(personState),
  receivedAt: float8,
  receivedBy: text,
  due: text,
  late: bool,
  verified_id: uuid.null,
  verifiedBy: text,
  executedAt: float8.null,
  version: int4,
})

export const personPage = (scope: Scope, q: QueryOf<(typeof personsApi)['list']>): PageOf => ({
  name: 'persons.page',
  columns: COLUMNS,
  base: 'person_requests p',
  joins: JOINS,
  where: scopedBranches(scope, 'p')
    .when(q.id, (p) => `p.id = ${p}::uuid`)
    .when(q.state, (p) => `p.state = ANY(${p}::text[])`)
    .when(q.ask, (p) => `p.ask = ANY(${p}::text[])`)
    .when(q.kind, (p) => `p.kind = ANY(${p}::text[])`)
    .when(q.bc_id, (p) => `p.bc_id = ANY(${p}::uuid[])`)
    .plain(q.late === true && LATE)
    .plain(q.late === false && `NOT ${LATE}`),
  sort: q.sort,
  otherwise: [`p.state IN ('${received}', '${verified}', '${restricted}') DESC`, 'p.received_at DESC'],
  tie: 'p.id',
  sortable: { receivedAt: 'p.received_at', due: 'p.due' },
  filled: ['receivedAt', 'due'],
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})

const whole = row({
  ...found,
  subject_id: uuid,
  words: text,
  proof: text.of(personProof).null,
  device_id: uuid.null,
  paper: text.null,
  verifiedAt: float8.null,
  executedBy: text,
  refusedFor: text,
  done: jsonb<PersonPlanLine[]>(),
  digest: text,
  aside: text,
})
const WHOLE = `${COLUMNS}, p.subject_id, p.words, p.proved_by AS proof, p.device_id, p.picture AS paper,
     ${epoch('p.verified_at')} AS "verifiedAt", p.executed_by AS "executedBy", p.refused_for AS "refusedFor", p.done,
     p.digest, p.aside`
export type PersonRequest = Omit<PersonDetail, 'byDevice' | 'plan'> & {
  subject_id: string
  device_id: string | null
  done: PersonPlanLine[]
  aside: string
}
/** One request in reach; `lock`: until the transaction ends. */
export async function requestOf(
  tx: Tx,
  scope: Scope,
  id: string,
  lock = false,
): Promise<PersonRequest | undefined> {
  const where = scopedBranches(scope, 'p').add((p) => `p.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'persons.one',
    whole,
    `SELECT ${WHOLE} FROM person_requests p ${JOINS} WHERE ${where.text} ${lock ? 'FOR UPDATE OF p' : ''}`,
    where.values,
  )
  return rows[0]
}
const MOST = 50
/** Those of a group that something still keeps, the oldest first. */
export async function restrictedRequests(tx: Tx, tenant: string): Promise<PersonRequest[]> {
  const { rows } = await tx.query(
    'persons.restricted',
    whole,
    `SELECT ${WHOLE} FROM person_requests p ${JOINS}
     WHERE p.tenant_id = $1 AND p.state = '${restricted}' ORDER BY p.received_at LIMIT ${MOST} FOR UPDATE OF p`,
    [tenant],
  )
  return rows
}
/** The kind's place of a record: whose branch it is, and what it says. Nothing where it is out of reach. */
const HOME = `FROM home_contacts h
     JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id AND w.deleted_at IS NULL
     LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id`
const FROM = {
  owner: `SELECT h.tenant_id, h.id, h.bc_id, coalesce(h.name, o.name) AS name, coalesce(h.phone, o.phone) AS phone,
       w.ws_name AS about, NULL::text AS picture, h.site_id, h.since AS at ${HOME} WHERE h.tenant_id = $1`,
  customer: `SELECT k.tenant_id, k.id, k.bc_id, k.name, k.phone, k.community AS about, NULL::text AS picture,
       NULL::uuid AS site_id, k.created_at AS at FROM customers k WHERE k.tenant_id = $1
     UNION ALL SELECT f.tenant_id, f.id, k.bc_id, f.name, f.phone, k.community || '（' || k.name || '的联系人）', NULL,
       NULL, f.created_at
     FROM customer_contacts f JOIN customers k ON k.tenant_id = $1 AND k.id = f.customer_id WHERE f.tenant_id = $1`,
  worker: `SELECT k.tenant_id, k.id, k.bc_id, k.w_name AS name, k.w_contact AS phone, k.w_id AS about,
       NULL::text AS picture, NULL::uuid AS site_id, NULL::timestamptz AS at
       FROM workers k WHERE k.tenant_id = $1 AND k.deleted_at IS NULL`,
  visitor: `SELECT v.tenant_id, v.id, v.bc_id, '来访者' AS name, '' AS phone, w.ws_name AS about,
       v.picture, v.site_id, v.at
       FROM visits v JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
       WHERE v.tenant_id = $1 AND v.picture IS NOT NULL`,
} satisfies Record<PersonRow['kind'], string>

const MOST_FOUND = 30
/** By a whole number or a whole name: who asks is told apart, not looked through. */
export async function findPeople(
  tx: Tx,
  scope: Scope,
  q: QueryOf<(typeof personsApi)['find']>,
): Promise<PersonFound[]> {
  const where = scopedBranches(scope, 'x')
  const said = q.keyword.replaceAll('-', '')
  const isVisitor = q.kind === personKind.code.visitor
  if (isVisitor ? !q.day || !q.site_id : said.length < 2) return []
  const narrowed = isVisitor
    ? where
        .add((p) => `x.site_id = ${p}::uuid`, q.site_id)
        .add((p) => `(x.at AT TIME ZONE 'Asia/Shanghai')::date = ${p}::date`, q.day)
    : where.add((p) => `(x.name = ${p} OR x.phone <> '' AND replace(x.phone, '-', '') = ${p})`, said)
  const { rows } = await tx.query(
    `persons.find${q.kind}`,
    row({ id: uuid, name: text, phone: text, about: text, picture: text.null }),
    `SELECT x.id, x.name, ${phoneText('x.phone', false)} AS phone, x.about, x.picture
     FROM (${FROM[q.kind]}) x
     WHERE ${narrowed.text}
     ORDER BY x.at DESC NULLS LAST, x.id
     LIMIT ${MOST_FOUND}`,
    narrowed.values,
  )
  return rows.map((r) => ({ ...r, kind: q.kind }))
}
/** Where a record stands, and whom it names; nothing where it is out of reach. */
export async function subjectOf(tx: Tx, scope: Scope, kind: PersonRow['kind'], id: string) {
  const where = scopedBranches(scope, 'x').add((p) => `x.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    `persons.subject${kind}`,
    row({ id: uuid, bc_id: uuid, name: text }),
    `SELECT x.id, x.bc_id, x.name FROM (${FROM[kind]}) x
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}
/** The open request of a kind about the same record. */
export async function openAbout(tx: Tx, tenant: string, subject: string, ask: string) {
  const { rows } = await tx.query(
    'persons.open',
    row({ no: text }),
    `SELECT p.no FROM person_requests p
     WHERE p.tenant_id = $1 AND p.subject_id = $2 AND p.ask = $3 AND (${OPEN} OR p.state = '${restricted}')`,
    [tenant, subject, ask],
  )
  return rows[0]?.no
}
/** What somebody asked about one record, the newest first. */
export async function requestsAbout(tx: Tx, tenant: string, subject: string) {
  const { rows } = await tx.query(
    'persons.about',
    row({
      id: uuid,
      no: text,
      ask: text.of(personAsk),
      state: text.of(personState),
      due: text,
      refusedFor: text,
    }),
    `SELECT p.id, p.no, p.ask, p.state, p.due::text AS due, p.refused_for AS "refusedFor"
     FROM person_requests p
     WHERE p.tenant_id = $1 AND p.subject_id = $2
     ORDER BY p.received_at DESC LIMIT 10`,
    [tenant, subject],
  )
  return rows
}
/** Whether this telephone of the home is one that we let in, and whether by one hand alone. */
export async function proofBy(tx: Tx, tenant: string, device: string): Promise<'alone' | 'bound' | 'none'> {
  const { rows } = await tx.query(
    'persons.device',
    row({ alone: bool }),
    `SELECT d.only_hand IS NOT NULL AS alone FROM home_devices d
     WHERE d.tenant_id = $1 AND d.id = $2 AND d.state = 'bound'`,
    [tenant, device],
  )
  if (!rows[0]) return 'none'
  return rows[0].alone ? 'alone' : 'bound'
}
