import { api } from '@zhuguan/contract/api.ts'
import { MORNING_LINES, type MorningLine } from '@zhuguan/contract/features/home/home.record.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { rankToday } from '../../app/clock.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { openDelivery } from '../../testing/delivering.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

const HOUR = 3_600_000
let server: TestServer
let gm: Person
let sites: { id: string; bc: string; name: string }[]
beforeAll(async () => {
  server = await startTestServer()
  await stand(1, 10)
  sites = await server.sql(
    `SELECT w.id, w.bc_id AS bc, w.ws_name AS name FROM sites w
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     WHERE w.status = 1 ORDER BY w.code`,
  )
  await (
    await server.as('admin')
  ).call(api.settings.update, { body: { values: { workStart: '07:30', workEnd: '18:00' } } })
  await quiet()
})
afterAll(() => server.stop())

let dayZero = ''
/** Puts the clock to an hour of a day, and signs in: sessions do not outlive that. */
async function stand(day: number, hour: number) {
  dayZero ||= shanghaiDay(server.now())
  const to = startOfDay(addDays(dayZero, day)).getTime() + hour * HOUR
  server.later(to - server.now().getTime())
  gm = await server.as('branch_gm')
}
const today = () => shanghaiDay(server.now())
/** Nothing in the whole group that anybody would ask about. */
async function quiet() {
  await server.sql(
    `UPDATE sites SET no_work = '{}', no_work_run = 0, stop_reason = NULL, devices_online = devices_total`,
  )
  await server.sql('DELETE FROM site_days')
  await server.sql('DELETE FROM site_ranks')
  await server.sql('DELETE FROM correction_logs')
  await server.sql('UPDATE patrol_items SET correction_id = NULL')
  await server.sql('DELETE FROM warnings')
  await server.sql('DELETE FROM alarm_logs')
  await server.sql('DELETE FROM corrections')
  await server.sql('DELETE FROM alarms')
  await server.sql(`UPDATE promises SET state = 'kept' WHERE state IN ('open', 'extended')`)
}
/** Stands still for days, somebody could have come today. */
async function stands(ids: readonly string[]) {
  await server.sql(
    `UPDATE sites SET stage = 'tiling', start_date = :today - 30, no_work = '{2}', no_work_run = 5, no_work_sum = 5,
       devices_online = devices_total WHERE id = ANY ($1)`,
    [ids],
  )
  await server.sql(
    `INSERT INTO site_days (tenant_id, day, site_id, bc_id)
     SELECT tenant_id, :today, id, bc_id FROM sites WHERE id = ANY ($1) ON CONFLICT DO NOTHING`,
    [ids],
  )
}
const LISTS: Readonly<Record<string, Endpoint>> = {
  '/Site/NoWork': api.noWork.list,
  '/owner/FeedbackList': api.feedback.list,
  '/owner/PromiseList': api.promises.list,
  '/owner/WarningList': api.warnings.list,
  '/patrol/Correction': api.corrections.list,
  '/patrol/PatrolRank': api.rankings.list,
}
/** What is told, each line's figure compared with the total of the list that it opens. */
async function told(who = gm): Promise<MorningLine[]> {
  const { morning } = await who.call(api.home.cards)
  for (const line of morning!) {
    const [path, filters] = line.link.split('?') as [string, string?]
    const query = Object.fromEntries(new URLSearchParams(filters))
    const answer = await who.ask(LISTS[path] as typeof api.noWork.list, { query })
    expect([line.rule, answer.data.totalCount]).toEqual([line.rule, line.value])
    expect(line.text).toContain(String(line.value))
  }
  return morning!
}
const words = async () => (await told()).map((l) => l.text)
const correction = (n: number) =>
  server.sql(
    `INSERT INTO corrections (tenant_id, id, bc_id, site_id, source, source_id, problem, at, due_at)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, 'patrol', gen_random_uuid(), '地面积水', :now - interval '2 days',
       :now - interval '1 day'
     FROM sites CROSS JOIN generate_series(1, $2) WHERE id = $1`,
    [sites[0]!.id, n],
  )
const promise = (due: string) =>
  server.sql(
    `INSERT INTO promises (tenant_id, id, bc_id, site_id, content, subject, author_id, post, responsible_id, first_due,
       due, made_at, changed_by, changed_at)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, '周五前装好', 'schedule', steward_id, 1, steward_id, $2, $2,
       :now - interval '3 days', '管家', :now FROM sites WHERE id = $1`,
    [sites[0]!.id, due],
  )
const warning = (level: number) =>
  server.sql(
    `INSERT INTO warnings (tenant_id, id, bc_id, site_id, rule, cause, deviation, level, told_level, ball, opened_at,
       changed_by, changed_at)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, 'lateFinish', $3, 9, $2, $2, 'manager', :now, '系统', :now
     FROM sites WHERE id = $1`,
    [sites[0]!.id, level, `stage ${level}`],
  )
