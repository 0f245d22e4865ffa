import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

const HOUR = 3_600_000
let server: TestServer
let pm: Person
let gm: Person
let inspector: Person
let steward: Person
const ids: Record<string, string> = {}
let site: { id: string; sns: string[] }
async function signIn() {
  pm = await server.as('pm')
  gm = await server.as('branch_gm')
  inspector = await server.as('inspector')
  steward = await server.as('steward')
}
beforeAll(async () => {
  server = await startTestServer()
  const today = shanghaiDay(server.now())
  server.later(startOfDay(today).getTime() + 10 * HOUR - server.now().getTime())
  await signIn()
  for (const u of await server.sql<{ user_name: string; id: string }>('SELECT user_name, id FROM users'))
    ids[u.user_name] = u.id
  const [found] = await server.sql<{ id: string; sns: string[] }>(
    `SELECT w.id, array_agg(d.sn ORDER BY d.sn) AS sns FROM sites w
     JOIN devices d ON d.site_id = w.id AND d.type = 'camera'
     WHERE w.manager_id = $1 AND w.steward_id = $2 AND w.status = 1 GROUP BY w.id ORDER BY count(*) DESC LIMIT 1`,
    [ids.pm, ids.steward],
  )
  site = found!
  await server.sql('DELETE FROM correction_turns')
})
afterAll(() => server.stop())

let told = 0
/** A new alarm of the site, handed to the manager with two days. */
async function assigned(): Promise<string> {
  const device = server.devices.find((d) => site.sns.includes(d.sn))!
  await server.sql(
    `UPDATE alarms SET correction_status = 4, closed_at = :now WHERE site_id = $1
    AND correction_status IN (1, 2)`,
    [site.id],
  )
  told += 1
  await report(
    server.url,
    device,
    [
      {
        id: `turn${told}`,
        kind: 'alarm',
        at: Math.floor(server.now().getTime() / 1000) - 60 - told,
        type: told % 2 ? 'smoking' : 'noclothes',
        confidence: 0.9,
      },
    ],
    server.now(),
  )
  const { id } = (await gm.call(api.alarms.list, { query: { site_id: site.id, correctionStatus: [1] } }))
    .list[0]!
  await act(gm, 'assign', id, { assignee_id: ids.pm })
  return id
}
const version = async (id: string) =>
  (await server.sql<{ version: number }>('SELECT version FROM corrections WHERE id = $1', [id]))[0]!.version
const act = async (who: Person, action: string, id: string, more: object = {}) =>
  who.call(api.corrections[action as 'pass'], { body: { id, version: await version(id), ...more } })
const submit = async (who: Person, id: string) => {
  const picture = await uploadPhoto(server.url, who)
  await act(who, 'submit', id, { pictures: [picture], text: '改好了' })
}
const overdue = (id: string) =>
  server.sql(
    `UPDATE corrections SET due_at = :now::timestamptz - interval '1 minute', changed_at = changed_at WHERE id = $1`,
    [id],
  )
/** As if so much time had gone by since. */
const back = (id: string, hours: number) =>
  server.sql(
    `UPDATE correction_turns SET from_at = from_at - make_interval(hours => $2), 
       to_at = to_at - make_interval(hours => $2)
     WHERE correction_id = $1`,
    [id, hours],
  )
const said = async (name: string) => {
  const m = (await gm.call(api.managers.list, { query: { pageSize: 100 } })).list.find(
    (r) => r.id === ids[name],
  )!
  return [m.onTime, m.corrections]
}

test('lateness stays with who had it when the time ran out; who helps afterwards is not judged for it', async () => {
  const id = await assigned()
  await back(id, 5)
  await overdue(id)
  expect(await said('pm')).toEqual([0, 1])
  await act(inspector, 'assign', id, { assignee_id: ids.steward })
  await submit(steward, id)
  expect(await said('pm')).toEqual([0, 1])
  expect(await said('steward')).toEqual([null, 0])
  await act(inspector, 'pass', id)
  expect([await said('pm'), await said('steward')]).toEqual([
    [0, 1],
    [null, 0],
  ])
})

test('a reviewer’s delay is the reviewer’s', async () => {
  const id = await assigned()
  await submit(pm, id)
  await back(id, 5)
  await overdue(id)
  await server.sql(
    `UPDATE correction_turns SET due_at = :now::timestamptz - interval '1 minute' WHERE correction_id = $1`,
    [id],
  )
  await act(inspector, 'pass', id)
  expect(await said('pm')).toEqual([0.5, 2])
  // Sent back after the time: what is left to do then has no time of its own.
  const again = await assigned()
  await submit(pm, again)
  await back(again, 5)
  await overdue(again)
  await act(inspector, 'back', again, { reason: '没拍清楚' })
  await submit(pm, again)
  expect(await said('pm')).toEqual([0.5, 2])
})

test('a late one that is cancelled leaves the figure and comes back when it is opened again', async () => {
  const before = await said('pm')
  const id = await assigned()
  await back(id, 5)
  await overdue(id)
  const late = await said('pm')
  expect(late[1]).toBe(Number(before[1]) + 1)
  await act(gm, 'cancel', id, { cause: 'wrong', reason: '看错了' })
  expect(await said('pm')).toEqual(before)
  await act(gm, 'reopen', id, { reason: '没有看错' })
  expect(await said('pm')).toEqual(late)
})
