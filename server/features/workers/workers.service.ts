import { noticeGiven } from '@zhuguan/contract/features/consents/notices.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { leadsSites } from '@zhuguan/contract/features/workers/trades.record.ts'
import { workerActions } from '@zhuguan/contract/features/workers/workers.actions.ts'
import type { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { changed } from '../../kit/changed.ts'
import { found, invalid, outside, refuse } from '../../kit/refuse.ts'
import { int2, int8, row, text, there, type RowOf, uuid } from '../../kit/row.ts'
import { hasBranch, siteScope } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { countSiteDays } from '../attendance/attendance.service.ts'
import { decidePosts } from '../attendance/posts.service.ts'
import type { FileStore } from '../files/files.service.ts'
import { tell } from '../live/live.service.ts'
import { pickPeople } from '../users/users.reads.ts'
import { endFace } from './faces.service.ts'
import { lockSeen, tellBranch } from './seen-worker.ts'
import { type LockedWorker, lockWorker } from './workers.queries.ts'

export type WorkerFacts = BodyOf<(typeof workersApi)['add']>
const DAYS_BACK = 7
const PASSED_OVER = 50
const DAYS_AHEAD = 30

/** New workers in one statement; answers the id of each in the same order, null for whose number is taken. */
export async function insertWorkers(
  tx: Tx,
  call: Call,
  all: readonly WorkerFacts[],
): Promise<(string | null)[]> {
  const numbered = all.filter((w) => !w.w_id).length
  const numbers = numbered
    ? (
        await tx.query(
          'workers.numbers',
          row({ n: int8 }),
          `SELECT nextval('worker_numbers') AS n FROM generate_series(1, $1::int)`,
          [numbered],
        )
      ).rows
    : []
  const rows = all.map(({ told, ...w }) => ({
    ...w,
    notice: noticeGiven('worker', told),
    id: call.newId(),
    w_id: w.w_id || `GR${String(numbers.shift()!.n).padStart(6, '0')}`,
  }))
  const { rows: stored } = await tx.query(
    'workers.add',
    row({ id: uuid }),
    `INSERT INTO workers (tenant_id, id, w_id, w_name, bc_id, w_type, w_sex, w_contact, team, notice)
     SELECT $1, id, w_id, w_name, bc_id, w_type, w_sex, w_contact, team, notice
     FROM json_to_recordset($2::json) AS x(id uuid, w_id text, w_name text, bc_id uuid, w_type int, w_sex int,
         w_contact text, team text, notice text)
     ON CONFLICT (tenant_id, w_id)
     DO NOTHING
     RETURNING id`,
    [call.user.tenant, JSON.stringify(rows)],
  )
  const kept = new Set(stored.map((r) => r.id))
  return rows.map((r) => (kept.has(r.id) ? r.id : null))
}

/** People who see single sites name nobody new: a newcomer stands on no site yet. */
async function checkBranch(tx: Tx, call: Call, bc: string): Promise<void> {
  const { scope } = call.user
  if (!hasBranch(scope, bc)) throw outside()
  found(
    (
      await tx.query(
        'workers.branch',
        there,
        'SELECT 1 FROM companies WHERE tenant_id = $1 AND bc_id = $2 AND status = 1',
        [scope.tenant, bc],
      )
    ).rows[0],
  )
}

export async function addWorker(
  tx: Tx,
  call: Call,
  facts: WorkerFacts,
): Promise<{ id: string; w_id: string }> {
  await checkBranch(tx, call, facts.bc_id)
  let [id] = await insertWorkers(tx, call, [facts])
  // A number that somebody typed is passed over when one is made.
  for (let n = 0; !id && !facts.w_id && n < PASSED_OVER; n += 1) [id] = await insertWorkers(tx, call, [facts])
  if (!id) throw invalid('w_id', `工号 ${facts.w_id} 已被使用`)
  const { w_id } = (
    await tx.query(
      'workers.number',
      row({ w_id: text }),
      'SELECT w_id FROM workers WHERE tenant_id = $1 AND id = $2',
      [call.user.tenant, id],
    )
  ).rows[0]!
  const { told, ...logged } = facts
  const notice = noticeGiven('worker', told)
  await call.log(tx, {
    action: '新增工人',
    object: 'worker',
    objectId: id,
    after: { ...logged, w_id, notice },
  })
  tellBranch(tx, call, facts.bc_id)
  return { id, w_id }
}

/** Who leads sites is one account of the branch, which is nobody else; other trades have none. */
async function accountFor(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof workersApi)['edit']>,
  before: LockedWorker,
): Promise<string | null> {
  if (!leadsSites(body)) {
    if (body.user_id) throw invalid('user_id', '只有项目管家和项目经理有对应账号')
    return null
  }
  const kept = body.bc_id === before.bc_id ? before.user_id : null
  if (body.user_id === undefined || body.user_id === before.user_id) return kept
  if (body.user_id !== null)
    found((await pickPeople(tx, call.user.scope, { id: body.user_id, bc: body.bc_id }))[0])
  return body.user_id
}

