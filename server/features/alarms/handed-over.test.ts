import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
})
afterAll(() => server.stop())

const idOf = async (userName: string) =>
  (await server.sql<{ id: string }>('SELECT id FROM users WHERE user_name = $1', [userName]))[0]!.id

/** A site that pm leads with three alarms of theirs: not begun, being done, submitted; and its version. */
async function siteOfPm(offset: number): Promise<{ id: string; ws_name: string; alarms: string[] }> {
  const [site] = await server.sql<{ id: string; ws_name: string }>(
    `UPDATE sites SET manager_id = $1, steward_id = $2
     WHERE id = (SELECT w.id FROM sites w
                 WHERE w.code LIKE 'GDHZ%' AND w.status = 1
                   AND EXISTS (SELECT 1 FROM devices d WHERE d.site_id = w.id AND d.type = 'camera')
                 ORDER BY w.code OFFSET $3 LIMIT 1)
     RETURNING id, ws_name`,
    [await idOf('pm'), await idOf('steward'), offset],
  )
  const alarms = await server.sql<{ id: string }>(
    `INSERT INTO alarms (tenant_id, id, site_id, bc_id, device_id, type, at, last_seen, confidence,
       correction_status, verdict, step, assignee_id, corrector_id, due_at)
     SELECT d.tenant_id, gen_random_uuid(), d.site_id, d.bc_id, d.id, v.type, :now, :now, 0.9,
       2, 'real', v.step, $2::uuid, CASE v.step WHEN 'submitted' THEN $2::uuid END, :now + interval '5 hours'
     FROM (SELECT * FROM devices WHERE site_id = $1 AND type = 'camera' ORDER BY sn LIMIT 1) d,
       (VALUES ('smoking', 'assigned'), ('noclothes', 'doing'), ('cameraproblem', 'submitted')) v(type, step)
     RETURNING id`,
    [site!.id, await idOf('pm')],
  )
  return { ...site!, alarms: alarms.map((a) => a.id) }
}
async function people(site: string, manager: string | null, steward: string | null) {
  const { version } = await gm.call(api.sites.details, { query: { id: site } })
  return gm.ask(api.sites.people, {
    body: {
      id: site,
      version,
      manager_id: manager && (await idOf(manager)),
      steward_id: steward && (await idOf(steward)),
    },
  })
}
const alarmOf = (who: Person, id: string) => who.call(api.alarms.details, { query: { id } })

test('who takes a post takes what the one before was correcting: they are told, see it and can begin', async () => {
  const { alarms, id, ws_name } = await siteOfPm(0)
  const before = await Promise.all(alarms.map((a) => alarmOf(gm, a)))
  expect((await people(id, 'pm_hz', 'steward')).msg).toBe('')
  const next = await server.as('pm_hz')
  const after = await Promise.all(alarms.map((a) => alarmOf(next, a)))
  expect(after.map((a) => a.step)).toEqual(['assigned', 'assigned', 'submitted'])
  for (const [i, a] of after.entries()) {
    expect(a).toMatchObject({
      assignee_id: await idOf('pm_hz'),
      corrector_id: before[i]!.corrector_id,
      correctionStatus: 2,
      dueAt: before[i]!.dueAt,
      version: before[i]!.version + 1,
    })
    expect(a.log.at(-1)).toMatchObject({ action: '改派', text: `负责人更换，转给 ${a.assigneeName}` })
  }
  const told = (await next.call(api.notifications.list)).list.filter((n) => n.title.includes(ws_name))
  expect(told.map((n) => n.title)).toEqual([`您接任 ${ws_name} 的项目经理，3 条整改中的问题转给您`])
  expect(
    (await next.ask(api.alarms.start, { body: { id: alarms[0]!, version: after[0]!.version } })).msg,
  ).toBe('')
  const gone = await (await server.as('pm')).ask(api.alarms.details, { query: { id: alarms[0]! } })
  expect(gone.status).toBe(403)
})

test('nothing moves when the other post changes, or when who leaves still reaches the site', async () => {
  const { alarms, id } = await siteOfPm(1)
  expect((await people(id, 'pm', 'steward_hz')).msg).toBe('')
  expect(await alarmOf(gm, alarms[0]!)).toMatchObject({ assignee_id: await idOf('pm'), version: 0 })
  await server.sql(
    `INSERT INTO user_roles (tenant_id, user_id, role_id)
     SELECT u.tenant_id, u.id, r.id FROM users u JOIN roles r ON r.tenant_id = u.tenant_id
     WHERE u.user_name = 'pm' AND r.id IN (SELECT role_id FROM user_roles k JOIN users g ON g.id = k.user_id
                                           WHERE g.user_name = 'branch_gm')`,
  )
  expect((await people(id, 'pm_hz', 'steward_hz')).msg).toBe('')
  expect(await alarmOf(gm, alarms[0]!)).toMatchObject({ assignee_id: await idOf('pm'), version: 0 })
  await server.sql(
    `DELETE FROM user_roles WHERE user_id = $1 AND role_id IN (SELECT role_id FROM user_roles k
       JOIN users g ON g.id = k.user_id WHERE g.user_name = 'branch_gm')`,
    [await idOf('pm')],
  )
})

test('a post is not emptied while alarms are being corrected by who holds it, and nothing changes', async () => {
  const { alarms, id } = await siteOfPm(2)
  await server.sql('UPDATE sites SET status = 3 WHERE id = $1', [id])
  const { managerName } = await gm.call(api.sites.details, { query: { id } })
  expect(await people(id, null, 'steward')).toMatchObject({
    code: 409,
    msg: `项目经理${managerName}还有 3 条问题正在整改，请先改派给别人`,
  })
  expect(await gm.call(api.sites.details, { query: { id } })).toMatchObject({ manager_id: await idOf('pm') })
  expect(await alarmOf(gm, alarms[0]!)).toMatchObject({ assignee_id: await idOf('pm'), version: 0 })
})

test('what is opened again after its corrector has left the site goes to who leads it now, who is told', async () => {
  const { alarms, id } = await siteOfPm(3)
  const submitted = alarms[2]!
  const steward = await server.as('steward')
  const { version } = await alarmOf(gm, submitted)
  expect((await steward.ask(api.alarms.pass, { body: { id: submitted, version } })).msg).toBe('')
  // Nothing of theirs is open on the site any more but what the next one takes over.
  expect((await people(id, 'pm_hz', 'steward')).msg).toBe('')
  const closed = await alarmOf(gm, submitted)
  expect(closed).toMatchObject({ correctionStatus: 3, assignee_id: await idOf('pm') })
  const reopened = await gm.ask(api.alarms.reopen, {
    body: { id: submitted, version: closed.version, reason: '又出现了' },
  })
  expect(reopened.msg).toBe('')
  const open = await alarmOf(gm, submitted)
  expect(open).toMatchObject({ correctionStatus: 2, step: 'assigned', round: 2 })
  const leaders = [await idOf('pm_hz'), await idOf('steward')]
  expect(leaders).toContain(open.assignee_id)
  const told = await (open.assignee_id === leaders[0] ? await server.as('pm_hz') : steward).call(
    api.notifications.list,
  )
  expect(told.list.map((n) => n.title).filter((title) => title.includes('重新打开，请您整改'))).toHaveLength(
    1,
  )
})
