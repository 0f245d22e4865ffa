import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { openMatrix } from '../../testing/matrix.ts'
import type { Person } from '../../testing/person.ts'
import type { TestServer } from '../../testing/start.ts'

const HOUR = 3_600_000
const ALARM = { table: 'alarms', column: 'due_at' }
let server: TestServer
let admin: Person
let gm: Person
let hz: string
let nb: string
let today: string
beforeAll(async () => {
  ;({ server } = await openMatrix())
  // Ten in the morning of a day that is worked.
  today = shanghaiDay(server.now())
  server.later(startOfDay(today).getTime() + 10 * HOUR - server.now().getTime())
  admin = await server.as('admin')
  gm = await server.as('branch_gm')
  const branchOf = async (code: string) =>
    (
      await server.sql<{ id: string }>(
        'SELECT bc_id AS id FROM companies WHERE tenant_id = $1 AND code = $2',
        [gm.tenant, code],
      )
    )[0]!.id
  hz = await branchOf('HZ')
  nb = await branchOf('NB')
  await admin.call(api.settings.update, { body: { values: { calendar: null } } })
})
afterAll(() => server.stop())

const write = (who: Person, calendar: string | null, bcId?: string) =>
  who.call(api.settings.update, { body: { bcId, values: { calendar } } })
const rests = async (bc: string, day: string) =>
  (await server.sql<{ r: boolean }>('SELECT rest_day($1, $2, $3) AS r', [gm.tenant, bc, day]))[0]!.r
const days = (bc: string, ...of: string[]) => Promise.all(of.map((day) => rests(bc, day)))

test('a branch’s own dates count before the group’s, and those before the week', async () => {
  const sunday = '2027-02-14'
  await admin.call(api.settings.update, {
    body: { values: { restDays: [0], calendar: `2027-02-06~2027-02-12 休 春节\n${sunday} 班 调休` } },
  })
  await write(gm, '2027-02-12 班 赶工\n2027-03-08 休', hz)
  const asked = ['2027-02-05', '2027-02-06', '2027-02-12', sunday, '2027-02-21', '2027-03-08'] as const
  expect(await days(nb, ...asked)).toEqual([false, true, true, false, true, false])
  expect(await days(hz, ...asked)).toEqual([false, true, false, false, true, true])
  const shown = (await gm.call(api.settings.selectByBcId, { body: { bcId: hz } })).settings.find(
    (s) => s.key === 'calendar',
  )!
  expect(shown).toMatchObject({
    from: 'branch',
    value: [{ day: '2027-02-12', rest: false, why: '赶工' }, {}],
  })
  expect(shown.inherited).toHaveLength(8)
  await write(gm, null, hz)
  expect(await days(hz, ...asked)).toEqual([false, true, true, false, true, false])
  await admin.call(api.settings.update, { body: { values: { restDays: null, calendar: null } } })
  expect(await days(nb, ...asked)).toEqual([false, false, false, false, false, false])
})

test('a day of the week stands once, however often it is named', async () => {
  const week = async (restDays: number[]) => {
    const answer = await admin.ask(api.settings.update, { body: { values: { restDays } } })
    const { settings } = await admin.call(api.settings.selectByBcId, { body: {} })
    return [answer.code, settings.find((s) => s.key === 'restDays')!.value]
  }
  expect(await week([6, 0, 0])).toEqual([200, [0, 6]])
  expect(await week([0, 1, 2, 3, 4, 5, 6])).toEqual([400, [0, 6]])
  await admin.call(api.settings.update, { body: { values: { restDays: null } } })
})

test('a line that is no day is refused by its number, and nothing is changed', async () => {
  await write(admin, '2027-02-06 休 春节')
  const refused = await admin.ask(api.settings.update, {
    body: { values: { calendar: '2027-05-01 休\n32.13. 休\n2027-05-01 班' } },
  })
  expect(refused).toMatchObject({ code: 400 })
  expect(refused.msg).toContain('第 2 行：“32.13.”不是日历上的日期')
  expect(refused.msg).toContain('第 3 行：2027-05-01 在第 1 行是休，这里是班')
  expect(await days(hz, '2027-02-06', '2027-05-01')).toEqual([true, false])
  expect((await gm.ask(api.settings.update, { body: { values: { calendar: '' } } })).code).toBe(403)
  await write(admin, null)
})