export async function editWorker(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof workersApi)['edit']>,
): Promise<void> {
  const before = await lockSeen(tx, call, body.id, body.version)
  if (body.bc_id !== before.bc_id) await checkBranch(tx, call, body.bc_id)
  const user_id = await accountFor(tx, call, body, before)
  await tx.run(
    'workers.edit',
    `UPDATE workers
     SET w_name = $3, bc_id = $4, w_type = $5, w_sex = $6, w_contact = coalesce($7, w_contact), team = $8,
       user_id = $9, version = version + 1
     WHERE tenant_id = $1 AND id = $2`,
    [
      call.user.tenant,
      body.id,
      body.w_name,
      body.bc_id,
      body.w_type,
      body.w_sex,
      body.w_contact ?? null,
      body.team,
      user_id,
    ],
  )
  const after = { ...body, user_id }
  await call.log(tx, { action: '编辑工人', object: 'worker', objectId: body.id, ...changed(before, after) })
  tellBranch(tx, call, body.bc_id)
}

export async function changeWorker(
  tx: Tx,
  call: Call,
  files: FileStore,
  body: BodyOf<(typeof workersApi)['state']>,
): Promise<void> {
  const worker = await lockSeen(tx, call, body.id, body.version)
  const action = workerActions.table[body.action]
  refuse(workerActions.refusal(body.action, worker, call.user))
  if ('reason' in action && body.reason.length < 2)
    throw invalid('reason', `请写明${action.label}的原因（至少 2 个字）`)
  await tx.run(
    'workers.state',
    'UPDATE workers SET status = $3, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [call.user.tenant, body.id, action.to],
  )
  let left: string[] = []
  if (body.action === 'stop') {
    await endFace(tx, call, files, worker, `停用：${body.reason}`, 'stopped')
    left = await leaveSites(tx, call, worker)
  }
  await call.log(tx, {
    action: `${action.label}工人`,
    object: 'worker',
    objectId: body.id,
    before: { status: worker.status },
    after: { status: action.to, reason: body.reason, left },
  })
  tellBranch(tx, call, worker.bc_id)
}

const siteRow = row({ id: uuid, bc_id: uuid, ws_name: text, status: int2 })
type Site = RowOf<typeof siteRow>
const tellOnSite = (tx: Tx, call: Call, site: Site, worker: LockedWorker, title: string): void =>
  tell(tx, call, {
    topic: 'site',
    bc: site.bc_id,
    site: site.id,
    id: site.id,
    line: { kind: 'site', title, ref: worker.id },
  })

/** The running day of a site whose people changed; days that are over stay, a site that is not built expects nobody. */
async function recount(tx: Tx, call: Call, site: Site, worker: string): Promise<void> {
  if (site.status !== siteStatus.code.building) return
  const day = shanghaiDay(call.now())
  const { tenant } = call.user
  const others = await decidePosts(tx, tenant, [day], [worker])
  await countSiteDays(tx, [{ tenant, day, site: site.id }, ...others])
}

/** Off every site from today; who only enters later does not enter. */
async function leaveSites(tx: Tx, call: Call, worker: LockedWorker): Promise<string[]> {
  const today = shanghaiDay(call.now())
  await tx.run(
    'workers.never',
    'DELETE FROM site_members WHERE tenant_id = $1 AND worker_id = $2 AND left_on IS NULL AND entered_on > $3::date',
    [call.user.tenant, worker.id, today],
  )
  const { rows } = await tx.query(
    'workers.leave',
    siteRow,
    `UPDATE site_members m
     SET left_on = $3::date
     FROM sites w
     WHERE m.tenant_id = $1 AND m.worker_id = $2 AND m.left_on IS NULL AND w.tenant_id = m.tenant_id
       AND w.id = m.site_id
     RETURNING w.id, w.bc_id, w.ws_name, w.status`,
    [call.user.tenant, worker.id, today],
  )
  for (const site of rows) tellOnSite(tx, call, site, worker, `${worker.w_name} 停用，离开工地`)
  return rows.map((s) => s.ws_name)
}

async function siteOf(tx: Tx, call: Call, id: string): Promise<Site> {
  const where = siteScope(call.user.scope).add((p) => `w.id = ${p}::uuid`, id)
  return found(
    (
      await tx.query(
        'workers.site',
        siteRow,
        `SELECT w.id, w.bc_id, w.ws_name, w.status FROM sites w WHERE ${where.text}`,
        where.values,
      )
    ).rows[0],
  )
}

