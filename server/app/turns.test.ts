import { api } from '@zhuguan/contract/api.ts'
import { TURNS } from '@zhuguan/contract/turns.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { correctionReminders } from '../features/corrections/reminding.service.ts'
import { remind } from '../features/notifications/reminders.service.ts'
import { promiseReminders } from '../features/promises/promise-reminders.service.ts'
import { questionReminders } from '../features/questions/question-reminders.service.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { threadReminders } from '../features/threads/thread-reminders.service.ts'
import { objectionReminders } from '../features/violations/objection-reminders.service.ts'
import { shanghaiDay, startOfDay } from '../kit/shanghai.ts'
import { report } from '../testing/device.ts'
import { boundPhone, homeLink, homePhone } from '../testing/homes.ts'
import { uploadPhoto } from '../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../testing/start.ts'
import { seconds } from '../testing/time.ts'

let server: TestServer
let gm: Person, pm: Person, steward: Person, inspector: Person, hq: Person
let site: {
  id: string
  tenant_id: string
  manager: string
  steward: string
  sn: string
  worker: string
  w_id: string
}
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  pm = await server.as('pm')
  steward = await server.as('steward')
  inspector = await server.as('inspector')
  hq = await server.as('hq_ops')
  await find()
})
const ago = (hours: number) => new Date(server.now().getTime() - hours * 3_600_000)
async function find() {
  const [found] = await server.sql<typeof site>(
    `SELECT w.id, w.tenant_id, w.manager_id AS manager, w.steward_id AS steward, d.sn, k.id AS worker, k.w_id
     FROM sites w
     JOIN users m ON m.id = w.manager_id AND m.user_name = 'pm'
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     JOIN devices d ON d.site_id = w.id AND d.type = 'camera'
     JOIN site_members x ON x.site_id = w.id AND x.left_on IS NULL
     JOIN workers k ON k.id = x.worker_id
     WHERE w.status = 1
       AND NOT EXISTS (SELECT FROM alarms a WHERE a.site_id = w.id AND a.type = 'smoking' AND a.correction_status < 3)
     ORDER BY w.code, d.sn LIMIT 1`,
  )
  site = found!
}
afterAll(() => server.stop())

/** Lines of the table that a story has walked. */
const walked = new Set<string>()
/** The person who has an unread word of this record. */
const unread = async (cause: string): Promise<string[]> =>
  (
    await server.sql<{ user_name: string }>(
      `SELECT u.user_name FROM notifications n JOIN users u ON u.tenant_id = n.tenant_id AND u.id = n.user_id
       WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY u.user_name`,
      [cause],
    )
  ).map((r) => r.user_name)
/** After the act these and nobody else have an unread word of it: what was said before is gone. */
async function then(line: string, cause: string, act: Promise<unknown>, heard: string[]): Promise<void> {
  await act
  expect(await unread(cause), line).toEqual(heard.toSorted())
  walked.add(line)
}
const version = async (id: string, table: string): Promise<number> =>
  (await server.sql<{ version: number }>(`SELECT version FROM ${table} WHERE id = $1`, [id]))[0]!.version
const correction = async (id: string) => ({ id, version: await version(id, 'corrections') })
const photo = (who: Person) => uploadPhoto(server.url, who)
const everybody = () => server.sql('UPDATE notifications SET read_at = :now WHERE read_at IS NULL')

/** A check of tidiness that was poor, made a correction of by the inspector. */
async function poor(assignee = site.manager): Promise<string> {
  const [check] = await server.sql<{ id: string }>(
    `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, at, result)
     SELECT tenant_id, gen_random_uuid(), bc_id, id, :now, 3 FROM sites WHERE id = $1
     RETURNING id`,
    [site.id],
  )
  return (
    await inspector.call(api.tidiness.correct, {
      body: {
        id: check!.id,
        version: 0,
        problem: '客厅垃圾未清',
        assignee_id: assignee,
      },
    })
  ).id
}
let events = 0
async function smoked(): Promise<string> {
  const camera = server.devices.find((d) => d.sn === site.sn)!
  const at = seconds() - 60
  events += 1
  const event = {
    id: `turn${events}`,
    kind: 'alarm' as const,
    at,
    type: 'smoking',
    confidence: 0.9,
    w_id: site.w_id,
  }
  await report(server.url, camera, [event])
  const [row] = await server.sql<{ id: string }>('SELECT id FROM alarms ORDER BY id DESC LIMIT 1')
  return row!.id
}