const complain = async () =>
  (
    await (
      await server.as('service')
    ).call(api.feedback.enter, {
      body: {
        site_id: sites[0]!.id,
        kind: 'complaint',
        level: 1,
        about: 'work',
        channel: 'phone',
        words: '墙面不平',
        pictures: [],
      },
    })
  ).id

test('nothing to say is said to the manager of the branch, and to nobody else', async () => {
  expect(await told()).toEqual([])
  for (const role of ['hq_ops', 'pm', 'steward', 'inspector', 'service'])
    expect((await (await server.as(role)).call(api.home.cards)).morning, role).toBeNull()
})

test('the worst first, five lines at most, each number that of its list', async () => {
  const complaint = await complain()
  await server.sql(`UPDATE feedback SET answer_due_at = :now - interval '1 hour' WHERE id = $1`, [complaint])
  await promise(addDays(today(), -1))
  await promise(today())
  await warning(3)
  await warning(2)
  await correction(2)
  await stands([sites[0]!.id, sites[1]!.id])
  const lines = await told()
  expect(lines.map((l) => [l.rule, l.value])).toEqual([
    ['complaints', 1],
    ['broken', 1],
    ['missed', 2],
    ['urgent', 1],
    ['overdue', 2],
  ])
  expect(lines).toHaveLength(MORNING_LINES)
  // The sixth comes up when one of them is done.
  await server.sql('UPDATE feedback SET status = 4, closed_at = :now WHERE id = $1', [complaint])
  expect((await told()).map((l) => l.rule)).toEqual(['broken', 'missed', 'urgent', 'overdue', 'due'])
  await quiet()
})

test('该有人没人: what they wait for; not before work begins, not at rest, in the evening what the day was', async () => {
  await stand(2, 10)
  const ids = sites.slice(0, 3).map((s) => s.id)
  await stands(ids)
  await server.sql(`UPDATE sites SET stop_reason = 'crew', stop_until = :today + 3 WHERE id = ANY ($1)`, [
    ids,
  ])
  expect(await words()).toEqual(['3 个停工的工地今天该有人没人，都在等项目经理'])
  await server.sql(`UPDATE sites SET stop_reason = 'dispute' WHERE id = $1`, [ids[0]])
  expect(await words()).toEqual(['3 个停工的工地今天该有人没人，最多的 2 个在等项目经理'])
  await stand(2, 23.5)
  expect(await words()).toEqual(['3 个停工的工地今天没有人施工，最多的 2 个在等项目经理'])
  await stand(3, 4 + 2 / 3)
  await stands(ids)
  expect(await words()).toEqual([])
  await stand(3, 10)
  expect(await words()).toHaveLength(1)
  await server.sql('UPDATE site_days SET rest = true WHERE day = :today')
  expect(await words()).toEqual([])
  await quiet()
})

test('sites that wait for orders placed together are said to, also where they are some of all', async () => {
  await stand(4, 10)
  const shop = await openDelivery(server)
  const homes = []
  for (const name of ['甲砖', '乙砖', '丙砖']) homes.push(await shop.sold({ name, quantity: '4' }))
  const { orders } = await shop.place(
    homes.map(({ items }) => ({ item_id: Object.values(items)[0]!, quantity: '4' })),
  )
  expect(orders).toHaveLength(3)
  const ids = homes.map((h) => h.site)
  await server.sql(`UPDATE sites SET status = 1 WHERE id = ANY ($1)`, [ids])
  for (const id of ids)
    await server.sql(
      `INSERT INTO site_members
       SELECT (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'site_id', $1::text))).*
       FROM site_members m JOIN sites w ON w.id = $1 AND w.tenant_id = m.tenant_id WHERE m.left_on IS NULL LIMIT 1`,
      [id],
    )
  await stands(ids)
  const [{ batch }] = (await server.sql<{ batch: string }>(
    'SELECT DISTINCT batch FROM orders WHERE site_id = $1',
    [ids[0]],
  )) as [{ batch: string }]
  expect(batch).not.toBe('')
  expect(await words()).toEqual([`3 个停工的工地今天该有人没人，都在等同一批订单（${batch}）`])
  await stands([sites[0]!.id])
  expect(await words()).toEqual([
    '4 个停工的工地今天该有人没人，最多的 3 个在等商家',
    `其中 3 个在等同一批订单（${batch}）`,
  ])
  await quiet()
})

test('sites of the morning’s list that nobody has been to are the last line', async () => {
  await server.sql('UPDATE sites SET start_date = :today - 30, open_alarms = 0')
  await rankToday(server.db, server.now())
  const lines = await told()
  expect(lines.map((l) => l.rule)).toEqual(['unvisited'])
  expect(lines[0]!.value).toBeGreaterThan(0)
})
