import type { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import {
  noWork,
  type SiteRow,
  siteStatus,
  tidinessLevel,
} from '@zhuguan/contract/features/sites/sites.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { addressText, isAddressTold, roundPoint, toldText } from '../../kit/home-address.ts'
import { correctionKept } from '../../kit/kept-from.ts'
import { phoneText } from '../../kit/masked.ts'
import { bool, int2, int2s, int4, row, text, uuid } from '../../kit/row.ts'
import { saidSites } from '../../kit/said-sites.ts'
import { reaching, siteScope } from '../../kit/scoped.ts'
import { epoch, contains, type PageOf, type Where } from '../../kit/statement.ts'
import { peopleOf } from '../attendance/attendance.reads.ts'
import { overdue } from '../corrections/corrections.reads.ts'
import { restDaySql } from '../settings/settings.reads.ts'
import { STAGE_STATE } from './sites.reads.ts'

type Filters = QueryOf<(typeof sitesApi)['points']>

/** `told`: which of its corrections `k` are counted; `address`: what is said of it. */
const columnsFor = (
  told: string,
  address: string,
): string => `w.id, w.code, w.ws_name, w.bc_id, c.bc_name, coalesce(t.name, '') AS "storeName", w.community,
     ${address} AS address, w.status, w.stage, w.progress, w.start_date::text AS "startDate",
     w.planned_finish::text AS "plannedFinish", w.no_work AS "noWork", w.no_work_run AS "noWorkRun",
     w.steward_id, coalesce(s.nickname, '') AS "stewardName", w.manager_id,
     coalesce(m.nickname, '') AS "managerName", w.devices_online AS "devicesOnline",
     w.devices_total AS "devicesTotal", w.tidiness, w.lived_in AS "livedIn", w.open_alarms AS "openAlarms",
     (SELECT count(*)::int FROM corrections k
       WHERE k.tenant_id = $1 AND k.site_id = w.id AND k.source <> 'alarm'
         AND k.correction_status IN (1, 2) AND ${told}) AS "openCorrections", w.contract,
     coalesce(o.name, '') AS "ownerName", w.version`
const WHERE_IT_IS = { bc: 'w.bc_id', site: 'w.id' }
export const SITE_COLUMNS = columnsFor('true', 'w.address')
const SITE_JOINS = `JOIN companies c ON c.tenant_id = w.tenant_id AND c.bc_id = w.bc_id
   LEFT JOIN stores t ON t.tenant_id = w.tenant_id AND t.id = w.store_id
   LEFT JOIN owners o ON o.tenant_id = w.tenant_id AND o.id = w.owner_id
   LEFT JOIN users s ON s.tenant_id = w.tenant_id AND s.id = w.steward_id
   LEFT JOIN users m ON m.tenant_id = w.tenant_id AND m.id = w.manager_id`
export const SITE_FROM = `sites w ${SITE_JOINS}`

const LOCATED = 'w.lng IS NOT NULL AND w.lat IS NOT NULL'
/** One of its open alarms is past its time. Who sees a site sees its alarms; $1 is the tenant of every scope. */
const LATE = `(w.id IN (SELECT a.site_id FROM alarms a
       WHERE a.tenant_id = $1 AND a.site_id IS NOT NULL AND ${overdue('a')}))`
export function siteWhere(scope: Scope, q: Filters): Where {
  const where = siteScope(scope)
  const named = saidSites(where, scope)
  return where
    .when(q.keyword || undefined, (p) => `w.id IN ${named(p)}`, contains)
    .when(q.bc_id, (p) => `w.bc_id = ANY(${p}::uuid[])`)
    .when(q.store_id, (p) => `w.store_id = ANY(${p}::uuid[])`)
    .when(q.status, (p) => `w.status = ANY(${p}::smallint[])`)
    .when(q.stage, (p) => `w.stage = ANY(${p}::text[])`)
    .when(q.noWork, (p) => `w.no_work && ${p}::smallint[]`)
    .plain(q.stopped === true && `w.no_work <> '{}'`)
    .plain(q.stopped === false && `w.no_work = '{}'`)
    .plain(q.alarmed === true && 'w.open_alarms > 0')
    .plain(q.alarmed === false && 'w.open_alarms = 0')
    .plain(q.overdue === true && LATE)
    .plain(q.overdue === false && `NOT ${LATE}`)
    .plain(q.deviceStatus === 1 && 'w.devices_total > 0 AND w.devices_online = w.devices_total')
    .plain(q.deviceStatus === 2 && 'w.devices_online < w.devices_total')
    .when(q.tidiness, (p) => `w.tidiness = ANY(${p}::smallint[])`)
    .when(q.steward_id, (p) => `w.steward_id = ${p}::uuid`)
    .when(q.manager_id, (p) => `w.manager_id = ${p}::uuid`)
    .when(q.startFrom, (p) => `w.start_date >= ${p}::date`)
    .when(q.startTo, (p) => `w.start_date <= ${p}::date`)
    .plain(q.located === true && LOCATED)
    .plain(q.located === false && `NOT (${LOCATED})`)
    .when(
      q.area,
      (p) => `${p}::polygon @> point(w.lng, w.lat)`,
      (v) =>
        `(${v
          .split(';')
          .map((at) => `(${at})`)
          .join(',')})`,
    )
    .when(q.ids, (p) => `w.id = ANY(${p}::uuid[])`)
}

export function sitePage(scope: Scope, q: QueryOf<(typeof sitesApi)['list']>): PageOf {
  const where = siteWhere(scope, q)
  const me = where.asked(scope.user, 'uuid')
  return {
    name: 'sites.page',
    columns: columnsFor(
      `NOT ${correctionKept('k', me)}`,
      addressText(where, scope, 'w.address', WHERE_IT_IS),
    ),
    base: 'sites w',
    joins: SITE_JOINS,
    where,
    sort: q.sort,
    otherwise: 'w.code DESC',
    tie: 'w.id DESC',
    sortable: {
      code: 'w.code',
      ws_name: 'w.ws_name COLLATE "zh-x-icu"',
      status: 'w.status',
      progress: 'w.progress',
      startDate: 'w.start_date',
      plannedFinish: 'w.planned_finish',
      noWorkRun: 'w.no_work_run',
      openAlarms: 'w.open_alarms',
      tidiness: 'w.tidiness',
    },
    filled: ['code', 'ws_name', 'status', 'progress', 'noWorkRun', 'openAlarms'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

/** Sites of the filters by what they are; each count is the list's total under the filter that the legend sets. */
const COUNTED = `'all', count(*),
  'overdue', count(*) FILTER (WHERE ${LATE}),
  'inTime', count(*) FILTER (WHERE w.open_alarms > 0 AND NOT ${LATE}),
  'stopped', count(*) FILTER (WHERE w.no_work <> '{}'),
  'quiet', count(*) FILTER (WHERE w.status = ${siteStatus.code.building} AND w.open_alarms = 0 AND w.no_work = '{}'),
  'notStarted', count(*) FILTER (WHERE w.status = ${siteStatus.code.notStarted}),
  'ended', count(*) FILTER (WHERE w.status IN (${siteStatus.code.terminated}, ${siteStatus.code.finished}))`

/** All points of a map as columns, formed in one pass over the sites. */
export async function sitePointsJson(tx: Tx, scope: Scope, q: Filters): Promise<string> {
  const where = siteWhere(scope, q)
  const told = isAddressTold(where, scope, WHERE_IT_IS)
  const column = (name: string, value: string) =>
    `'"${name}":[' || coalesce(string_agg((${value})::text, ',') FILTER (WHERE ${LOCATED}), '') || ']'`
  const { rows } = await tx.last(
    'sites.points',
    row({ json: text }),
    `SELECT '{"ids":"' || coalesce(string_agg(replace(w.id::text, '-', ''), '') FILTER (WHERE ${LOCATED}), '') || '",'
       || ${[
         column('lng', `(${roundPoint('w.lng', told)} * 1e6)::int`),
         column('lat', `(${roundPoint('w.lat', told)} * 1e6)::int`),
         column('status', 'w.status'),
         column('stopped', `CASE WHEN w.no_work = '{}' THEN 0 ELSE greatest(w.no_work_run, 1) END`),
         column('alarms', 'w.open_alarms'),
         column('overdue', `CASE WHEN ${LATE} THEN 1 ELSE 0 END`),
       ].join(` || ',' || `)}
       || ',"unplaced":' || count(*) FILTER (WHERE NOT (${LOCATED}))
       || ',"counts":' || json_build_object(${COUNTED}) || '}' AS json
     FROM sites w
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]!.json
}

export async function lockSite(tx: Tx, scope: Scope, id: string): Promise<SiteRow | undefined> {
  const where = siteScope(scope).add((p) => `w.id = ${p}::uuid`, id)
  return (
    await tx.query(
      'sites.lock',
      row<SiteRow>({
        id: uuid,
        code: text,
        ws_name: text,
        bc_id: uuid,
        bc_name: text,
        storeName: text,
        community: text,
        address: text,
        status: int2.of(siteStatus),
        stage: text.null,
        progress: int2,
        startDate: text.null,
        plannedFinish: text.null,
        noWork: int2s.of(noWork),
        noWorkRun: int4,
        steward_id: uuid.null,
        stewardName: text,
        manager_id: uuid.null,
        managerName: text,
        devicesOnline: int4,
        devicesTotal: int4,
        tidiness: int2.of(tidinessLevel).null,
        livedIn: bool,
        openAlarms: int4,
        openCorrections: int4,
        contract: text,
        ownerName: text,
        version: int4,
      }),
      `SELECT ${SITE_COLUMNS} FROM ${SITE_FROM} WHERE ${where.text} FOR UPDATE OF w`,
      where.values,
    )
  ).rows[0]
}

/** The whole page of one site as JSON, formed in one statement. */
export async function siteDetailJson(
  tx: Tx,
  scope: Scope,
  id: string,
  today: string,
  { phones, noLook }: { phones: boolean; noLook: string },
): Promise<string | undefined> {
  const where = siteScope(scope).add((p) => `w.id = ${p}::uuid`, id)
  const isTold = isAddressTold(where, scope, WHERE_IT_IS)
  const address = toldText(isTold, 'w.address')
  const pointText = (of: 'lng' | 'lat') => `${roundPoint(`w.${of}`, isTold)} AS ${of}`
  const day = `$${where.values.length + 1}::date`
  const shut = `$${where.values.length + 2}::text`
  const told = `NOT ${correctionKept('k', `$${where.values.length + 3}`)}`
  const { rows } = await tx.last(
    'sites.detail',
    row({ json: text }),
    `SELECT row_to_json(r)::text AS json FROM (SELECT ${columnsFor(told, address)}, w.store_id, w.area::text AS area,
      w.outside_contract AS "outsideContract", w.layout, w.style, ${pointText('lng')}, ${pointText('lat')},
      w.planned_start::text AS "plannedStart", w.actual_finish::text AS "actualFinish",
      CASE WHEN s.id IS NULL THEN NULL ELSE json_build_object('id', s.id, 'nickname', s.nickname, 'phone', ${phoneText('s.phone', phones)}) END AS steward,
      CASE WHEN m.id IS NULL THEN NULL ELSE json_build_object('id', m.id, 'nickname', m.nickname, 'phone', ${phoneText('m.phone', phones)}) END AS manager,
      CASE WHEN o.id IS NULL THEN NULL ELSE json_build_object('name', o.name, 'phone', ${phoneText('o.phone', false)}) END AS owner,
      coalesce((SELECT json_agg(json_build_object('stage', g.stage, 'state', ${STAGE_STATE}, 'sort', g.sort, 'acceptedBy', g.accepted_by, 'plannedStart', g.planned_start::text, 'plannedFinish', g.planned_finish::text, 'actualStart', g.actual_start::text, 'actualFinish', g.actual_finish::text, 'baselineStart', g.baseline_start::text, 'baselineFinish', g.baseline_finish::text) ORDER BY g.sort) FROM site_stages g WHERE g.tenant_id = w.tenant_id AND g.site_id = w.id), '[]') AS stages,
      coalesce((SELECT json_agg(json_build_object('id', k.id, 'w_name', k.w_name, 'w_type', k.w_type, 'enteredOn', sm.entered_on::text, 'present', EXISTS (SELECT 1 FROM attendance_days a WHERE a.tenant_id = w.tenant_id AND a.day = ${day} AND a.site_id = w.id AND a.worker_id = k.id)) ORDER BY k.w_type, k.w_name)
        FROM site_members sm JOIN workers k ON k.tenant_id = sm.tenant_id AND k.id = sm.worker_id WHERE sm.tenant_id = w.tenant_id AND sm.site_id = w.id AND sm.left_on IS NULL), '[]') AS team,
      coalesce((SELECT json_agg(json_build_object('id', d.id, 'sn', d.sn, 'type', d.type, 'deviceStatus', d.device_status, 'lastSeen', ${epoch('d.last_seen')}) ORDER BY d.type, d.sn) FROM devices d WHERE d.tenant_id = w.tenant_id AND d.site_id = w.id AND d.deleted_at IS NULL), '[]') AS devices,
      (SELECT json_build_object('key', d.last_picture, 'at', ${epoch('d.last_picture_at')}) FROM devices d
        WHERE d.tenant_id = $1 AND d.site_id = w.id AND d.deleted_at IS NULL AND d.last_picture_at IS NOT NULL
        AND ${shut} = '' ORDER BY d.last_picture_at DESC LIMIT 1) AS picture, ${shut} AS "noLook",
      (SELECT json_build_object('rests', ${restDaySql('w.tenant_id', 'w.bc_id', day)},
        'expected', n.expected, 'present', n.present,
        'guests', n.present - n.expected + n.absent,
        'alarms', (SELECT count(*)::int FROM alarms a WHERE a.tenant_id = w.tenant_id AND a.site_id = w.id AND a.at >= (${day}::timestamp AT TIME ZONE 'Asia/Shanghai')),
        'firstIn', (SELECT ${epoch('min(a.first_at)')} FROM attendance_days a
          WHERE a.tenant_id = w.tenant_id AND a.day = ${day} AND a.site_id = w.id))
        FROM ${peopleOf('w.tenant_id', 'w.id', day)} n) AS today
     FROM ${SITE_FROM} WHERE ${where.text}) r`,
    [...where.values, today, noLook, scope.user],
  )
  return rows[0]?.json
}

/** For pickers: sites that match, those under construction first. */
export async function pickSites(tx: Tx, scope: Scope, q: QueryOf<(typeof sitesApi)['pick']>) {
  const where = siteScope(scope)
  const named = saidSites(where, scope)
  where
    .when(q.keyword || undefined, (p) => `w.id IN ${named(p)}`, contains)
    .when(q.id, (p) => `w.id = ${p}::uuid`)
    .when(q.bc_id, (p) => `w.bc_id = ${p}::uuid`)
  const { rows } = await tx.query(
    'sites.pick',
    row({ id: uuid, code: text, ws_name: text }),
    `SELECT w.id, w.code, w.ws_name FROM sites w WHERE ${where.text} ORDER BY w.status, w.code DESC LIMIT 30`,
    where.values,
  )
  return rows
}

/** Stores that a site of these branches may belong to. */
export async function pickStores(tx: Tx, scope: Scope, q: QueryOf<(typeof sitesApi)['stores']>) {
  const where = reaching(scope, 's', {
    branch: (p) => `s.bc_id = ANY(${p}::uuid[])`,
    site: (p) =>
      `s.bc_id IN (SELECT k.bc_id FROM sites k WHERE k.tenant_id = $1 AND k.id = ANY(${p}::uuid[]))`,
  })
    .when(q.bc_id, (p) => `s.bc_id = ${p}::uuid`)
    .plain('s.status = 1')
  const { rows } = await tx.query(
    'sites.pickstores',
    row({ id: uuid, bc_id: uuid, name: text }),
    `SELECT s.id, s.bc_id, s.name FROM stores s WHERE ${where.text} ORDER BY s.name, s.id`,
    where.values,
  )
  return rows
}

/** The owner of a site that is locked, with the whole number. */
export async function ownerOf(tx: Tx, tenant: string, site: string) {
  const { rows } = await tx.query(
    'sites.owner',
    row({ id: uuid, name: text, phone: text }),
    `SELECT o.id, o.name, o.phone FROM sites w
     JOIN owners o ON o.tenant_id = $1 AND o.id = w.owner_id
     WHERE w.tenant_id = $1 AND w.id = $2`,
    [tenant, site],
  )
  return rows[0]
}