/** The thread of a correction, whoever found it; `power` is the prefix of its rights. */
async function thread(machine: 'alarm' | 'correction', id: string): Promise<void> {
  const of = machine === 'alarm' ? api.alarms : api.corrections
  const on = async () => correction(id)
  const reviewersBut = (...corrected: string[]) =>
    ['branch_gm', 'inspector', 'pm', 'steward'].filter((name) => !corrected.includes(name))
  await then(
    `${machine}.assign`,
    id,
    gm.call(of.assign, { body: { ...(await on()), assignee_id: site.manager } }),
    ['pm'],
  )
  if (machine === 'correction')
    await then(`${machine}.urgeCorrect`, id, hq.call(api.corrections.urge, { body: await on() }), ['pm'])
  await then(`${machine}.start`, id, pm.call(of.start, { body: await on() }), [])
  const hand = async (who: Person) =>
    who.call(of.submit, { body: { ...(await on()), pictures: [await photo(who)], text: '' } })
  await then(`${machine}.submit`, id, hand(pm), reviewersBut('pm'))
  await then(
    `${machine}.back`,
    id,
    inspector.call(of.back, { body: { ...(await on()), reason: '没有清完' } }),
    ['pm'],
  )
  const [said] = await server.sql<{ title: string }>(
    'SELECT title FROM notifications WHERE cause_id = $1 AND read_at IS NULL',
    [id],
  )
  expect(said!.title).toContain('没有清完')
  const dispute = pm.call(of.dispute, { body: { ...(await on()), reason: '不归我管' } })
  await then(`${machine}.dispute`, id, dispute, ['branch_gm', 'inspector'])
  const next = { ...(await on()), assignee_id: site.steward }
  // Who had it hears that it is somebody else's.
  walked.add(`${machine}.takenOver`)
  await then(`${machine}.assign`, id, inspector.call(of.assign, { body: next }), ['pm', 'steward'])
  // The manager corrected a round and does not verify the next.
  await then(`${machine}.submit`, id, hand(steward), ['branch_gm', 'inspector'])
  expect(await pm.ask(of.pass, { body: await on() })).toMatchObject({
    code: 409,
    msg: expect.stringContaining('前面的一轮'),
  })
  await then(`${machine}.pass`, id, inspector.call(of.pass, { body: await on() }), [])
  await then(`${machine}.reopen`, id, gm.call(of.reopen, { body: { ...(await on()), reason: '又脏了' } }), [
    'steward',
  ])
  const cancel = { cause: 'repeated' as const, reason: '别处已有' }
  await then(`${machine}.cancel`, id, gm.call(of.cancel, { body: { ...(await on()), ...cancel } }), [
    'steward',
  ])
  const opened = gm.call(of.reopen, { body: { ...(await on()), reason: '还要看' } })
  await then(`${machine}.reopen`, id, opened, ['inspector', 'pm'])
}
test('a correction: at each change of turn who must act next hears, and nobody else', async () => {
  const id = await poor()
  walked.add('correction.begin')
  expect(await unread(id)).toEqual(['pm'])
  await thread('correction', id)
  const mine = await correction(id)
  await then('correction.urgeAssign', id, gm.call(api.corrections.urge, { body: mine }), ['inspector', 'pm'])
})
test('an alarm goes by the same turns with rights of its own', async () => {
  await thread('alarm', await smoked())
})

