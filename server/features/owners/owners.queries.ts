import type { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import {
  type Contact,
  contactRelation,
  type HomeDetail,
  homeWaits,
} from '@zhuguan/contract/features/owners/owners.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { addressText, siteNamed } from '../../kit/home-address.ts'
import type { Mine } from '../../kit/in-charge.ts'
import { phoneText } from '../../kit/masked.ts'
import { bool, float8, int2, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped, siteScope } from '../../kit/scoped.ts'
import { contains, epoch, type PageOf } from '../../kit/statement.ts'
import {
  complains,
  complaintsDue,
  formerComplaints,
  lateComplaints,
  meanScore,
  openComplaints,
  scoresOf,
} from '../feedback/home-complaints.reads.ts'
import { dueOf, isDue, promisesDue } from '../promises/open-promises.reads.ts'
import { decisionsDue, lateOf, openOf, waitingSites } from '../questions/undecided.reads.ts'
import { waits, wordsDue } from '../threads/waiting-homes.reads.ts'
import { namedPeople } from './named-people.reads.ts'

const WAITS = waits('h.site_id')
const LIVING = 'h.owner_id IS NOT NULL AND h.ended_at IS NULL'
/** How far looking by link has come in a home: the furthest of its people. */
const VIDEO = `CASE
   WHEN EXISTS (SELECT 1 FROM video_grants g
     WHERE g.tenant_id = $1 AND g.site_id = h.site_id AND g.state = 'active') THEN 'granted'
   WHEN EXISTS (SELECT 1 FROM video_grants g
     WHERE g.tenant_id = $1 AND g.site_id = h.site_id AND g.state = 'stopped') THEN 'stopped'
   WHEN EXISTS (SELECT 1 FROM consents x
     JOIN home_contacts k ON k.tenant_id = $1 AND k.id = x.subject_id AND k.site_id = h.site_id
     WHERE x.tenant_id = $1 AND x.kind = 'ownerVideo' AND x.state = 1) THEN 'agreed'
   ELSE 'none' END`
/** `me` is who asks: a complaint about them may be kept from them. */
const columnsFor = (
  me: string,
) => `h.site_id AS id, h.id AS contact_id, h.version AS "contactVersion", o.name AS "ownerName",
     ${phoneText('o.phone', false)} AS phone,
     (SELECT count(*)::int FROM home_contacts x
       WHERE x.tenant_id = $1 AND x.site_id = h.site_id AND x.owner_id IS NULL AND x.ended_at IS NULL) AS contacts,
     w.code, w.ws_name, h.bc_id, c.bc_name, w.status, w.steward_id, coalesce(s.nickname, '') AS "stewardName",
     ${VIDEO} AS video, (SELECT ${epoch('max(v.at)')} FROM video_views v
       WHERE v.tenant_id = $1 AND v.site_id = h.site_id AND v.user_id IS NULL
         AND v.at >= h.since) AS "lastLookAt",
     ${epoch('h.since')} AS since, ${epoch('h.urgent_at')} AS "urgentAt",
     ${epoch('t.waiting_since')} AS "waitingSince",
     coalesce(t.due_at < :now, false) AS "replyLate", ${openOf('h.site_id')} AS "openQuestions",
     ${lateOf('h.site_id')} AS "lateQuestions",
     ${openComplaints('h.site_id', me)} AS "openComplaints", ${lateComplaints('h.site_id', me)} AS "lateComplaints",
     ${formerComplaints('h.site_id', 'h.since', me)} AS "formerComplaints",
     ${dueOf('h.site_id')} AS "duePromises", ${meanScore('h.site_id', 'h.since', me)} AS score,
     ${scoresOf('h.site_id', 'h.since', me)} AS scores`
const JOINS = `JOIN sites w ON w.tenant_id = $1 AND w.id = h.site_id
   JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
   JOIN companies c ON c.tenant_id = $1 AND c.bc_id = h.bc_id
   LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
   LEFT JOIN threads t ON t.tenant_id = $1 AND t.site_id = h.site_id`
const ofSite = (condition: string) =>
  `h.site_id IN (SELECT w.id FROM sites w WHERE w.tenant_id = $1 AND ${condition})`

/** Signatories of homes with the moment by which the first of what waits there, or waits there for `of`, is due. */
const urgent = (me: string, of: Mine | null) => `(SELECT k.*, u.at AS urgent_at
     FROM home_contacts k
     LEFT JOIN (SELECT x.site_id, min(x.at) AS at
       FROM (${[wordsDue(of), complaintsDue(of, me), promisesDue(of), decisionsDue(of)].join(`
       UNION ALL `)}) x
       GROUP BY x.site_id) u ON u.site_id = k.site_id
     WHERE k.tenant_id = $1 AND k.owner_id IS NOT NULL) h`

/**
 * Homes: each with its signatory, those that wait the worst first. A whole telephone number finds its home; a part of
 * one finds nobody. `supervises`: what others let wait is the caller's to do as well.
 */
export const homePage = (
  scope: Scope,
  q: QueryOf<(typeof ownersApi)['list']>,
  supervises: boolean,
): PageOf => {
  const where = scoped(scope, 'h').plain(LIVING)
  const me = where.asked(scope.user, 'uuid')
  where
    .when(q.id, (p) => `h.site_id = ${p}::uuid`)
    .when(q.bc_id, (p) => `h.bc_id = ANY(${p}::uuid[])`)
    .when(q.steward_id, (p) => ofSite(`w.steward_id = ${p}::uuid`))
    .when(q.video, (p) => `${VIDEO} = ${p}`)
    .plain(q.waits && 'h.urgent_at IS NOT NULL')
    .plain(q.waiting === true && WAITS)
    .plain(q.waiting === false && `NOT ${WAITS}`)
    .when(q.status, (p) => ofSite(`w.status = ANY(${p}::smallint[])`))
    .plain(q.complaint === true && complains('h.site_id', me))
    .plain(q.complaint === false && `NOT ${complains('h.site_id', me)}`)
    .plain(q.promise === true && isDue('h.site_id'))
    .plain(q.promise === false && `NOT ${isDue('h.site_id')}`)
    .plain(q.question && `h.site_id IN (${waitingSites(q.question)})`)
  if (q.keyword) {
    const people = namedPeople(where, q.keyword, 'site_id')
    const named = siteNamed(where, scope, 'w')
    where.add((p) => `(${ofSite(named(p))} OR h.site_id IN ${people})`, contains(q.keyword))
  }
  return {
    name: 'owners.page',
    columns: columnsFor(me),
    base: urgent(me, q.waits === homeWaits.code.mine ? { me: `${me}::uuid`, supervises } : null),
    alias: 'h',
    joins: JOINS,
    where,
    sort: q.sort,
    otherwise: ['h.urgent_at ASC NULLS LAST', 'h.since DESC'],
    tie: 'h.id DESC',
    sortable: {
      ownerName: `(SELECT o.name FROM owners o WHERE o.tenant_id = $1 AND o.id = h.owner_id) COLLATE "zh-x-icu"`,
      code: '(SELECT w.code FROM sites w WHERE w.tenant_id = $1 AND w.id = h.site_id)',
      since: 'h.since',
      urgentAt: 'h.urgent_at',
      complaints: openComplaints('h.site_id', me),
      promises: dueOf('h.site_id'),
      score: meanScore('h.site_id', 'h.since', me),
      waitingSince: `(SELECT t.waiting_since FROM threads t WHERE t.tenant_id = $1 AND t.site_id = h.site_id)`,
    },
    filled: ['ownerName', 'code', 'since'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const contactRow = row<Contact>({
  id: uuid,
  name: text,
  relation: text.of(contactRelation),
  signatory: bool,
  phone: text,
  since: float8,
  endedAt: float8.null,
  endedBy: text,
  endedFor: text,
  version: int4,
})
const NAME = `coalesce(h.name, o.name)`
const PHONE = `coalesce(h.phone, o.phone)`
const contactColumns = (
  whole: boolean,
) => `h.id, ${NAME} AS name, h.relation, h.owner_id IS NOT NULL AS signatory,
   ${phoneText(PHONE, whole)} AS phone, ${epoch('h.since')} AS since, ${epoch('h.ended_at')} AS "endedAt",
   h.ended_by AS "endedBy", h.ended_for AS "endedFor", h.version`
const CONTACT_FROM = `home_contacts h
   LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id`

export async function homeDetails(tx: Tx, scope: Scope, site: string): Promise<HomeDetail | undefined> {
  const where = siteScope(scope).add((p) => `w.id = ${p}::uuid`, site)
  const address = addressText(where, scope, 'w.address', { bc: 'w.bc_id', site: 'w.id' })
  const own = scoped(scope, 'h').add((p) => `h.site_id = ${p}::uuid`, site)
  const same = siteScope(scope).add(
    (p) => `w.id <> ${p}::uuid AND w.owner_id = (SELECT k.owner_id FROM sites k
       WHERE k.tenant_id = $1 AND k.id = ${p}::uuid)`,
    site,
  )
  const [homes, contacts, others] = await Promise.all([
    tx.query(
      'owners.home',
      row({
        id: uuid,
        code: text,
        ws_name: text,
        bc_id: uuid,
        bc_name: text,
        community: text,
        address: text,
        status: int2.of(siteStatus),
        contract: text,
        startDate: text.null,
        plannedFinish: text.null,
        steward_id: uuid.null,
        steward: text,
        manager: text,
        notice: text,
      }),
      `SELECT w.id, w.code, w.ws_name, w.bc_id, c.bc_name, w.community, ${address} AS address, w.status, w.contract,
         w.start_date::text AS "startDate", w.planned_finish::text AS "plannedFinish",
         w.steward_id, coalesce(s.nickname, '') AS steward, coalesce(m.nickname, '') AS manager,
         coalesce(o.notice, '') AS notice
       FROM sites w
       JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
       LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
       LEFT JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id
       LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = w.owner_id
       WHERE ${where.text}`,
      where.values,
    ),
    tx.query(
      'owners.contacts',
      contactRow,
      `SELECT ${contactColumns(false)} FROM ${CONTACT_FROM}
       WHERE ${own.text}
       ORDER BY h.ended_at DESC NULLS FIRST, h.owner_id IS NULL, h.since, h.id`,
      own.values,
    ),
    tx.query(
      'owners.others',
      row({ id: uuid, code: text, ws_name: text }),
      `SELECT w.id, w.code, w.ws_name FROM sites w WHERE ${same.text} ORDER BY w.code DESC LIMIT 20`,
      same.values,
    ),
  ])
  const home = homes.rows[0]
  return home && { ...home, contacts: contacts.rows, others: others.rows }
}

/** A site in reach with what its owner's commands need, locked until the transaction ends. */
export async function lockHome(tx: Tx, scope: Scope, site: string) {
  const where = siteScope(scope).add((p) => `w.id = ${p}::uuid`, site)
  const { rows } = await tx.query(
    'owners.lockhome',
    row({
      id: uuid,
      ws_name: text,
      bc_id: uuid,
      owner_id: uuid.null,
      manager_id: uuid.null,
      steward_id: uuid.null,
    }),
    `SELECT w.id, w.ws_name, w.bc_id, w.owner_id, w.manager_id, w.steward_id
     FROM sites w
     WHERE ${where.text}
     FOR UPDATE OF w`,
    where.values,
  )
  return rows[0]
}

/** One contact in reach with its whole number, locked; its site is locked before by `lockHome`. */
export async function lockContact(tx: Tx, scope: Scope, id: string) {
  const where = scoped(scope, 'h').add((p) => `h.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'owners.lockcontact',
    row({ ...contactRow, site_id: uuid, changedBy: text, changedAt: float8.null }),
    `SELECT ${contactColumns(true)}, h.site_id, h.changed_by AS "changedBy", ${epoch('h.changed_at')} AS "changedAt"
     FROM ${CONTACT_FROM}
     WHERE ${where.text}
     FOR UPDATE OF h`,
    where.values,
  )
  return rows[0]
}

/** Which site a contact is of. */
export async function siteOfContact(tx: Tx, scope: Scope, id: string): Promise<string | undefined> {
  const where = scoped(scope, 'h').add((p) => `h.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'owners.siteof',
    row({ site: uuid }),
    `SELECT h.site_id AS site FROM home_contacts h WHERE ${where.text}`,
    where.values,
  )
  return rows[0]?.site
}