test('entered later it moves the ends that are not reached, and back, and none that has passed', async () => {
  const at = (day: number, hour: number) => new Date(startOfDay(addDays(today, day)).getTime() + hour * HOUR)
  const open = await server.sql<{ id: string }>(
    `SELECT id FROM alarms WHERE bc_id = $1 AND correction_status IN (1, 2) ORDER BY id LIMIT 3`,
    [hz],
  )
  expect(open).toHaveLength(3)
  const clocks: { table: string; column: string; id: string; due: Date; alone: Date; group: Date }[] = [
    // Over the day off, before it, passed already.
    { ...ALARM, id: open[0]!.id, due: at(2, 11), alone: at(3, 11), group: at(2, 11) },
    { ...ALARM, id: open[1]!.id, due: at(0, 15), alone: at(0, 15), group: at(0, 15) },
    { ...ALARM, id: open[2]!.id, due: at(0, 9), alone: at(0, 9), group: at(0, 9) },
  ]
  const one = async (table: string, column: string, bc: string, due: Date, alone: Date, group: Date) => {
    const open = table === 'corrections' ? `AND source <> 'alarm' AND correction_status = 1` : ''
    const [found] = await server.sql<{ id: string }>(
      `SELECT id FROM ${table} WHERE bc_id = $1 ${open} ORDER BY id`,
      [bc],
    )
    clocks.push({ table, column, id: found!.id, due, alone, group })
  }
  await one('corrections', 'due_at', hz, at(1, 11), at(2, 11), at(1, 11))
  await one('alarms', 'due_at', nb, at(2, 11), at(2, 11), at(3, 11))
  await one('orders', 'due_at', hz, at(1, 8), at(2, 8), at(1, 8))
  await one('orders', 'due_at', nb, at(1, 8), at(1, 8), at(2, 8))
  await one('goods_changes', 'answer_due', hz, at(1, 9), at(2, 9), at(1, 9))
  await one('examine_requests', 'due_at', hz, at(1, 10), at(2, 10), at(1, 10))
  for (const { table, column, id, due } of clocks)
    await server.sql(`UPDATE ${table} SET ${column} = $2 WHERE id = $1`, [id, due])
  const now = () =>
    Promise.all(
      clocks.map(async ({ table, column, id }) => {
        const [r] = await server.sql<{ at: Date }>(`SELECT ${column} AS at FROM ${table} WHERE id = $1`, [id])
        return r!.at
      }),
    )
  const tomorrow = addDays(today, 1)
  await write(gm, `${tomorrow} 休 停电`, hz)
  expect(await now()).toEqual(clocks.map((c) => c.alone))
  const copy = await server.sql('SELECT due_at AS at FROM corrections WHERE id = $1', [open[0]!.id])
  expect(copy).toEqual([{ at: at(3, 11) }])
  // A holiday of the group over which the branch works.
  await write(gm, `${tomorrow} 班 赶工`, hz)
  await write(admin, `${tomorrow} 休 放假`)
  expect(await now()).toEqual(clocks.map((c) => c.group))
  await write(gm, null, hz)
  await write(admin, null)
  expect(await now()).toEqual(clocks.map((c) => c.due))
})

test('plans make nothing for days off, and the running day rests; days that are over stay', async () => {
  const inspector = (
    await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'inspector'`)
  )[0]!
  const site = (
    await server.sql<{ id: string }>(
      `SELECT id FROM sites WHERE bc_id = $1 AND status = 1 ORDER BY id LIMIT 1`,
      [hz],
    )
  )[0]!.id
  const plan = await gm.call(api.patrolPlans.add, {
    body: {
      name: '日历巡检',
      kind: 'remote',
      bc_id: hz,
      site_ids: [site],
      every: 'day',
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      share: 'one',
      user_ids: [inspector.id],
      fromTime: '12:00',
      toTime: '18:00',
      days: 1,
    },
  })
  const made = async () =>
    (
      await server.sql<{ day: string }>(
        'SELECT day::text FROM patrol_tasks WHERE plan_id = $1 ORDER BY day',
        [plan.id],
      )
    ).map((t) => t.day)
  const both = [today, addDays(today, 1)]
  expect(await made()).toEqual(both)
  // Open since midnight: due today, whatever is entered now.
  await gm.call(api.patrolPlans.add, {
    body: {
      name: '一早就到期',
      kind: 'remote',
      bc_id: hz,
      site_ids: [site],
      every: 'day',
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      share: 'one',
      user_ids: [inspector.id],
      fromTime: '00:00',
      toTime: '23:59',
      days: 1,
    },
  })
  const figure = async () => (await gm.call(api.home.cards, {})).figures.find((f) => f.card === 'patrol')!
  const before = await figure()
  const [later] = await server.sql<{ n: number }>(
    'SELECT count(*)::int AS n FROM patrol_tasks WHERE bc_id = $1 AND day = $2 AND opens_at > :now AND outcome IS NULL',
    [hz, today],
  )
  const rest = async () =>
    (
      await server.sql<{ rest: boolean }>(
        `SELECT bool_or(rest) AS rest FROM site_days WHERE site_id = $1 AND day IN ($2, $3) GROUP BY day ORDER BY day`,
        [site, addDays(today, -1), today],
      )
    ).map((d) => d.rest)
  const stood = await rest()
  await write(gm, `${addDays(today, -1)}~${addDays(today, 1)} 休 台风`, hz)
  expect(await made()).toEqual([])
  expect((await rest()).slice(-1)).toEqual([true])
  expect((await rest()).slice(0, -1)).toEqual(stood.slice(0, -1))
  // Of today only what would have opened later is gone.
  expect(await figure()).toMatchObject({ n: before.n! - later!.n })
  await write(gm, `${today} 休 台风`, hz)
  expect(await made()).toEqual([both[1]])
  await write(gm, null, hz)
  expect(await made()).toEqual(both)
  expect(await rest()).toEqual(stood)
})