test('past its time who has the turn hears, a day later who supervises too, and every week after that', async () => {
  const id = await poor()
  await everybody()
  const night = async (hours: number): Promise<string[]> => {
    await server.sql('UPDATE corrections SET due_at = $2 WHERE id = $1', [id, ago(hours)])
    return again()
  }
  const again = async (): Promise<string[]> => {
    await everybody()
    for (const source of correctionReminders)
      await server.db.tx(SYSTEM, (tx) => remind(tx, site.tenant_id, source))
    return unread(id)
  }
  expect(await night(-1)).toEqual(['pm'])
  expect(await night(0.5)).toEqual(['pm'])
  expect(await night(25)).toEqual(['branch_gm', 'pm'])
  walked.add('correction.lateCorrect')
  expect(await again()).toEqual([])
  expect(await night(73)).toEqual(['branch_gm', 'pm'])
  for (const week of [1, 2, 9]) expect(await night(168 * week + 1)).toEqual(['branch_gm', 'pm'])
  // Handed in, it waits for those who verify; the one who corrected is not among them.
  await pm.call(api.corrections.submit, {
    body: { ...(await correction(id)), pictures: [await photo(pm)], text: '' },
  })
  await then('correction.urgeVerify', id, hq.call(api.corrections.urge, { body: await correction(id) }), [
    'branch_gm',
    'inspector',
    'steward',
  ])
  expect(await night(168 * 10 + 1)).toEqual(['branch_gm', 'inspector', 'steward'])
  walked.add('correction.lateVerify')
  await inspector.call(api.corrections.back, { body: { ...(await correction(id)), reason: '不清楚' } })
  await pm.call(api.corrections.dispute, { body: { ...(await correction(id)), reason: '不归我管' } })
  await everybody()
  await then('correction.urgeAnswer', id, hq.call(api.corrections.urge, { body: await correction(id) }), [
    'branch_gm',
    'inspector',
  ])
  expect(await night(168 * 11 + 1)).toEqual(['branch_gm', 'inspector'])
  walked.add('correction.lateAnswer')
  await gm.call(api.corrections.cancel, {
    body: { ...(await correction(id)), cause: 'repeated', reason: '别处已有' },
  })
  await gm.call(api.corrections.reopen, { body: { ...(await correction(id)), reason: '还要看' } })
  expect(await night(30)).toEqual(['branch_gm', 'inspector', 'pm'])
  walked.add('correction.lateAssign')
})

test('a correction that nobody of its site can do waits for who may assign it', async () => {
  const [other] = await server.sql<{ id: string }>(
    `SELECT id FROM sites WHERE tenant_id = $1 AND id <> $2 AND status = 1 AND bc_id = (
       SELECT bc_id FROM sites WHERE id = $2) ORDER BY code DESC LIMIT 1`,
    [site.tenant_id, site.id],
  )
  await server.sql('UPDATE sites SET manager_id = NULL, steward_id = NULL WHERE id = $1', [other!.id])
  const [place] = await server.sql<{ bc_id: string }>('SELECT bc_id FROM sites WHERE id = $1', [other!.id])
  const items = [{ title: '地面清洁', hint: '', weight: 1, photo: true }]
  const template = await gm.call(api.patrolTemplates.add, {
    body: { name: '轮到谁', bc_id: place!.bc_id, items },
  })
  const patrol = await inspector.call(api.patrols.begin, {
    body: { site_id: other!.id, template_id: template.id },
  })
  const failed = { id: patrol.items[0]!.id, verdict: 'failed' as const, correction: { problem: '没人管' } }
  await inspector.call(api.patrols.submit, {
    body: { id: patrol.id, remark: '', items: [{ ...failed, pictures: [await photo(inspector)] }] },
  })
  const [made] = await server.sql<{ id: string }>(
    `SELECT id FROM corrections WHERE site_id = $1 AND problem = '没人管'`,
    [other!.id],
  )
  // Who found it acted, and needs no telling.
  expect(await unread(made!.id)).toEqual(['branch_gm'])
  walked.add('correction.open')
})

