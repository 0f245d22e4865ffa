import type { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { siteActions } from '@zhuguan/contract/features/sites/sites.actions.ts'
import { type SiteRow, siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { distanceText, metres } from '@zhuguan/contract/kit/places.ts'
import type { Tx } from '../../database/connect.ts'
import { found, invalid, outside, refuse, Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { announce, tellSite } from '../live/live.service.ts'
import { pickPeople } from '../users/users.reads.ts'
import { lockSite } from './sites.queries.ts'

type Facts = BodyOf<(typeof sitesApi)['add']>
const STAGE_DAYS = 9

async function checkPlace(tx: Tx, call: Call, facts: Facts): Promise<void> {
  const { scope } = call.user
  if (scope.sites || (scope.bcs && !scope.bcs.includes(facts.bc_id))) throw outside()
  found((await tx.query('sites.branch', 'SELECT 1 FROM companies WHERE tenant_id = $1 AND bc_id = $2 AND status = 1', [scope.tenant, facts.bc_id])).rows[0])
  if (facts.store_id) found((await tx.query('sites.store', 'SELECT 1 FROM stores WHERE tenant_id = $1 AND id = $2 AND bc_id = $3', [scope.tenant, facts.store_id, facts.bc_id])).rows[0])
  if (facts.plannedStart && facts.plannedFinish && facts.plannedFinish < facts.plannedStart) throw invalid('plannedFinish', '计划完工不能早于计划开工')
}

async function tell(tx: Tx, call: Call, site: { id: string; bc_id: string }, title: string): Promise<void> {
  const tenant = call.user.tenant
  await tellSite(tx, { tenant, bc: site.bc_id, site: site.id, id: call.newId(), kind: 'site', at: call.now(), title, actor: call.user.nickname, ref: site.id })
  await announce(tx, { tenant, bc: site.bc_id, site: site.id, topic: 'site', what: 'changed', id: site.id })
}

export async function addSite(tx: Tx, call: Call, facts: Facts): Promise<{ id: string; code: string }> {
  await checkPlace(tx, call, facts)
  const tenant = call.user.tenant
  const id = call.newId()
  const today = shanghaiDay(call.now())
  // One sequence for everybody: numbers may leave gaps, but two clerks never wait for each other.
  const next = (await tx.query<{ n: number }>('sites.number', `SELECT nextval('site_numbers') AS n`, [])).rows[0]!.n
  const code = `GD${today.slice(2, 4)}${today.slice(5, 7)}${String(next).padStart(4, '0')}`
  tx.send(
    'sites.add',
    `INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, store_id, community, address, area, layout, style, planned_start, planned_finish) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [tenant, id, code, facts.ws_name, facts.bc_id, facts.store_id ?? null, facts.community, facts.address, facts.area ?? null, facts.layout, facts.style, facts.plannedStart ?? null, facts.plannedFinish ?? null],
  )
  const start = facts.plannedStart ?? today
  tx.send(
    'sites.stages',
    `INSERT INTO site_stages (tenant_id, site_id, stage, sort, planned_start, planned_finish) SELECT $1, $2, s.stage, s.sort, s.a, s.b FROM json_to_recordset($3::json) AS s(stage text, sort int, a date, b date)`,
    [tenant, id, JSON.stringify(siteStage.values.map((stage, i) => ({ stage, sort: i + 1, a: addDays(start, i * STAGE_DAYS), b: addDays(start, (i + 1) * STAGE_DAYS - 1) })))],
  )
  await call.log(tx, { action: '新增工地', object: 'site', objectId: id, after: facts })
  await tell(tx, call, { id, bc_id: facts.bc_id }, `新增工地 ${code}`)
  return { id, code }
}

/** Loads and locks, and refuses whoever has seen an older version. */
async function lockSeen(tx: Tx, call: Call, id: string, version: number): Promise<SiteRow> {
  const site = found(await lockSite(tx, call.user.scope, id))
  if (site.version !== version) throw new Refused('这个工地已被他人修改，请刷新后再试')
  return site
}

export async function editSite(tx: Tx, call: Call, body: BodyOf<(typeof sitesApi)['edit']>): Promise<void> {
  const before = await lockSeen(tx, call, body.id, body.version)
  // A person who sees single sites may correct one, but not move it to another branch.
  if (!call.user.scope.sites || body.bc_id !== before.bc_id) await checkPlace(tx, call, body)
  await tx.query(
    'sites.edit',
    `UPDATE sites SET ws_name = $3, bc_id = $4, store_id = coalesce($5, store_id), community = $6, address = $7, area = $8, layout = $9, style = $10, planned_start = coalesce($11, planned_start), planned_finish = coalesce($12, planned_finish), version = version + 1 WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, body.id, body.ws_name, body.bc_id, body.store_id ?? null, body.community, body.address, body.area ?? null, body.layout, body.style, body.plannedStart ?? null, body.plannedFinish ?? null],
  )
  await call.log(tx, { action: '编辑工地', object: 'site', objectId: body.id, before, after: body })
  await tell(tx, call, { id: body.id, bc_id: body.bc_id }, '修改工地资料')
}

export async function changeSite(tx: Tx, call: Call, body: BodyOf<(typeof sitesApi)['state']>): Promise<void> {
  const site = await lockSeen(tx, call, body.id, body.version)
  const action = siteActions.table[body.action]
  refuse(siteActions.refusal(body.action, site, call.user))
  if (body.action === 'terminate' && body.reason.length < 2) throw invalid('reason', '请写明终止合同的原因（至少 2 个字）')
  const today = shanghaiDay(call.now())
  await tx.query(
    'sites.state',
    `UPDATE sites SET status = $3::smallint, start_date = CASE WHEN $3::smallint = ${siteStatus.code.building} THEN coalesce(start_date, $4::date) ELSE start_date END, stage = CASE WHEN $3::smallint = ${siteStatus.code.building} THEN coalesce(stage, '${siteStage.code.briefing}') ELSE stage END,
      actual_finish = CASE WHEN $3::smallint = ${siteStatus.code.finished} THEN $4::date ELSE actual_finish END, no_work = '{}', no_work_run = 0, version = version + 1 WHERE tenant_id = $1 AND id = $2`,
    [call.user.tenant, body.id, action.to, today],
  )
  await call.log(tx, { action: action.label, object: 'site', objectId: body.id, before: { status: site.status }, after: { status: action.to, reason: body.reason } })
  await tell(tx, call, site, body.reason ? `${action.label}：${body.reason}` : action.label)
}

export async function changePeople(tx: Tx, call: Call, body: BodyOf<(typeof sitesApi)['people']>): Promise<void> {
  const site = await lockSeen(tx, call, body.id, body.version)
  const named = async (id: string | null) => (id === null ? null : found((await pickPeople(tx, call.user.scope, { id, siteId: body.id }))[0]).nickname)
  const steward = await named(body.steward_id)
  const manager = await named(body.manager_id)
  await tx.query('sites.people', 'UPDATE sites SET steward_id = $3, manager_id = $4, version = version + 1 WHERE tenant_id = $1 AND id = $2', [call.user.tenant, body.id, body.steward_id, body.manager_id])
  // Whose sites these are decides what people see.
  await tx.query('access.tell', `SELECT pg_notify('access', '')`, [])
  await call.log(tx, { action: '换管家/经理', object: 'site', objectId: body.id, before: { steward_id: site.steward_id, manager_id: site.manager_id }, after: { steward_id: body.steward_id, manager_id: body.manager_id } })
  await tell(tx, call, site, `项目管家：${steward ?? '无'}，项目经理：${manager ?? '无'}`)
}

/** A point put where the site is; who moved it from where stays in the log. */
export async function placeSite(tx: Tx, call: Call, body: BodyOf<(typeof sitesApi)['place']>): Promise<void> {
  const site = await lockSeen(tx, call, body.id, body.version)
  const [before] = (await tx.query<{ lng: number | null; lat: number | null }>('sites.placed', 'SELECT lng, lat FROM sites WHERE tenant_id = $1 AND id = $2', [call.user.tenant, body.id])).rows
  const after = { lng: body.lng, lat: body.lat }
  await tx.query('sites.place', 'UPDATE sites SET lng = $3, lat = $4, version = version + 1 WHERE tenant_id = $1 AND id = $2', [call.user.tenant, body.id, body.lng, body.lat])
  await call.log(tx, { action: '修正工地位置', object: 'site', objectId: body.id, before, after })
  await tell(tx, call, site, before?.lng != null && before.lat != null ? `修正位置，移动了${distanceText(metres({ lng: before.lng, lat: before.lat }, after))}` : '在地图上标注位置')
}
