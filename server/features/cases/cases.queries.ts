import type { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import {
  type CaseLack,
  caseScope,
  caseState,
  caseWhere,
} from '@zhuguan/contract/features/cases/cases.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int2, int4, row, type RowOf, text, texts, uuid } from '../../kit/row.ts'
import { scoped, siteScope } from '../../kit/scoped.ts'
import { contains, epoch, type PageOf, plain, TODAY, type Where } from '../../kit/statement.ts'
import { SAYS_NO } from './asked.ts'
import { PRICE_BAND } from './case-content.queries.ts'
import { LIVING } from './living.ts'

export type CaseFilters = QueryOf<(typeof casesApi)['list']>
const { asked, candidate, consented, published } = caseState.code

/** The progress of its pictures, and the first that is released. */
const PICTURES = `CROSS JOIN LATERAL (
       SELECT count(*) FILTER (WHERE p.state = 'raw')::int AS raw,
         count(*) FILTER (WHERE p.state = 'masked')::int AS masked,
         count(*) FILTER (WHERE p.state = 'released')::int AS released,
         count(*) FILTER (WHERE p.state = 'released' AND p.masked_picture = ANY (k.agreed))::int AS agreed,
         (array_agg(p.masked_picture ORDER BY p.taken_on DESC, p.id DESC)
           FILTER (WHERE p.state = 'released'))[1] AS cover
       FROM case_pictures p
       WHERE p.tenant_id = $1 AND p.case_id = k.id) x`
/** The fault of its pictures that keeps it from being asked about or shown. */
const LACKS_PICTURES = `CASE
       WHEN NOT ${LIVING} OR k.state = '${asked}' THEN ''
       WHEN x.raw + x.masked + x.released = 0 THEN '还没有照片'
       WHEN k.state <> '${candidate}' AND x.agreed > 0 THEN ''
       WHEN x.raw > 0 AND x.masked > 0 THEN x.raw || ' 张照片待打码，' || x.masked || ' 张待另一个人放行'
       WHEN x.raw > 0 THEN x.raw || ' 张照片待打码'
       WHEN x.masked > 0 THEN x.masked || ' 张照片待另一个人放行'
       WHEN k.state <> '${candidate}' AND x.agreed = 0 THEN '业主看过的照片都已撤下，请收回征求后重新征求'
       ELSE '' END`
/** Who of the home says no, where its signatory has said yes. */
const LACKS_WORD = `coalesce((SELECT string_agg(coalesce(h.name, o.name), '、' ORDER BY h.since, h.id)
         FROM home_contacts h
         LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
         WHERE k.state = '${consented}' AND h.tenant_id = $1 AND h.site_id = k.site_id AND ${SAYS_NO})
       || '说过不同意，要本人改变主意（在自己的页面上或当面）才能上架', '')`
/** The reason why it cannot be asked about or shown yet: one sentence, for the list and for the button. */
export const MISSING = `coalesce(nullif(${LACKS_PICTURES}, ''), ${LACKS_WORD})`
const READY = `(k.state = '${consented}' AND k.until >= ${TODAY} AND ${MISSING} = '')`
const LACKS: Readonly<Record<CaseLack, string>> = {
  masks: `${LACKS_PICTURES} <> ''`,
  consent: `(k.state = '${asked}' OR k.state = '${candidate}' AND ${LACKS_PICTURES} = '' OR ${LACKS_WORD} <> '')`,
}
const SITE = 'JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id'
const BASE = `cases k ${SITE} ${PICTURES}`
const COLUMNS = `k.id, k.title, k.state, CASE WHEN ${LIVING} THEN x.cover END AS cover, k.site_id,
     w.ws_name AS "siteName", k.bc_id, c.bc_name, w.style, w.layout, ${plain('w.area')} AS area,
     ${PRICE_BAND} AS "priceRange", k.until::text AS until,
     CASE WHEN k.state IN ('${consented}', '${published}') THEN k.until - ${TODAY} END AS "daysLeft",
     x.raw, x.masked, x.released, ${MISSING} AS missing, k.places, k.scope,
     k.openings, ${epoch('k.changed_at')} AS "changedAt", k.version`
const COMPANY = 'JOIN companies c ON c.tenant_id = $1 AND c.bc_id = k.bc_id'

function narrowed(scope: Scope, q: Partial<CaseFilters>): Where {
  return scoped(scope, 'k')
    .when(q.id, (p) => `k.id = ${p}::uuid`)
    .when(q.keyword || undefined, (p) => `(k.title ILIKE ${p} OR w.ws_name ILIKE ${p})`, contains)
    .when(q.state, (p) => `k.state = ANY(${p}::text[])`)
    .when(q.style, (p) => `w.style = ${p}`)
    .when(q.layout, (p) => `w.layout = ${p}`)
    .when(q.bc_id, (p) => `k.bc_id = ANY(${p}::uuid[])`)
    .when(q.site_id, (p) => `k.site_id = ${p}::uuid`)
    .plain(q.soon === true && READY)
    .plain(q.soon === false && `NOT ${READY}`)
    .plain(q.lack !== undefined && LACKS[q.lack])
}

export const casePage = (scope: Scope, q: CaseFilters): PageOf => ({
  name: 'cases.page',
  base: BASE,
  alias: 'k',
  columns: COLUMNS,
  joins: `${SITE} ${PICTURES} ${COMPANY}`,
  where: narrowed(scope, q),
  sort: q.sort,
  otherwise: 'k.changed_at DESC',
  tie: 'k.id ASC',
  sortable: { changedAt: 'k.changed_at', until: 'k.until', title: 'k.title', openings: 'k.openings' },
  filled: ['changedAt', 'title', 'openings'],
  pageNo: q.pageNo,
  pageSize: q.pageSize,
})

const caseColumns = {
  id: uuid,
  title: text,
  state: text.of(caseState),
  cover: text.null,
  site_id: uuid,
  siteName: text,
  bc_id: uuid,
  bc_name: text,
  style: text,
  layout: text,
  area: text.null,
  priceRange: text.null,
  until: text.null,
  daysLeft: int4.null,
  raw: int4,
  masked: int4,
  released: int4,
  missing: text,
  places: texts.of(caseWhere),
  scope: texts.of(caseScope),
  openings: int4,
  changedAt: float8,
  version: int4,
}
const wholeCase = row({ ...caseColumns, words: text, askedBy: text, askedAt: float8.null })
const WHOLE = `${COLUMNS}, k.words, k.asked_by AS "askedBy", ${epoch('k.asked_at')} AS "askedAt"`

export async function caseOf(tx: Tx, scope: Scope, id: string) {
  const where = narrowed(scope, { id })
  const { rows } = await tx.query(
    'cases.one',
    wholeCase,
    `SELECT ${WHOLE} FROM ${BASE} ${COMPANY} WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

const lockedCase = row({
  id: uuid,
  bc_id: uuid,
  site_id: uuid,
  title: text,
  words: text,
  state: text.of(caseState),
  scope: texts.of(caseScope),
  places: texts.of(caseWhere),
  until: text.null,
  contact_id: uuid.null,
  missing: text,
  ws_name: text,
  community: text,
  address: text,
  owner: text.null,
  status: int2.of(siteStatus),
  steward_id: uuid.null,
  version: int4,
})
export type LockedCase = RowOf<typeof lockedCase>
/**
 * One case in reach until the transaction ends. Its home is held first, as by whoever ends a contact, sells the home or
 * ends the works: then the case is read as it is.
 */
export async function lockCase(tx: Tx, scope: Scope, by: { id: string } | { living: string }) {
  const where = scoped(scope, 'k')
  if ('id' in by) where.add((p) => `k.id = ${p}::uuid`, by.id)
  else where.add((p) => `k.site_id = ${p}::uuid`, by.living).plain(LIVING)
  const held = await tx.query(
    'cases.home',
    row({ id: uuid }),
    `SELECT w.id FROM cases k ${SITE} WHERE ${where.text} FOR NO KEY UPDATE OF w`,
    where.values,
  )
  if (held.rows.length === 0) return undefined
  await tx.query('cases.hold', row({ id: uuid }), `SELECT k.id FROM cases k WHERE ${where.text} FOR UPDATE`, [
    ...where.values,
  ])
  const { rows } = await tx.query(
    'cases.locked',
    lockedCase,
    `SELECT k.id, k.bc_id, k.site_id, k.title, k.words, k.state, k.scope, k.places, k.until::text AS until,
       k.contact_id, ${MISSING} AS missing, w.ws_name, w.community, w.address, o.name AS owner, w.status,
       w.steward_id, k.version
     FROM ${BASE}
     LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = w.owner_id
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

/** A site in reach that a case is made of, until the transaction ends. */
export async function lockSite(tx: Tx, scope: Scope, id: string) {
  const where = siteScope(scope).add((p) => `w.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'cases.site',
    row({
      id: uuid,
      bc_id: uuid,
      ws_name: text,
      community: text,
      address: text,
      owner: text.null,
      status: int2.of(siteStatus),
    }),
    `SELECT w.id, w.bc_id, w.ws_name, w.community, w.address, w.status,
       (SELECT o.name FROM owners o WHERE o.tenant_id = $1 AND o.id = w.owner_id) AS owner
     FROM sites w
     WHERE ${where.text}
     FOR NO KEY UPDATE OF w`,
    where.values,
  )
  return rows[0]
}

/** The progress of what is in reach, and the values that its filters offer. */
export async function standingOf(tx: Tx, scope: Scope) {
  const where = scoped(scope, 'k')
  const { rows } = await tx.query(
    'cases.standing',
    row({ ready: int4, lackConsent: int4, lackMasks: int4, styles: texts, layouts: texts }),
    `SELECT count(*) FILTER (WHERE ${READY})::int AS ready,
       count(*) FILTER (WHERE ${LACKS.consent})::int AS "lackConsent",
       count(*) FILTER (WHERE ${LACKS.masks})::int AS "lackMasks",
       coalesce(array_agg(DISTINCT w.style ORDER BY w.style) FILTER (WHERE w.style <> ''), '{}') AS styles,
       coalesce(array_agg(DISTINCT w.layout ORDER BY w.layout) FILTER (WHERE w.layout <> ''), '{}') AS layouts
     FROM ${BASE}
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]!
}

/** The cases whose last day is over, the oldest first. */
export async function overdueOf(tx: Tx, tenant: string, most: number): Promise<string[]> {
  const { rows } = await tx.query(
    'cases.overdue',
    row({ id: uuid }),
    `SELECT k.id FROM cases k
     WHERE k.tenant_id = $1 AND k.state IN ('${asked}', '${consented}', '${published}') AND k.until < ${TODAY}
     ORDER BY k.until, k.id
     LIMIT ${most}`,
    [tenant],
  )
  return rows.map((r) => r.id)
}