test('a violation: who leads the site hears, then who decides, then who objected', async () => {
  const [day] = await server.sql<{ day: string; time: string }>(
    `SELECT to_char(:now AT TIME ZONE 'Asia/Shanghai', 'YYYY-MM-DD') AS day, '00:00' AS time`,
  )
  const register = async (who: Person, remark: string) =>
    (
      await who.call(api.violations.add, {
        body: {
          worker_id: site.worker,
          site_id: site.id,
          type: 'helmet',
          day: day!.day,
          time: `00:0${remark.length}`,
          pictures: [await photo(who)],
          remark,
        },
      })
    ).id
  const on = async (id: string, reason: string) => ({ id, version: await version(id, 'violations'), reason })
  const first = await register(inspector, '甲')
  expect(await unread(first)).toEqual(['pm'])
  walked.add('violation.add')
  await then(
    'violation.handle',
    first,
    gm.call(api.violations.handle, { body: await on(first, '谈过话') }),
    [],
  )
  // One that was handled before it stood again (its alarm was cancelled and found true once more).
  await server.sql('UPDATE violations SET status = 1 WHERE id = $1', [first])
  // Who handled it and who wrote it down do not judge, nor does who objects: nobody of the branch is left, so that
  // whoever sees the group hears.
  await then('violation.object', first, pm.call(api.violations.object, { body: await on(first, '不是他') }), [
    'admin',
  ])
  const second = await register(inspector, '甲乙')
  await then(
    'violation.object',
    second,
    steward.call(api.violations.object, { body: await on(second, '没到场') }),
    ['branch_gm', 'pm'],
  )
  const night = async () => {
    await everybody()
    await server.db.tx(SYSTEM, (tx) => remind(tx, site.tenant_id, objectionReminders))
    return unread(second)
  }
  expect(await night()).toEqual([])
  for (const hours of [0.5, 24.5, 48.5]) {
    await server.sql('UPDATE violations SET due_at = $2 WHERE id = $1', [second, ago(hours)])
    expect(await night()).toEqual(['branch_gm', 'pm'])
    expect(await night()).toEqual([])
  }
  walked.add('violation.late')
  const upheld = gm.call(api.violations.uphold, { body: await on(second, '照片很清楚') })
  await then('violation.uphold', second, upheld, ['steward'])
  const third = await register(inspector, '甲乙丙')
  await pm.call(api.violations.object, { body: await on(third, '认错人了') })
  const withdrawn = gm.call(api.violations.withdraw, { body: await on(third, '确实认错') })
  await then('violation.withdraw', third, withdrawn, ['pm'])
  const alarm = await smoked()
  const seen = async () => correction(alarm)
  await gm.call(api.alarms.assign, { body: { ...(await seen()), assignee_id: site.steward } })
  const [made] = await server.sql<{ id: string }>('SELECT id FROM violations WHERE alarm_id = $1', [alarm])
  expect(await unread(made!.id)).toEqual(['pm'])
  await steward.call(api.violations.object, { body: await on(made!.id, '没有抽') })
  const over = gm.call(api.alarms.cancel, { body: { ...(await seen()), cause: 'wrong', reason: '误报' } })
  await then('violation.lapse', made!.id, over, ['steward'])
})

