import type { nearbyApi } from '@zhuguan/contract/features/nearby/nearby.api.ts'
import { type NearbyPlace, type NearbyPoint } from '@zhuguan/contract/features/nearby/nearby.record.ts'
import { siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'
import { DEGREE_M } from '@zhuguan/contract/kit/places.ts'

import type { Tx } from '../../database/connect.ts'
import { bool, int2, int4, row, text, texts, uuid } from '../../kit/row.ts'
import { contains, TODAY } from '../../kit/statement.ts'
import { AREA_BAND } from '../cases/cases.reads.ts'

export type Around = QueryOf<(typeof nearbyApi)['around']>
const { building, finished } = siteStatus.code
const MOST_PLACES = 20
const MOST_POINTS = 400
const MOST_HOMES = 200

/** A home that may be told of, with where it stands; what is not begun and what ended before it was done is not. */
const TOLD = `w.tenant_id = $1 AND w.deleted_at IS NULL AND w.status IN (${building}, ${finished})
       AND w.community <> '' AND w.lng IS NOT NULL AND w.lat IS NOT NULL`
export const CITY = 'JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id'
const COUNTS = `count(*) FILTER (WHERE w.status = ${building})::int AS building,
       count(*) FILTER (WHERE w.status = ${finished})::int AS finished`
/** Communities, each at the average of its homes. */
export const PLACES = `SELECT w.community, c.city, avg(w.lng) AS lng, avg(w.lat) AS lat, ${COUNTS}
     FROM sites w ${CITY}
     WHERE ${TOLD}
     GROUP BY w.community, c.city`
/**
 * Communities `p` around the one that is called $2 in the city $3, or where most homes are, or around a point $5 metres
 * east and $6 north of it, or around the point $7, $8 alone; at most $4 metres away.
 */
const NEAR = `WITH places AS (${PLACES}),
     here AS (
       SELECT c.community, c.city, c.lng + $5::float8 / (${DEGREE_M} * cos(radians(c.lat))) AS lng,
         c.lat + $6::float8 / ${DEGREE_M} AS lat
       FROM (
         SELECT community, city, lng, lat FROM places
         WHERE community = $2 AND ($3::text = '' OR city = $3)
         ORDER BY building + finished DESC, city
         LIMIT 1) c
       WHERE $7::float8 IS NULL
       UNION ALL
       SELECT '', '', $7::float8, $8::float8 WHERE $7::float8 IS NOT NULL),
     told AS (
       SELECT p.community, p.city, p.building, p.finished,
         round((p.lng - h.lng) * ${DEGREE_M} * cos(radians(h.lat)))::int AS east,
         round((p.lat - h.lat) * ${DEGREE_M})::int AS north
       FROM places p CROSS JOIN here h),
     near AS (
       SELECT t.*, round(sqrt(t.east::float8 * t.east + t.north::float8 * t.north))::int AS metres
       FROM told t
       WHERE t.east::float8 * t.east + t.north::float8 * t.north <= ($4::float8 * $4))`
const HOMES = `near p
     JOIN companies c ON c.tenant_id = $1 AND c.city = p.city
     JOIN sites w ON w.tenant_id = $1 AND w.bc_id = c.bc_id AND w.community = p.community AND ${TOLD}`
const WORKING = `EXISTS (SELECT FROM attendance_days y
       WHERE y.tenant_id = $1 AND y.day = ${TODAY} AND y.site_id = w.id)`

export async function placesCalled(tx: Tx, tenant: string, keyword: string): Promise<NearbyPlace[]> {
  const { rows } = await tx.query(
    'nearby.places',
    row<NearbyPlace>({ community: text, city: text, building: int4, finished: int4 }),
    `SELECT w.community, c.city, ${COUNTS}
     FROM sites w ${CITY}
     WHERE ${TOLD} AND w.community ILIKE $2
     GROUP BY w.community, c.city
     ORDER BY w.community <> $3, count(*) DESC, w.community, c.city
     LIMIT ${MOST_PLACES}`,
    [tenant, contains(keyword), keyword],
  )
  return rows
}

function placeOf(tenant: string, q: Around) {
  const [lng = null, lat = null] = q.point?.split(',') ?? []
  return [tenant, q.community, q.city, q.radius, q.east, q.north, lng, lat]
}

/** The community that was said is the first, where it is near; none where nobody knows such a one. */
export async function pointsAround(tx: Tx, tenant: string, q: Around): Promise<NearbyPoint[]> {
  const { rows } = await tx.query(
    'nearby.points',
    row<NearbyPoint>({
      community: text,
      city: text,
      building: int4,
      finished: int4,
      east: int4,
      north: int4,
      metres: int4,
    }),
    `${NEAR}
     SELECT p.community, p.city, p.building, p.finished, p.east, p.north, p.metres
     FROM near p
     ORDER BY EXISTS (SELECT FROM here h WHERE h.community = p.community AND h.city = p.city) DESC, p.metres,
       p.community
     LIMIT ${MOST_POINTS}`,
    placeOf(tenant, q),
  )
  return rows
}

export async function figuresAround(tx: Tx, tenant: string, q: Around) {
  const { rows } = await tx.query(
    'nearby.figures',
    row({
      building: int4,
      finished: int4,
      working: int4,
      days: int4.null,
      daysOf: int4,
      onTime: int4,
      onTimeOf: int4,
      styles: texts,
    }),
    `${NEAR}
     SELECT ${COUNTS}, count(*) FILTER (WHERE w.status = ${building} AND ${WORKING})::int AS working,
       round((percentile_cont(0.5) WITHIN GROUP (ORDER BY w.actual_finish - w.start_date + 1))::numeric)::int AS days,
       count(w.actual_finish - w.start_date)::int AS "daysOf",
       count(*) FILTER (WHERE w.actual_finish <= w.planned_finish)::int AS "onTime",
       count(w.actual_finish - w.planned_finish)::int AS "onTimeOf",
       coalesce(array_agg(DISTINCT w.style ORDER BY w.style) FILTER (WHERE w.style <> ''), '{}') AS styles
     FROM ${HOMES}`,
    placeOf(tenant, q),
  )
  return rows[0]!
}

/** The nearest ones of what was chosen, and how many there are of it. */
export async function homesAround(tx: Tx, tenant: string, q: Around) {
  const { rows } = await tx.query(
    'nearby.homes',
    row({
      id: uuid,
      bc_id: uuid,
      community: text,
      city: text,
      metres: int4,
      status: int2.of(siteStatus),
      stage: text.of(siteStage).null,
      days: int4.null,
      style: text,
      areaRange: text.null,
      working: bool,
      total: int4,
    }),
    `${NEAR}
     SELECT h.*, count(*) OVER ()::int AS total
     FROM (
       SELECT w.id, w.bc_id, p.community, p.city, p.metres, w.status,
         CASE WHEN w.status = ${building} THEN w.stage END AS stage,
         coalesce(w.actual_finish, ${TODAY}) - w.start_date + 1 AS days, w.style, ${AREA_BAND} AS "areaRange",
         w.status = ${building} AND ${WORKING} AS working
       FROM ${HOMES}
       WHERE ($9::text IS NULL OR w.status = ${building} AND w.stage = $9)
         AND ($10::text IS NULL OR w.style = $10)) h
     WHERE $11::text IS NULL OR h.working AND $11 = 'working' OR h.status = ${building} AND $11 = 'building'
       OR h.status = ${finished} AND $11 = 'finished'
     ORDER BY h.metres, h.community, h.status = ${finished}, h.days, h.id
     LIMIT ${MOST_HOMES}`,
    [...placeOf(tenant, q), q.stage ?? null, q.style ?? null, q.status ?? null],
  )
  return rows
}
