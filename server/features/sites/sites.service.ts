import { siteActions } from '@zhuguan/contract/features/sites/sites.actions.ts'
import type { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { type SiteRow, siteStage, siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'
import { maskPhone } from '@zhuguan/contract/kit/masked.ts'
import { distanceText, metres } from '@zhuguan/contract/kit/places.ts'

import type { Tx } from '../../database/connect.ts'
import { changed } from '../../kit/changed.ts'
import { initials } from '../../kit/initials.ts'
import { actorAt } from '../../kit/reach.ts'
import { found, invalid, outside, refuse, Refused } from '../../kit/refuse.ts'
import { float8, int8, row, text, there, uuid } from '../../kit/row.ts'
import { hasBranch } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import type { SiteEnd, SiteEnding, SiteKeeping } from '../../kit/site-life.ts'
import { handOver } from '../corrections/hand-over.service.ts'
import { tellSites } from '../live/live.bulk.ts'
import { tell } from '../live/live.service.ts'
import { followPosts } from '../promises/promise-posts.service.ts'
import { announceAccess } from '../session/access.service.ts'
import { followThread } from '../threads/home-threads.service.ts'
import { fasterOne } from '../userlogs/userlogs.service.ts'
import { pickPeople } from '../users/users.reads.ts'
import { aftercareOf } from './aftercare.service.ts'
import { makeSignatories } from './home-contacts.service.ts'
import { keepLeads } from './leads.service.ts'
import { type Owner, ownerIn, writeOwner } from './site-owner.service.ts'
import { startOf, startStages } from './site-start.service.ts'
import { lockSite } from './sites.queries.ts'

type Facts = BodyOf<(typeof sitesApi)['add']>
const STAGE_DAYS = 9
const STAGES = siteStage.values.length

async function checkPlace(tx: Tx, call: Call, facts: Facts): Promise<void> {
  const { scope } = call.user
  if (!hasBranch(scope, facts.bc_id)) throw outside()
  const branch = tx.query(
    'sites.branch',
    there,
    'SELECT 1 FROM companies WHERE tenant_id = $1 AND bc_id = $2 AND status = 1',
    [scope.tenant, facts.bc_id],
  )
  const store = facts.store_id
    ? tx.query('sites.store', there, 'SELECT 1 FROM stores WHERE tenant_id = $1 AND id = $2 AND bc_id = $3', [
        scope.tenant,
        facts.store_id,
        facts.bc_id,
      ])
    : branch
  for (const { rows } of await Promise.all([branch, store])) found(rows[0])
  if (facts.plannedStart && facts.plannedFinish && facts.plannedFinish < facts.plannedStart)
    throw invalid('plannedFinish', '计划完工不能早于计划开工')
  if (((facts.lng ?? null) === null) !== ((facts.lat ?? null) === null))
    throw invalid('lng', '经度和纬度要一起填')
}
/** A line of the site's timeline, and its row anew for whoever looks at it. */
export const tellSite = (tx: Tx, call: Call, site: { id: string; bc_id: string }, title: string): void =>
  tell(tx, call, { topic: 'site', bc: site.bc_id, site: site.id, id: site.id, line: { kind: 'site', title } })

export interface NewSite extends Omit<Facts, 'owner' | 'ownerPhone'> {
  owner?: Owner | undefined
  /** One who is known already. */
  owner_id?: string
  /** The contract that opens it. */
  contract?: string
}
/** One sequence for everybody: numbers may leave gaps, but two clerks never wait for each other. */
async function takeNumbers(tx: Tx, many: number): Promise<number[]> {
  const one = `SELECT nextval('site_numbers') AS n`
  const { rows } =
    many === 1
      ? await tx.query('sites.number', row({ n: int8 }), one)
      : await tx.query('sites.numbers', row({ n: int8 }), `${one} FROM generate_series(1, $1::int)`, [many])
  return rows.map((r) => r.n)
}

/**
 * New sites with their numbers, stages, owners and first line of the timeline, a statement each whatever their number.
 * Who has something else to ask asks for the numbers with it.
 */
export async function insertSites(
  tx: Tx,
  call: Call,
  all: readonly NewSite[],
  taken = takeNumbers(tx, all.length),
): Promise<{ id: string; code: string }[]> {
  const tenant = call.user.tenant
  const today = shanghaiDay(call.now())
  const numbers = await taken
  const rows = all.map((s, i) => ({
    ...s,
    id: call.newId(),
    code: `GD${today.slice(2, 4)}${today.slice(5, 7)}${String(numbers[i]!).padStart(4, '0')}`,
    owner_id: s.owner ? call.newId() : (s.owner_id ?? null),
    initials: initials(s.ws_name),
    start: s.plannedStart ?? null,
    finish: s.plannedFinish ?? null,
  }))
  const owners = rows.flatMap((r) => (r.owner ? [{ id: r.owner_id, bc_id: r.bc_id, ...r.owner }] : []))
  if (owners.length)
    tx.send(
      'sites.owners',
      `INSERT INTO owners (tenant_id, id, bc_id, name, phone, notice)
       SELECT $1, id, bc_id, name, phone, coalesce(notice, '')
       FROM json_to_recordset($2::json) AS x(id uuid, bc_id uuid, name text, phone text, notice text)`,
      [tenant, JSON.stringify(owners)],
    )
  tx.send(
    'sites.add',
    `INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, store_id, owner_id, community, address, area,
         layout, style, planned_start, planned_finish, steward_id, manager_id, lng, lat, contract, initials)
     SELECT $1, id, code, ws_name, bc_id, store_id, owner_id, community, address, area, layout, style,
       "plannedStart", "plannedFinish", steward_id, manager_id, lng, lat, coalesce(contract, ''), initials
     FROM json_to_recordset($2::json) AS x(id uuid, code text, ws_name text, bc_id uuid, store_id uuid,
         owner_id uuid, community text, address text, area numeric, layout text, style text,
         "plannedStart" date, "plannedFinish" date, steward_id uuid, manager_id uuid, lng float8, lat float8,
         contract text, initials text)`,
    [tenant, JSON.stringify(rows)],
  )
  keepLeads(
    tx,
    tenant,
    rows.map((r) => r.id),
  )
  tx.send(
    'sites.stages',
    `INSERT INTO site_stages (tenant_id, site_id, stage, sort, planned_start, planned_finish)
     SELECT $1, w.id, s.stage, s.sort, w.start + (s.sort::int - 1) * w.days / ${STAGES},
       w.start + greatest(s.sort::int * w.days / ${STAGES} - 1, (s.sort::int - 1) * w.days / ${STAGES})
     FROM (SELECT x.id, x.start, coalesce(x.finish - x.start + 1, ${STAGES * STAGE_DAYS}) AS days
         FROM json_to_recordset($2::json) AS x(id uuid, start date, finish date)) w,
       unnest($3::text[]) WITH ORDINALITY AS s(stage, sort)`,
    [tenant, JSON.stringify(rows.map(({ id, start, finish }) => ({ id, start, finish }))), siteStage.values],
  )
  makeSignatories(
    tx,
    call,
    rows.filter((r) => r.owner_id).map((r) => r.id),
  )
  await tellSites(
    tx,
    rows.map((r) => ({
      tenant,
      bc: r.bc_id,
      site: r.id,
      kind: 'site',
      at: call.now().getTime() / 1000,
      title: `新增工地 ${r.code}`,
      actor: call.user.nickname,
      ref: r.id,
      picture: null,
    })),
  )
  return rows.map(({ id, code }) => ({ id, code }))
}

export async function addSite(tx: Tx, call: Call, facts: Facts): Promise<{ id: string; code: string }> {
  const { ownerPhone, ...rest } = facts
  const owner = ownerIn(facts)
  const taken = takeNumbers(tx, 1)
  await Promise.all([checkPlace(tx, call, facts), taken])
  const leads = { steward_id: facts.steward_id ?? null, manager_id: facts.manager_id ?? null }
  await namesOf(tx, call, leads, { bc: facts.bc_id })
  const [site] = await insertSites(tx, call, [{ ...rest, ...leads, owner }], taken)
  // Whose sites these are decides what people see.
  if (leads.steward_id || leads.manager_id) announceAccess(tx)
  await call.log(tx, {
    action: '新增工地',
    object: 'site',
    objectId: site!.id,
    after: { ...facts, ownerPhone: maskPhone(ownerPhone) },
  })
  tell(tx, call, { topic: 'site', bc: facts.bc_id, site: site!.id, id: site!.id })
  return site!
}

/** Loads and locks, and refuses whoever has seen an older version. */
export async function lockSeen(tx: Tx, call: Call, id: string, version: number): Promise<SiteRow> {
  const site = found(await lockSite(tx, call.user.scope, id))
  if (site.version !== version) throw await fasterOne(tx, call.user.tenant, 'site', id, '个工地')
  return site
}

export async function editSite(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof sitesApi)['edit']>,
  life: SiteKeeping,
): Promise<void> {
  const before = await lockSeen(tx, call, body.id, body.version)
  // A person who sees single sites may correct one, but not move it to another branch.
  if (hasBranch(call.user.scope, before.bc_id) || body.bc_id !== before.bc_id)
    await checkPlace(tx, call, body)
  // Devices, team and alarms are the branch's too: they are named before, and go along.
  if (body.bc_id !== before.bc_id)
    throw new Refused('换分公司请用“转分公司”，那里会先说明设备、班组和报警怎么办')
  const owner = await writeOwner(tx, call, before, body)
  const { rows } = await tx.query(
    'sites.edit',
    row({
      ws_name: text,
      store_id: uuid.null,
      community: text,
      address: text,
      area: text.null,
      layout: text,
      style: text,
      plannedStart: text.null,
      plannedFinish: text.null,
      lng: float8.null,
      lat: float8.null,
    }),
    // It answers what stood there before.
    `UPDATE sites w
     SET ws_name = $3, bc_id = $4, store_id = CASE WHEN $13 THEN $5 ELSE w.store_id END,
       community = $6, address = $7, area = $8, layout = $9, style = $10,
       planned_start = coalesce($11, w.planned_start), planned_finish = coalesce($12, w.planned_finish),
       owner_id = coalesce($14, w.owner_id), lng = coalesce($15, w.lng), lat = coalesce($16, w.lat),
       initials = $17,
       version = w.version + 1
     FROM sites was
     WHERE w.tenant_id = $1 AND w.id = $2 AND was.tenant_id = $1 AND was.id = $2
     RETURNING was.ws_name, was.store_id, was.community, was.address, was.area::text, was.layout, was.style,
       was.planned_start::text AS "plannedStart", was.planned_finish::text AS "plannedFinish", was.lng, was.lat`,
    [
      call.user.tenant,
      body.id,
      body.ws_name,
      body.bc_id,
      body.store_id ?? null,
      body.community,
      body.address,
      body.area ?? null,
      body.layout,
      body.style,
      body.plannedStart ?? null,
      body.plannedFinish ?? null,
      body.store_id !== undefined,
      owner,
      body.lng ?? null,
      body.lat ?? null,
      initials(body.ws_name),
    ],
  )
  if (owner) makeSignatories(tx, call, [body.id])
  const leads = {
    steward_id: body.steward_id === undefined ? before.steward_id : body.steward_id,
    manager_id: body.manager_id === undefined ? before.manager_id : body.manager_id,
  }
  if (leads.steward_id !== before.steward_id || leads.manager_id !== before.manager_id)
    await leadBy(tx, call, before, leads, life)
  const { bc_id: _same, ownerPhone, plannedStart, plannedFinish, lng, lat, ...facts } = body
  // What is left empty keeps what stands.
  const asked = {
    ...facts,
    ...leads,
    ownerPhone: maskPhone(ownerPhone) || undefined,
    plannedStart: plannedStart ?? undefined,
    plannedFinish: plannedFinish ?? undefined,
    lng: lng ?? undefined,
    lat: lat ?? undefined,
  }
  const was = {
    ...rows[0]!,
    owner: before.ownerName,
    ownerPhone: null,
    steward_id: before.steward_id,
    manager_id: before.manager_id,
  }
  await call.log(tx, { action: '编辑工地', object: 'site', objectId: body.id, ...changed(was, asked) })
  tellSite(tx, call, { id: body.id, bc_id: body.bc_id }, '修改工地资料')
}

export async function changeSite(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof sitesApi)['state']>,
  life: SiteEnding & { refuseEnd(tx: Tx, call: Call, site: SiteRow, how: SiteEnd): Promise<void> },
): Promise<void> {
  const site = await lockSeen(tx, call, body.id, body.version)
  const action = siteActions.table[body.action]
  const aftercare = await aftercareOf(tx, call, site, body)
  if (body.action === 'start')
    refuse(siteActions.refusal('start', site, actorAt(call.user, { bc_id: site.bc_id, site_id: site.id })))
  else await life.refuseEnd(tx, call, site, body.action)
  if (body.action === 'terminate' && body.reason.length < 2)
    throw invalid('reason', '请写明终止合同的原因（至少 2 个字）')
  const start = body.action === 'start' ? startOf(call, site, body) : null
  await tx.run(
    'sites.state',
    `UPDATE sites SET status = $3::smallint, start_date = coalesce($4::date, start_date),
       planned_finish = coalesce($5::date, planned_finish), outside_contract = coalesce($6, outside_contract),
       stage = CASE WHEN $4::date IS NULL THEN stage ELSE coalesce(stage, '${siteStage.code.briefing}') END,
       actual_finish = CASE WHEN $3::smallint = ${siteStatus.code.finished} THEN $7::date ELSE actual_finish END,
       terminated_at = CASE WHEN $3::smallint = ${siteStatus.code.terminated} THEN :now END,
       no_work = '{}', no_work_run = 0, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [
      call.user.tenant,
      body.id,
      action.to,
      start?.day ?? null,
      start?.finish ?? null,
      start?.reason ?? null,
      shanghaiDay(call.now()),
    ],
  )
  if (start) await startStages(tx, call, site.id, start.day, start.finish)
  else if (body.action !== 'start') await life.end(tx, call, site, body.action, body.reason, aftercare)
  await call.log(tx, {
    action: action.label,
    object: 'site',
    objectId: body.id,
    before: { status: site.status },
    after: {
      status: action.to,
      reason: body.reason,
      ...(aftercare && { aftercare_id: aftercare.id }),
      ...(start ? { startDate: start.day, plannedFinish: start.finish } : {}),
    },
  })
  const by = site.contract ? `合同 ${site.contract}` : '合同外'
  const outside = start ? `（${start.day}，${by}）` : ''
  const then = aftercare ? `，售后由${aftercare.nickname}负责` : ''
  tellSite(tx, call, site, `${action.label}${outside}${then}${body.reason ? `：${body.reason}` : ''}`)
}

export async function changePeople(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof sitesApi)['people']>,
  life: SiteKeeping,
): Promise<void> {
  const site = await lockSeen(tx, call, body.id, body.version)
  await leadBy(tx, call, site, body, life)
  await call.log(tx, {
    action: '换管家/经理',
    object: 'site',
    objectId: body.id,
    before: { steward_id: site.steward_id, manager_id: site.manager_id },
    after: { steward_id: body.steward_id, manager_id: body.manager_id },
  })
}

type Leads = Pick<SiteRow, 'steward_id' | 'manager_id'>
/**
 * Their names, when they work in the branch, in the caller's reach, and have the post; who leads the site already
 * (`was`) goes on without being asked.
 */
async function namesOf(
  tx: Tx,
  call: Call,
  leads: Leads,
  at: { siteId: string } | { bc: string },
  was?: SiteRow,
): Promise<{ steward: string | null; manager: string | null }> {
  const named = async (id: string | null, post: number, field: string) => {
    if (id === null) return null
    const { nickname } = found((await pickPeople(tx, call.user.scope, { ...at, id }))[0])
    if (!(await pickPeople(tx, call.user.scope, { ...at, id, post })).length)
      throw invalid(field, `${nickname}的岗位不是${principalPost.label(post)}`)
    return nickname
  }
  const { manager, steward } = principalPost.code
  return {
    steward:
      was && was.steward_id === leads.steward_id
        ? was.stewardName
        : await named(leads.steward_id, steward, 'steward_id'),
    manager:
      was && was.manager_id === leads.manager_id
        ? was.managerName
        : await named(leads.manager_id, manager, 'manager_id'),
  }
}

/** Other people lead a site: they see it from now on, and what the others had open is theirs. */
async function leadBy(tx: Tx, call: Call, site: SiteRow, leads: Leads, life: SiteKeeping): Promise<void> {
  // A site is begun with both, and never goes on without one of them (docs/states.md, 工地).
  if (site.status === siteStatus.code.building && !(leads.steward_id && leads.manager_id))
    throw invalid(leads.steward_id ? 'manager_id' : 'steward_id', '在建工地须同时有项目管家和项目经理')
  const { steward, manager } = await namesOf(tx, call, leads, { siteId: site.id }, site)
  await tx.run(
    'sites.people',
    'UPDATE sites SET steward_id = $3, manager_id = $4, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, site.id, leads.steward_id, leads.manager_id],
  )
  keepLeads(tx, call.user.tenant, [site.id])
  const posts = [
    { from: site.steward_id, to: leads.steward_id, post: principalPost.label(principalPost.code.steward) },
    { from: site.manager_id, to: leads.manager_id, post: principalPost.label(principalPost.code.manager) },
  ]
  for (const { from, to, post } of posts)
    if (from && from !== to) await handOver(tx, call, site, { from, to, post })
  await followPosts(tx, call, { id: site.id, ...leads }, '负责人更换')
  if (leads.steward_id && leads.steward_id !== site.steward_id)
    await life.keeping(tx, call, site.id, leads.steward_id)
  if (leads.steward_id !== site.steward_id) await followThread(tx, call, { ...site, ...leads }, '负责人更换')
  // Whose sites these are decides what people see.
  announceAccess(tx)
  tellSite(tx, call, site, `项目管家：${steward || '无'}，项目经理：${manager || '无'}`)
}

/** A point put where the site is; who moved it from where stays in the log. */
export async function placeSite(tx: Tx, call: Call, body: BodyOf<(typeof sitesApi)['place']>): Promise<void> {
  const site = await lockSeen(tx, call, body.id, body.version)
  const [before] = (
    await tx.query(
      'sites.placed',
      row({ lng: float8.null, lat: float8.null }),
      'SELECT lng, lat FROM sites WHERE tenant_id = $1 AND id = $2',
      [call.user.tenant, body.id],
    )
  ).rows
  const after = { lng: body.lng, lat: body.lat }
  await tx.run(
    'sites.place',
    'UPDATE sites SET lng = $3, lat = $4, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, body.id, body.lng, body.lat],
  )
  await call.log(tx, { action: '修正工地位置', object: 'site', objectId: body.id, before, after })
  const { lng, lat } = before ?? {}
  const moved = lng != null && lat != null ? metres({ lng, lat }, after) : null
  const said = moved === null ? '在地图上标注位置' : `修正位置，移动了${distanceText(moved)}`
  tellSite(tx, call, site, said)
}