test('a promise: who answers for it hears, what the owner says of it those who decide', async () => {
  const day = (n: number) => shanghaiDay(ago(-24 * n))
  let many = 0
  const promised = async () =>
    (
      await gm.call(api.promises.add, {
        body: {
          site_id: site.id,
          subject: 'other',
          content: `第 ${(many += 1)} 件事`,
          due: day(2),
          post: 1,
          answers: [],
        },
      })
    ).id
  const on = async (id: string) => ({ id, version: await version(id, 'promises'), reason: '和业主说好了' })
  const kept = async () => {
    const id = await promised()
    await then(
      'promise.keep',
      id,
      steward.call(api.promises.keep, {
        body: {
          id,
          version: await version(id, 'promises'),
          pictures: [await photo(steward)],
          text: '',
        },
      }),
      [],
    )
    return id
  }
  const first = await promised()
  expect(await unread(first)).toEqual(['steward'])
  walked.add('promise.promise')
  // Who puts it off themselves needs no telling; a supervisor's doing is told.
  const extended = async (who: Person, n: number) =>
    who.call(api.promises.extend, { body: { ...(await on(first)), due: day(n) } })
  await then('promise.extend', first, extended(steward, 3), [])
  await then('promise.extend', first, extended(gm, 4), ['steward'])
  const night = async (due: string) => {
    await everybody()
    await server.sql('UPDATE promises SET first_due = $2, due = $2 WHERE id = $1', [first, due])
    const morning = startOfDay(day(0)).getTime() + 9 * 3_600_000
    const shift = Math.max(0, morning - server.now().getTime())
    server.later(shift)
    await server.db.tx(SYSTEM, (tx) => remind(tx, site.tenant_id, promiseReminders))
    server.later(-shift)
    return unread(first)
  }
  expect(await night(day(0))).toEqual(['steward'])
  walked.add('promise.today')
  expect(await night(day(-1))).toEqual(['branch_gm', 'service', 'steward'])
  walked.add('promise.late')
  await then('promise.break', first, gm.call(api.promises.break, { body: await on(first) }), ['steward'])
  const second = await promised()
  const withdrawn = gm.call(api.promises.withdraw, { body: await on(second) })
  await then('promise.withdraw', second, withdrawn, ['steward'])
  const older = await promised()
  const newer = {
    site_id: site.id,
    subject: 'other' as const,
    content: '换一天',
    due: day(5),
    post: 2 as const,
    answers: [{ id: older, how: 'supersede' as const, reason: '' }],
  }
  await then('promise.lapse', older, gm.call(api.promises.add, { body: newer }), ['steward'])
  await server.sql(`UPDATE promises SET state = 'withdrawn' WHERE content = '换一天'`)
  // The person who entered the owner's words needs no telling.
  for (const [line, heard] of [
    ['uphold', ['steward']],
    ['dismiss', ['steward']],
  ] as const) {
    const id = await kept()
    const objected = steward.call(api.promises.object, { body: { ...(await on(id)), channel: 'phone' } })
    await then('promise.object', id, objected, ['branch_gm', 'service'])
    await then(`promise.${line}`, id, gm.call(api.promises[line], { body: await on(id) }), [...heard])
  }
  const third = await promised()
  const [next] = await server.sql<{ id: string; user_name: string }>(
    `SELECT u.id, u.user_name FROM users u JOIN users s ON s.bc_id = u.bc_id
     WHERE s.id = $1 AND u.post = 1 AND u.id <> s.id LIMIT 1`,
    [site.steward],
  )
  const led = async (steward_id: string) =>
    gm.call(api.sites.people, {
      body: { id: site.id, version: await version(site.id, 'sites'), steward_id, manager_id: site.manager },
    })
  await then('promise.hand', third, led(next!.id), [next!.user_name])
  await then('promise.hand', third, led(site.steward), ['steward'])
})

test('where a site has ended nothing new is begun; what is open there is finished', async () => {
  const closed = await poor()
  const open = await poor()
  const hand = async (id: string) =>
    pm.call(api.corrections.submit, {
      body: { ...(await correction(id)), pictures: [await photo(pm)], text: '' },
    })
  await hand(closed)
  await inspector.call(api.corrections.pass, { body: await correction(closed) })
  for (const status of [3, 4]) {
    await server.sql('UPDATE sites SET status = $2 WHERE id = $1', [site.id, status])
    await expect(poor()).rejects.toThrow('不能再开出整改单')
    const again = await gm.ask(api.corrections.reopen, {
      body: { ...(await correction(closed)), reason: '又脏了' },
    })
    expect(again).toMatchObject({ code: 409, msg: expect.stringContaining('不能再重新打开') })
  }
  await hand(open)
  await inspector.call(api.corrections.pass, { body: await correction(open) })
  await server.sql('UPDATE sites SET status = 1 WHERE id = $1', [site.id])
})

