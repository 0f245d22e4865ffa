import { filmOf } from '@zhuguan/contract/features/cases/cases.film.ts'
import {
  type CaseScope,
  caseScope,
  type PublicCase,
  type PublicPicture,
} from '@zhuguan/contract/features/cases/cases.record.ts'
import { siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, float8, int2, int4, row, text, texts, uuid } from '../../kit/row.ts'
import { epoch, TODAY } from '../../kit/statement.ts'
import { LIVING } from './living.ts'

const { community, layout, photos, praise, price } = caseScope.code

/** 15–20 万: a band of fifty thousand, whatever the contract says exactly. */
const moneyBand = (total: string) => `(SELECT CASE WHEN t.v < 50000 THEN '5 万以下'
           ELSE (floor(t.v / 50000) * 5)::int || '–' || (floor(t.v / 50000) * 5 + 5)::int || ' 万' END
         FROM (SELECT ${total} AS v) t WHERE t.v > 0)`
/** 80–100 ㎡ */
export const AREA_BAND = `CASE WHEN w.area > 0
         THEN (floor(w.area / 20) * 20)::int || '–' || (floor(w.area / 20) * 20 + 20)::int || ' ㎡' END`

/** The band of the signed contract of the site `w`; its exact price leaves the database nowhere. */
export const PRICE_BAND = moneyBand(`(SELECT n.total FROM contracts n
           WHERE n.tenant_id = $1 AND n.site_id = w.id AND n.state NOT IN ('void', 'ended')
             AND n.signing_progress = 3
           LIMIT 1)`)

interface Picture extends PublicPicture {
  case_id: string
  device_id: string | null
  at: number | null
}
/** Pictures of one camera belong together, where there are at least two. */
function paired(pictures: readonly Picture[]): PublicPicture[] {
  const cameras = [...new Set(pictures.map((p) => p.device_id).filter((id) => id !== null))].filter(
    (id) => pictures.filter((p) => p.device_id === id).length > 1,
  )
  return pictures.map(({ day, device_id, key, stage }) => {
    const pair = device_id === null ? -1 : cameras.indexOf(device_id)
    return { key, stage, day, pair: pair < 0 ? null : pair + 1 }
  })
}

const filmed = (pictures: readonly Picture[]): string[] =>
  filmOf(pictures.map(({ at, device_id: camera, key }) => ({ camera, at, key }))).map((p) => p.key)

/** `asked`: what its people were asked about; `now`: what they would be asked about if it were done now. */
export type Reading = 'asked' | 'now'

/**
 * What is told of these cases, whoever it is told to: what its people did not agree to is not among it. Whether it may
 * be told at all is the caller's to ask first.
 */
