import { attendance } from '@zhuguan/contract/features/attendance/attendance.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { violationStatus } from '@zhuguan/contract/features/violations/violations.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import type { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import {
  faceState,
  type WorkerDay,
  type WorkerDetail,
  workerSex,
  workerStatus,
} from '@zhuguan/contract/features/workers/workers.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { phoneText } from '../../kit/masked.ts'
import { bool, float8, int2, int4, json, row, text, uuid, type RowOf } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import type { PageOf, Where } from '../../kit/statement.ts'
import { epoch } from '../../kit/statement.ts'
import { expectedOn, memberOn } from '../attendance/attendance.reads.ts'
import { stateOn } from './documents.reads.ts'
import { FACE_STATE } from './faces.reads.ts'
import { matching, workerScope } from './workers.reads.ts'

export type WorkerFilters = QueryOf<(typeof workersApi)['list']>

/** What a list is read with: who asks, whether they read phones, and which day it is. */
export interface Reader {
  scope: Scope
  phones: boolean
  today: string
}
const came = (today: string) =>
  `EXISTS (SELECT 1 FROM attendance_days a WHERE a.tenant_id = k.tenant_id AND a.worker_id = k.id AND a.day = ${today})`
const due = (today: string) =>
  `EXISTS (SELECT 1 FROM site_members m JOIN sites w ON w.tenant_id = m.tenant_id AND w.id = m.site_id
       AND w.status = ${siteStatus.code.building} WHERE m.tenant_id = k.tenant_id AND m.worker_id = k.id
       AND ${memberOn('m', today)})`

function workerWhere({ scope, phones, today }: Reader, q: WorkerFilters): Where {
  return matching(workerScope(scope), q.keyword, phones)
    .when(q.bc_id, (p) => `k.bc_id = ANY(${p}::uuid[])`)
    .when(
      q.site_id,
      (p) =>
        `EXISTS (SELECT 1 FROM site_members m WHERE m.tenant_id = k.tenant_id AND m.worker_id = k.id
             AND m.site_id = ${p}::uuid AND m.left_on IS NULL)`,
    )
    .when(q.w_type, (p) => `k.w_type = ANY(${p}::smallint[])`)
    .when(q.w_sex, (p) => `k.w_sex = ${p}::smallint`)
    .when(q.status, (p) => `k.status = ANY(${p}::smallint[])`)
    .when(q.face, (p) => `${FACE_STATE} = ANY(${p}::int[])`)
    .when(
      q.document,
      (p) =>
        `EXISTS (SELECT 1 FROM worker_documents d WHERE d.tenant_id = k.tenant_id AND d.worker_id = k.id
           AND ${stateOn(p)} = ${q.document})`,
      () => today,
    )
    .when(
      q.today,
      (p) =>
        q.today === attendance.code.present
          ? came(`${p}::date`)
          : `NOT ${came(`${p}::date`)} AND ${due(`${p}::date`)}`,
      () => today,
    )
}

/** Rows of `k` with what the page shows of each; `at` is the placeholder of today. */
const rowsOf = ({ phones }: Reader, at: string) => ({
  columns: `k.id, k.w_id, k.w_name, k.bc_id, c.bc_name, k.w_type, k.w_sex,
       ${phoneText('k.w_contact', phones)} AS w_contact, coalesce(s.names, '') AS ws_names, k.w_face,
       ${FACE_STATE} AS face, k.team, CASE WHEN d.came THEN ${attendance.code.present}
       WHEN s.due THEN ${attendance.code.absent} END AS today, d.days AS "monthDays", b.n AS breaks, k.status,
       k.version`,
  joins: `JOIN companies c ON c.tenant_id = k.tenant_id AND c.bc_id = k.bc_id
    LEFT JOIN LATERAL (SELECT string_agg(w.ws_name, '、' ORDER BY m.entered_on, w.ws_name) FILTER (WHERE m.left_on IS NULL) AS names, bool_or(w.status = ${siteStatus.code.building} AND ${memberOn('m', at)}) AS due
      FROM site_members m JOIN sites w ON w.tenant_id = m.tenant_id AND w.id = m.site_id WHERE m.tenant_id = k.tenant_id AND m.worker_id = k.id) s ON true
    LEFT JOIN LATERAL (SELECT count(DISTINCT a.day)::int AS days, coalesce(bool_or(a.day = ${at}), false) AS came FROM attendance_days a WHERE a.tenant_id = k.tenant_id AND a.worker_id = k.id AND a.day BETWEEN date_trunc('month', ${at}::timestamp)::date AND ${at}) d ON true
    LEFT JOIN LATERAL (SELECT count(*)::int AS n FROM violations x WHERE x.tenant_id = k.tenant_id AND x.worker_id = k.id AND x.status <> ${violationStatus.code.withdrawn}) b ON true`,
})

export function workerPage(reader: Reader, q: WorkerFilters): PageOf {
  const where = workerWhere(reader, q)
  return {
    name: 'workers.page',
    ...rowsOf(reader, `$${where.values.push(reader.today)}::date`),
    base: 'workers k',
    where,
    sort: q.sort,
    otherwise: 'k.w_id ASC',
    tie: 'k.id ASC',
    sortable: {
      w_id: 'k.w_id',
      w_name: 'k.w_name COLLATE "zh-x-icu"',
      w_type: 'k.w_type',
      status: 'k.status',
    },
    filled: ['w_id', 'w_name', 'w_type', 'status'],
    pageNo: q.pageNo,
    pageSize: q.pageSize,
  }
}

const lockedWorker = row({
  id: uuid,
  w_id: text,
  w_name: text,
  bc_id: uuid,
  w_type: int2.of(workerType),
  w_sex: int2.of(workerSex),
  w_contact: text,
  w_face: text.null,
  team: text,
  user_id: uuid.null,
  status: int2.of(workerStatus),
  version: int4,
})
export type LockedWorker = RowOf<typeof lockedWorker>
/** A worker inside the scope, the row locked until the transaction ends. */
export async function lockWorker(tx: Tx, scope: Scope, id: string): Promise<LockedWorker | undefined> {
  const where = workerScope(scope).add((p) => `k.id = ${p}::uuid`, id)
  return (
    await tx.query(
      'workers.lock',
      lockedWorker,
      `SELECT k.id, k.w_id, k.w_name, k.bc_id, k.w_type, k.w_sex, k.w_contact, k.w_face, k.team,
         k.user_id, k.status, k.version
       FROM workers k
       WHERE ${where.text}
       FOR UPDATE`,
      where.values,
    )
  ).rows[0]
}

/** The whole page of one person; sites and clock-ins only as far as the reader sees the sites. */
export async function workerDetail(tx: Tx, reader: Reader, id: string): Promise<WorkerDetail | undefined> {
  const where = workerScope(reader.scope).add((p) => `k.id = ${p}::uuid`, id)
  const { columns, joins } = rowsOf(reader, `$${where.values.push(reader.today)}::date`)
  const { rows } = await tx.last(
    'workers.detail',
    row<WorkerDetail>({
      id: uuid,
      w_id: text,
      w_name: text,
      bc_id: uuid,
      bc_name: text,
      w_type: int2.of(workerType),
      w_sex: int2.of(workerSex),
      w_contact: text,
      ws_names: text,
      w_face: text.null,
      face: int4.of(faceState),
      team: text,
      today: int4.null,
      monthDays: int4,
      breaks: int4,
      status: int2.of(workerStatus),
      version: int4,
      account: json<{ id: string; nickname: string }>().null,
      last: json<{ at: number; site_id: string; ws_name: string; picture: string | null }>().null,
      sites: json<
        {
          site_id: string
          ws_name: string
          siteStatus: number
          enteredOn: string
          leftOn: string | null
          days: number
        }[]
      >(),
      score: json<{ mean: number; n: number }>().null,
      notice: text,
    }),
    `SELECT ${columns}, (SELECT json_build_object('id', u.id, 'nickname', u.nickname) FROM users u
        WHERE u.tenant_id = $1 AND u.id = k.user_id) AS account,
      (SELECT json_build_object('at', ${epoch('e.at')}, 'site_id', e.site_id, 'ws_name', w.ws_name, 'picture', e.picture) FROM attendance_events e JOIN sites w ON w.tenant_id = e.tenant_id AND w.id = e.site_id
        WHERE e.tenant_id = k.tenant_id AND e.worker_id = k.id AND e.source <> 'makeup' ORDER BY e.at DESC LIMIT 1) AS last,
      coalesce((SELECT json_agg(json_build_object('site_id', w.id, 'ws_name', w.ws_name, 'siteStatus', w.status, 'enteredOn', m.entered_on::text, 'leftOn', m.left_on::text,
          'days', (SELECT count(*)::int FROM attendance_days a WHERE a.tenant_id = k.tenant_id AND a.worker_id = k.id AND a.site_id = w.id AND a.day >= m.entered_on AND (m.left_on IS NULL OR a.day <= m.left_on))) ORDER BY (m.left_on IS NULL) DESC, m.entered_on DESC)
        FROM site_members m JOIN sites w ON w.tenant_id = m.tenant_id AND w.id = m.site_id AND w.deleted_at IS NULL WHERE m.tenant_id = k.tenant_id AND m.worker_id = k.id), '[]') AS sites,
      (SELECT json_build_object('mean', round(avg(m.score), 1)::float8, 'n', count(*)) FROM site_members m
        WHERE m.tenant_id = k.tenant_id AND m.worker_id = k.id AND m.score IS NOT NULL HAVING count(*) > 0) AS score,
      k.notice
     FROM workers k ${joins} WHERE ${where.text}`,
    where.values,
  )
  return rows[0]
}

/** Days on which the person came or was expected; days of rest and days nobody can speak of are neither. */
export async function workerDays(
  tx: Tx,
  scope: Scope,
  q: { id: string; from: string; to: string },
): Promise<WorkerDay[]> {
  const where = scoped(scope, 'd')
    .add((p) => `d.day >= ${p}::date`, q.from)
    .add((p) => `d.day <= ${p}::date`, q.to)
  const who = `$${where.values.push(q.id)}::uuid`
  const { rows } = await tx.query(
    'workers.days',
    row<WorkerDay>({ day: text, came: bool, sites: int4, hours: float8.null }),
    `SELECT d.day::text AS day, bool_or(a.worker_id IS NOT NULL) AS came, count(a.worker_id)::int AS sites, (sum(round(extract(epoch FROM a.last_at - a.first_at) / 3600, 1)) FILTER (WHERE a.last_at > a.first_at))::float8 AS hours
     FROM site_days d LEFT JOIN attendance_days a ON a.tenant_id = d.tenant_id AND a.day = d.day AND a.site_id = d.site_id AND a.worker_id = ${who}
     WHERE ${where.text} AND (a.worker_id IS NOT NULL OR (NOT d.rest AND NOT (d.blind AND d.present = 0) AND EXISTS (SELECT 1 FROM site_members m WHERE m.tenant_id = d.tenant_id AND m.site_id = d.site_id AND m.worker_id = ${who} AND ${expectedOn('m', 'd.day')})))
     GROUP BY d.day ORDER BY d.day`,
    where.values,
  )
  return rows
}

/** For pickers: workers that match, those of a site first, then those at work. */
export async function pickWorkers(tx: Tx, scope: Scope, q: QueryOf<(typeof workersApi)['pick']>) {
  const where = matching(workerScope(scope), q.keyword, false).when(q.id, (p) => `k.id = ${p}::uuid`)
  const site = `$${where.values.push(q.site_id ?? null)}`
  const { rows } = await tx.query(
    'workers.pick',
    row({ id: uuid, w_id: text, w_name: text, onSite: bool }),
    `SELECT k.id, k.w_id, k.w_name, x.here AS "onSite"
     FROM workers k
     CROSS JOIN LATERAL (SELECT EXISTS (
       SELECT 1 FROM site_members m
       WHERE m.tenant_id = $1 AND m.worker_id = k.id AND m.site_id = ${site}::uuid AND m.left_on IS NULL) AS here) x
     WHERE ${where.text}
     ORDER BY x.here DESC, k.status, k.w_id LIMIT 30`,
    where.values,
  )
  return rows
}