test('who leads a site from now on sees it at once, in the session that they have', async () => {
  const [other] = await server.sql<{ id: string; version: number; steward_id: string; manager_id: string }>(
    `SELECT w.id, w.version, w.steward_id, w.manager_id FROM sites w
     JOIN sites s ON s.id = $1 AND s.bc_id = w.bc_id
     WHERE w.manager_id NOT IN (s.manager_id, s.steward_id) AND w.steward_id NOT IN (s.manager_id, s.steward_id)
     LIMIT 1`,
    [site.id],
  )
  const seen = async () => (await pm.ask(api.sites.details, { query: { id: other!.id } })).status
  expect(await seen()).toBe(403)
  const { id, steward_id, version: now } = other!
  const leads = { id, version: now, steward_id, manager_id: site.manager }
  await gm.call(api.sites.people, { body: leads })
  // Long before a session is looked up again by itself.
  await expect.poll(seen, { timeout: 8_000 }).toBe(200)
})

test('a home is another person’s: who works in it hears, once for each time', async () => {
  const change = async (name: string) => {
    const [seen] = await server.sql<{ id: string; version: number }>(
      `SELECT id, version FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL`,
      [site.id],
    )
    await gm.call(api.owners.change, {
      body: { ...seen!, name, phone: '', promises: 'taken', reason: '房屋转让' },
    })
  }
  await then('owner.change', site.id, change('新业主'), ['pm', 'steward'])
  // What was said of the one before is done with.
  await then('owner.change', site.id, change('又一位'), ['pm', 'steward'])
  const told = await server.sql('SELECT count(*)::int AS n FROM notifications WHERE cause_id = $1', [site.id])
  expect(told).toEqual([{ n: 4 }])
})

test('an owner is asked: the steward hears, whoever asked the answer, of money who changes contracts', async () => {
  const day = (n: number) => shanghaiDay(ago(-24 * n))
  let many = 0
  const asked = async (more: object = {}) =>
    (
      await pm.call(api.questions.ask, {
        body: {
          site_id: site.id,
          words: `第 ${(many += 1)} 个问题`,
          options: ['好', '不好'],
          neededBy: day(1),
          ...more,
        },
      })
    ).id
  const [owner] = await server.sql<{ id: string }>(
    'SELECT id FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL',
    [site.id],
  )
  const on = async (id: string) => ({ id, version: await version(id, 'questions') })
  const first = await asked()
  expect(await unread(first)).toEqual(['steward'])
  walked.add('question.ask')
  const morning = async (id: string, needed: string) => {
    await everybody()
    await server.sql(
      `UPDATE questions SET needed_by = $2, asked_at = asked_at - interval '2 days' WHERE id = $1`,
      [id, needed],
    )
    const shift = Math.max(0, startOfDay(day(0)).getTime() + 9 * 3_600_000 - server.now().getTime())
    server.later(shift)
    await server.db.tx(SYSTEM, (tx) => remind(tx, site.tenant_id, questionReminders))
    server.later(-shift)
    return unread(id)
  }
  expect(await morning(first, day(1))).toEqual(['steward'])
  walked.add('question.soon')
  expect(await morning(first, day(-1))).toEqual(['steward'])
  walked.add('question.late')
  const record = async (id: string) =>
    gm.call(api.questions.record, {
      body: { ...(await on(id)), contact_id: owner!.id, choice: 1, pictures: [await photo(gm)] },
    })
  await then('question.answer', first, record(first), ['pm', 'steward'])
  const dear = await asked({ costs: true, estimate: '约 300 元' })
  const written = async () =>
    steward.call(api.questions.record, {
      body: { ...(await on(dear)), contact_id: owner!.id, choice: 1, pictures: [await photo(steward)] },
    })
  await then('question.costs', dear, written(), ['branch_gm', 'pm'])
  const third = await asked()
  const withdrawn = steward.call(api.questions.withdraw, { body: { ...(await on(third)), reason: '不用了' } })
  await then('question.withdraw', third, withdrawn, ['pm'])
  const fourth = await asked()
  const [seen] = await server.sql<{ id: string; version: number }>(
    `SELECT id, version FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL`,
    [site.id],
  )
  const sold = gm.call(api.owners.change, {
    body: { ...seen!, name: '新来的业主', phone: '', promises: 'taken', reason: '房屋转让' },
  })
  await then('question.lapse', fourth, sold, ['pm', 'steward'])
})