export async function contentOf(
  tx: Tx,
  tenant: string,
  ids: readonly string[],
  reading: Reading = 'asked',
): Promise<PublicCase[]> {
  if (ids.length === 0) return []
  const { rows } = await tx.query(
    'cases.content',
    row({
      id: uuid,
      site_id: uuid,
      bc_id: uuid,
      title: text,
      words: text,
      scope: texts.of(caseScope),
      until: text,
      style: text,
      layout: text,
      areaRange: text.null,
      community: text,
      days: int4.null,
      finished: bool,
      priceRange: text.null,
      praise: text.null,
    }),
    `SELECT k.id, k.site_id, k.bc_id, k.title, k.words, k.scope, coalesce(k.until::text, '') AS until, w.style,
       w.layout, ${AREA_BAND} AS "areaRange", w.community,
       coalesce(w.actual_finish, ${TODAY}) - w.start_date + 1 AS days,
       w.status = ${siteStatus.code.finished} AS finished, ${PRICE_BAND} AS "priceRange",
       (SELECT f.words FROM feedback f WHERE f.tenant_id = $1 AND f.id = k.praise_id) AS praise
     FROM cases k
     JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
     WHERE k.tenant_id = $1 AND k.id = ANY ($2::uuid[])
     ORDER BY k.changed_at DESC, k.id`,
    [tenant, ids],
  )
  const sites = [...new Set(rows.map((r) => r.site_id))]
  const [stages, team, pictures] = await Promise.all([
    stagesOf(tx, tenant, sites),
    teamOf(tx, tenant, sites),
    picturesOf(tx, tenant, ids, reading),
  ])
  return rows.map((r) => {
    const own = pictures.filter((p) => p.case_id === r.id)
    const has = (what: CaseScope) => reading === 'now' || r.scope.includes(what)
    return {
      id: r.id,
      site_id: r.site_id,
      bc_id: r.bc_id,
      title: r.title,
      words: r.words,
      style: r.style,
      layout: has(layout) ? r.layout : null,
      areaRange: has(layout) ? r.areaRange : null,
      priceRange: has(price) ? r.priceRange : null,
      community: has(community) ? r.community : null,
      days: r.days,
      finished: r.finished,
      stages: stages.filter((s) => s.site_id === r.site_id).map(({ from, name, to }) => ({ name, from, to })),
      pictures: has(photos) ? paired(own) : [],
      film: has(photos) ? filmed(own) : [],
      praise: has(praise) ? r.praise : null,
      team: team.filter((t) => t.site_id === r.site_id).map(({ surname, trade }) => ({ trade, surname })),
      until: r.until,
    }
  })
}

/** Days on which each stage really began and was accepted. */
async function stagesOf(tx: Tx, tenant: string, sites: readonly string[]) {
  const { rows } = await tx.query(
    'cases.stages',
    row({ site_id: uuid, name: text.of(siteStage), from: text, to: text.null }),
    `SELECT g.site_id, g.stage AS name, g.actual_start::text AS from, g.actual_finish::text AS to
     FROM site_stages g
     WHERE g.tenant_id = $1 AND g.site_id = ANY ($2::uuid[]) AND g.actual_start IS NOT NULL
     ORDER BY g.site_id, g.sort`,
    [tenant, sites],
  )
  return rows
}
/** The people who built it, by trade and surname; those who lead are named by their post elsewhere. */
async function teamOf(tx: Tx, tenant: string, sites: readonly string[]) {
  const { rows } = await tx.query(
    'cases.team',
    row({ site_id: uuid, trade: int2.of(workerType), surname: text }),
    `SELECT m.site_id, k.w_type AS trade, left(k.w_name, 1) || '师傅' AS surname
     FROM site_members m
     JOIN workers k ON k.tenant_id = $1 AND k.id = m.worker_id
     WHERE m.tenant_id = $1 AND m.site_id = ANY ($2::uuid[])
       AND k.w_type NOT IN (${workerType.code.steward}, ${workerType.code.manager})
     GROUP BY m.site_id, k.w_type, left(k.w_name, 1)
     ORDER BY m.site_id, k.w_type, 3`,
    [tenant, sites],
  )
  return rows
}
/** Released renditions; of what was asked only those that its people were shown. */
async function picturesOf(
  tx: Tx,
  tenant: string,
  ids: readonly string[],
  reading: Reading,
): Promise<Picture[]> {
  const { rows } = await tx.query(
    'cases.shown',
    row({
      case_id: uuid,
      device_id: uuid.null,
      key: text,
      stage: text.of(siteStage).null,
      day: text,
      at: float8.null,
    }),
    `SELECT p.case_id, p.device_id, p.masked_picture AS key, p.stage, p.taken_on::text AS day,
       ${epoch('p.taken_at')} AS at
     FROM case_pictures p
     JOIN cases k ON k.tenant_id = $1 AND k.id = p.case_id
     WHERE p.tenant_id = $1 AND p.case_id = ANY ($2::uuid[]) AND p.state = 'released' AND ${LIVING}
       AND ($3 OR p.masked_picture = ANY (k.agreed))
     ORDER BY p.case_id, p.taken_on, p.id`,
    [tenant, ids, reading === 'now'],
  )
  return rows.map((r) => ({ ...r, pair: null }))
}