export async function sendWorker(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof workersApi)['send']>,
): Promise<void> {
  const worker = found(await lockWorker(tx, call.user.scope, body.id))
  const site = await siteOf(tx, call, body.site_id)
  const today = shanghaiDay(call.now())
  if (worker.status !== 1) refuse(`${worker.w_name} 已停用，请先重新启用`)
  if (site.status !== siteStatus.code.building && site.status !== siteStatus.code.notStarted)
    throw invalid('site_id', `${site.ws_name} ${siteStatus.label(site.status)}，不能派工人`)
  if (site.bc_id !== worker.bc_id) throw invalid('site_id', '工人和工地不在同一个分公司')
  if (body.day < addDays(today, -DAYS_BACK) || body.day > addDays(today, DAYS_AHEAD))
    throw invalid('day', `进场日期只能是 ${DAYS_BACK} 天前到 ${DAYS_AHEAD} 天后`)
  const key = [call.user.tenant, site.id, worker.id]
  const now = (
    await tx.query(
      'workers.on',
      row({ entered: text }),
      `SELECT entered_on::text AS entered
       FROM site_members
       WHERE tenant_id = $1 AND site_id = $2 AND worker_id = $3 AND left_on IS NULL`,
      key,
    )
  ).rows[0]
  if (now) throw invalid('site_id', `${worker.w_name} 已经在 ${site.ws_name}（${now.entered} 进场）`)
  // Who comes back before the day they left has never been away, unless a day that is over was counted without them.
  const back = await tx.run(
    'workers.back',
    `UPDATE site_members
     SET left_on = NULL, counted_to = NULL
     WHERE tenant_id = $1 AND site_id = $2 AND worker_id = $3 AND left_on >= $4::date - 1
       AND entered_on <= $4::date AND coalesce(counted_to, left_on) >= $5::date - 1`,
    [...key, body.day, today],
  )
  // Two stays never share a day, and one that is written later counts from the day on which it is.
  if (!back.rowCount)
    await tx.run(
      'workers.send',
      `INSERT INTO site_members (tenant_id, site_id, worker_id, entered_on, counted_from)
       SELECT $1, $2, $3, greatest($4::date, max(o.left_on) + 1), CASE WHEN $4::date < $5::date THEN $5::date END
       FROM site_members o
       WHERE o.tenant_id = $1 AND o.site_id = $2 AND o.worker_id = $3`,
      [...key, body.day, today],
    )
  await recount(tx, call, site, worker.id)
  await call.log(tx, {
    action: '派往工地',
    object: 'worker',
    objectId: worker.id,
    after: { site_id: site.id, day: body.day },
  })
  tellOnSite(tx, call, site, worker, `${worker.w_name} 派往本工地，${body.day} 进场`)
  tellBranch(tx, call, worker.bc_id)
}

export async function recallWorker(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof workersApi)['recall']>,
): Promise<void> {
  const worker = found(await lockWorker(tx, call.user.scope, body.id))
  const site = await siteOf(tx, call, body.site_id)
  const today = shanghaiDay(call.now())
  const key = [call.user.tenant, site.id, worker.id]
  const stay = (
    await tx.query(
      'workers.stay',
      row({ entered: text }),
      `SELECT entered_on::text AS entered
       FROM site_members
       WHERE tenant_id = $1 AND site_id = $2 AND worker_id = $3 AND left_on IS NULL
       FOR UPDATE`,
      key,
    )
  ).rows[0]
  if (!stay) throw invalid('site_id', `${worker.w_name} 现在不在 ${site.ws_name}`)
  if (stay.entered > today) {
    await tx.run(
      'workers.unsend',
      'DELETE FROM site_members WHERE tenant_id = $1 AND site_id = $2 AND worker_id = $3 AND left_on IS NULL',
      key,
    )
  } else {
    if (body.day > today) throw invalid('day', '离场日期不能晚于今天')
    if (body.day < stay.entered) throw invalid('day', `${stay.entered} 才进场，离场不能更早`)
    if (body.day < addDays(today, -DAYS_BACK)) throw invalid('day', `离场日期最早是 ${DAYS_BACK} 天前`)
    await tx.run(
      'workers.recall',
      `UPDATE site_members
       SET left_on = $4::date, counted_to = greatest($4::date, $7::date - 1),
         score = $5, scored_by = CASE WHEN $5::smallint IS NOT NULL THEN $6 END
       WHERE tenant_id = $1 AND site_id = $2 AND worker_id = $3 AND left_on IS NULL`,
      [...key, body.day, body.score, call.user.nickname, today],
    )
    await recount(tx, call, site, worker.id)
  }
  await call.log(tx, {
    action: '撤离工地',
    object: 'worker',
    objectId: worker.id,
    after: { site_id: site.id, enteredOn: stay.entered, day: body.day, score: body.score },
  })
  tellOnSite(tx, call, site, worker, `${worker.w_name} 撤离本工地`)
  tellBranch(tx, call, worker.bc_id)
}

/** One phone for a reason; the look is in the log before the number leaves. */
export async function readPhone(
  tx: Tx,
  call: Call,
  body: BodyOf<(typeof workersApi)['phone']>,
): Promise<{ phone: string }> {
  const worker = found(await lockWorker(tx, call.user.scope, body.id))
  await call.log(tx, {
    action: '查看完整电话',
    object: 'worker',
    objectId: worker.id,
    after: { w_id: worker.w_id, reason: body.reason },
  })
  return { phone: worker.w_contact }
}