test('an owner’s link opened on a new telephone: its steward hears, or whoever gives links', async () => {
  const [home] = await server.sql<{ id: string }>(
    'SELECT id FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL',
    [site.id],
  )
  const asks = async () => {
    await homePhone(server, (await homeLink(gm, home!.id)).token).state()
    const [device] = await server.sql<{ id: string }>(
      `SELECT id FROM home_devices WHERE contact_id = $1 ORDER BY asked_at DESC, id DESC LIMIT 1`,
      [home!.id],
    )
    return unread(device!.id)
  }
  expect(await asks()).toEqual(['steward'])
  await server.sql('UPDATE sites SET steward_id = NULL WHERE id = $1', [site.id])
  expect(await asks()).toEqual(['branch_gm', 'service'])
  await server.sql('UPDATE sites SET steward_id = $2 WHERE id = $1', [site.id, site.steward])
  walked.add('owner.ask')
  // One and the same person makes the link and lets in the device: service hears of it, and of a link that puts it out.
  const { id } = await boundPhone(server, steward, { contact: home!.id, site: site.id })
  expect(await unread(id)).toEqual(['branch_gm', 'service'])
  walked.add('owner.alone')
  await homeLink(steward, home!.id)
  expect(await unread(home!.id)).toEqual(['branch_gm', 'service'])
  walked.add('owner.renew')
  await server.sql('UPDATE notifications SET read_at = :now WHERE cause_id = $1 AND read_at IS NULL', [
    home!.id,
  ])
})

test('somebody of a home agrees to look: who may grant it hears, and hears when it is taken back', async () => {
  const [home] = await server.sql<{ id: string }>(
    `SELECT h.id FROM home_contacts h WHERE h.site_id = $1 AND h.ended_at IS NULL AND h.owner_id IS NOT NULL`,
    [site.id],
  )
  const contact_id = home!.id
  const phone = await boundPhone(server, gm, { contact: contact_id, site: site.id })
  const answer = { ...phone.act(), answer: 1, wording: '2026-11' } as const
  await phone.who.call(api.homeVideo.answer, { body: answer })
  expect(await unread(contact_id)).toEqual(['steward'])
  walked.add('owner.agree')
  const { cameras } = await steward.call(api.grants.home, { query: { site_id: site.id } })
  const when = { fromDay: '2099-01-01', toDay: '2099-01-02', from: '09:00', to: '18:00' }
  await steward.call(api.grants.grant, { body: { contact_id, cameras: [cameras[0]!.id], ...when } })
  expect(await unread(contact_id)).toEqual([])
  walked.add('owner.grant')
  await gm.call(api.grants.withdraw, { body: { contact_id, reason: '业主来电撤回' } })
  expect(await unread(contact_id)).toEqual(['steward'])
  walked.add('owner.withdraw')
})

test('an owner is expected: who receives hears, and is told when others change it', async () => {
  const plan = async (hours: number) =>
    (
      await gm.call(api.receptions.add, {
        body: {
          site_id: site.id,
          purpose: 'look',
          host_id: site.steward,
          day: shanghaiDay(new Date(server.now().getTime() + 24 * 3_600_000)),
          time: `1${hours}:00`,
          remark: '',
        },
      })
    ).id
  const on = async (id: string, reason: string) => ({
    body: { id, version: await version(id, 'receptions'), reason },
  })
  const first = await plan(0)
  expect(await unread(first)).toEqual(['steward'])
  walked.add('reception.add')
  await then('reception.arrive', first, gm.call(api.receptions.arrive, { body: { id: first, version: 0 } }), [
    'steward',
  ])
  await then('reception.finish', first, gm.call(api.receptions.finish, await on(first, '看过水电')), [])
  const service = await server.as('service')
  const low = {
    body: { id: first, version: await version(first, 'receptions'), score: 2, words: '等了很久' },
  }
  await then('reception.lowScore', first, service.call(api.receptions.score, low), ['branch_gm'])
  const called = { body: { id: first, version: await version(first, 'receptions'), words: '已道歉' } }
  await then('reception.callback', first, gm.call(api.receptions.callback, called), [])
  const second = await plan(1)
  await then('reception.cancel', second, gm.call(api.receptions.cancel, await on(second, '出差')), [
    'steward',
  ])
  const third = await plan(2)
  const other = { body: { id: third, version: await version(third, 'receptions'), host_id: site.manager } }
  await then('reception.host', third, gm.call(api.receptions.host, other), ['pm', 'steward'])
  walked.add('reception.relieved')
  const back = { body: { id: third, version: await version(third, 'receptions'), host_id: site.steward } }
  await gm.call(api.receptions.host, back)
  await server.sql(`UPDATE receptions SET at = :now - interval '1 hour' WHERE id = $1`, [third])
  await then('reception.miss', third, gm.call(api.receptions.miss, await on(third, '没来')), ['steward'])
})

test('a home has said something: its steward hears, then others; whoever answers settles it for all', async () => {
  await everybody()
  const hear = () =>
    gm.call(api.threads.hear, { body: { site_id: site.id, channel: 'phone', words: '什么时候贴砖' } })
  const newest = async () => (await gm.call(api.threads.details, { query: { site_id: site.id } })).newest
  const ends = (clock: 'due_at' | 'late_at') =>
    server
      .sql(`UPDATE threads SET ${clock} = :now`)
      .then(() => server.db.tx(SYSTEM, (tx) => remind(tx, site.tenant_id, threadReminders)))
  const { id } = site
  await then('thread.hear', id, hear(), ['steward'])
  await then('thread.due', id, ends('due_at'), ['steward'])
  await then('thread.late', id, ends('late_at'), ['pm', 'service', 'steward'])
  const said = { site_id: id, after: await newest(), words: '周五' }
  await then('thread.answer', id, pm.call(api.threads.say, { body: said }), [])
  await hear()
  const silent = { site_id: id, after: await newest(), reason: '已经回过' }
  await then('thread.silence', id, pm.call(api.threads.silence, { body: silent }), [])
  const wrong = await hear()
  await then('thread.quiet', id, gm.call(api.threads.takeBack, { body: { id: wrong.id } }), [])
  await hear()
  const [next] = await server.sql<{ id: string; user_name: string }>(
    `SELECT u.id, u.user_name FROM users u JOIN users s ON s.bc_id = u.bc_id
     WHERE s.id = $1 AND u.post = 1 AND u.id <> s.id LIMIT 1`,
    [site.steward],
  )
  const leads = { id, version: await version(id, 'sites'), steward_id: next!.id, manager_id: site.manager }
  await then('thread.hand', id, gm.call(api.sites.people, { body: leads }), [next!.user_name])
})

test('every line of the table was walked', () => {
  const { alarm, correction, owner, promise, question, reception, thread, violation } = TURNS
  const all = { alarm, correction, owner, promise, question, reception, thread, violation }
  const lines = Object.entries(all).flatMap(([machine, { on }]) =>
    Object.keys(on).map((line) => `${machine}.${line}`),
  )
  // An alarm waits from its birth for who may assign it; its clock is one with the others'.
  // What another of the home says comes by a link (features/questions).
  const elsewhere = lines.filter((l) => /^(alarm\.(open|begin|urge|late)|question\.differ)/.test(l))
  expect([...walked, ...elsewhere].toSorted()).toEqual(lines.toSorted())
})
