import { api } from '@zhuguan/contract/api.ts'
import { customersImport } from '@zhuguan/contract/features/customers/customers.import.ts'
import type { PersonDetail } from '@zhuguan/contract/features/persons/persons.record.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { forgetAgain } from '../../app/erasure-journal.ts'
import { personJobs } from '../../app/person-jobs.ts'
import { boundPhone } from '../../testing/homes.ts'
import { pdfText } from '../../testing/pdf-text.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { checked, sheetOf } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { openFileStore } from '../files/file-store.ts'

const { customers, feedback, followUps, owners, persons, search, sites, userlogs, workers } = api
let server: TestServer
let sales: Person, gm: Person, steward: Person, service: Person, admin: Person
let place: { bc_id: string; store_id: string }
beforeAll(async () => {
  server = await startTestServer()
  await enter()
  ;[place] = (await server.sql<typeof place>(
    `SELECT s.bc_id, s.id AS store_id FROM users u JOIN user_stores t ON t.user_id = u.id
     JOIN stores s ON s.id = t.store_id WHERE u.user_name = 'sales' ORDER BY s.name LIMIT 1`,
  )) as [typeof place]
})
afterAll(() => server.stop())
async function enter() {
  ;[sales, gm, steward, service, admin] = [
    await server.as('sales'),
    await server.as('branch_gm'),
    await server.as('steward'),
    await server.as('service'),
    await server.as('admin'),
  ]
}

/** The night of whoever is restricted. */
async function night() {
  const [rest] = personJobs({ ...server, files: openFileStore(server.dataDir) })
  const [{ id }] = (await server.sql<{ id: string }>(
    `SELECT tenant_id AS id FROM users WHERE user_name = 'service'`,
  )) as [{ id: string }]
  const now = server.now()
  await rest!.run({ db: server.db, tenant: id, day: '', since: null, met: now, now, stopped: () => false })
}

/** Every table in which one of these words stands, with how many rows of it. */
async function standing(...words: string[]): Promise<Record<string, number>> {
  const tables = await server.sql<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  )
  const found: Record<string, number> = {}
  for (const { name } of tables) {
    const [{ n }] = (await server.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${name} t WHERE ${words.map((w) => `strpos(t::text, '${w}') > 0`).join(' OR ')}`,
    )) as [{ n: number }]
    if (n) found[name] = n
  }
  return found
}
const seen = (id: string, who = service) => who.call(persons.details, { query: { id } })
const one = async (id: string) => ({ id, version: (await seen(id, admin)).version })
const paper = () => uploadPhoto(server.url, service)
/** Asked, found by the number, and looked at with a paper. */
async function verified(
  kind: 'customer' | 'owner' | 'worker',
  keyword: string,
  ask: 'collect' | 'erase' = 'erase',
): Promise<string> {
  const [who] = await service.call(persons.find, { query: { kind, keyword } })
  const { id } = await service.call(persons.add, {
    body: { ask, kind, subject_id: who!.id, words: '本人来电提出，约好来店签字' },
  })
  await service.call(persons.verify, { body: { ...(await one(id)), proof: 'paper', paper: await paper() } })
  return id
}
const execute = async (id: string, who = admin) => who.ask(persons.execute, { body: await one(id) })
const linesOf = (d: PersonDetail) => Object.fromEntries(d.plan.map((l) => [l.data, l.rows]))

test('who never signed goes without a trace: lead, couple, follow-ups, log; no list brings it back', async () => {
  const [me] = await server.sql<{ id: string }>(`SELECT id FROM users WHERE user_name = 'sales'`)
  const { id: customer } = await sales.call(customers.add, {
    body: {
      ...place,
      consultant_id: me!.id,
      name: '甄有福',
      phone: '13977776661',
      community: '琥珀里',
      address: '琥珀里 77 幢 1001',
    },
  })
  await sales.call(customers.addContact, {
    body: {
      id: customer,
      version: (await gm.call(customers.details, { query: { id: customer } })).version,
      name: '钟无艳',
      relation: 'spouse',
      phone: '13977776662',
    },
  })
  await sales.call(followUps.plan, {
    body: {
      customer_id: customer,
      kind: 'phone',
      at: Math.floor(server.now().getTime() / 1000) + 86_400,
      content: '给甄有福回电，谈 77 幢的预算',
    },
  })
  const before = (await gm.call(customers.list, { query: {} })).totalCount
  expect(Object.keys(await standing('甄有福', '13977776661')).sort()).toContain('user_logs')
  const id = await verified('customer', '139-7777-6661'.replaceAll('-', ''))
  const plan = await seen(id, admin)
  expect(linesOf(plan)).toMatchObject({ lead: 4 })
  expect(plan.plan.every((line) => line.bars.length === 0)).toBe(true)
  expect(await execute(id)).toMatchObject({ code: 200 })
  expect(await standing('甄有福', '13977776661', '139****6661', '钟无艳', '13977776662', '77 幢')).toEqual({})
  const done = await seen(id, admin)
  expect(done).toMatchObject({ state: 'executed', name: '', words: '' })
  expect(done.digest).toMatch(/^[\da-f]{64}$/)
  // The figures of days gone by do not move: one customer is still one.
  expect((await gm.call(customers.list, { query: {} })).totalCount).toBe(before)
  expect(await server.sql(`SELECT state FROM follow_ups WHERE customer_id = '${customer}'`)).toEqual([
    { state: 'cancelled' },
  ])
  expect((await admin.call(userlogs.verify, { body: {} })).ok).toBe(true)
  const lead = await service.ask(persons.add, {
    body: { ask: 'erase', kind: 'customer', subject_id: customer, words: '再说一次' },
  })
  expect(lead).toMatchObject({ code: 409, msg: '这个人的信息已经删除' })
  // What was erased is not brought in by the next list.
  const [store] = await server.sql<{ name: string }>('SELECT name FROM stores WHERE id = $1', [
    place.store_id,
  ])
  const sheet = await sheetOf(
    ['姓名*', '电话*', '门店', '来源'],
    [
      ['甄有福', '13977776661', store!.name, '小区活动'],
      ['别人', '13977776663', store!.name, '小区活动'],
    ],
  )
  expect(await checked(server.url, sales, customersImport, sheet)).toMatchObject({ good: 1, bad: 1 })
})

/** A finished home with an owner, a spouse, a telephone of the owner's, words and a complaint that is open. */
async function home(owner: string, phone: string) {
  const { id: site } = await gm.call(sites.add, {
    body: {
      ws_name: `玛瑙里 ${phone.slice(-2)} 幢`,
      bc_id: place.bc_id,
      address: '玛瑙路 1 号',
      owner,
      ownerPhone: phone,
    },
  })
  await server.sql(`UPDATE sites SET status = 4, steward_id = (SELECT id FROM users WHERE user_name = 'steward')
    WHERE id = '${site}'`)
  await service.call(owners.addContact, {
    body: {
      site_id: site,
      name: `配${owner}`,
      phone: phone.replace('1397777', '1367777'),
      relation: 'spouse',
    },
  })
  const { contact_id: contact } = (await service.call(owners.list, { query: { id: site } })).list[0]!
  return { site, contact }
}
const namesIn = async (site: string) =>
  (await gm.call(owners.details, { query: { site_id: site } })).contacts.map((c) => c.name)

test('with a complaint open the person is restricted: in no list, and gone in the night after it closes', async () => {
  const { contact, site } = await home('欧阳锦绣', '13977778801')
  const phone = await boundPhone(server, steward, { contact, site }, gm)
  await phone.who.ask(api.threadPage.say, {
    body: { ...phone.act(), words: '我是欧阳锦绣，门口的灯不亮', pictures: [] },
  })
  await phone.feedback('欧阳锦绣投诉：墙面开裂')
  // Asked on the telephone that was let in by two hands: that is the proof.
  expect(await phone.who.ask(api.personPage.ask, { body: { ...phone.act(), ask: 'erase' } })).toMatchObject({
    code: 200,
  })
  const [mine] = (await phone.who.ask(api.personPage.requests, { body: phone.bearer })).data
  const id = mine!.id
  const due = await service.ask(persons.verify, { body: { ...(await one(id)), proof: 'paper' } })
  expect(due).toMatchObject({ code: 400, data: { fields: { paper: expect.any(String) } } })
  await service.call(persons.verify, { body: { ...(await one(id)), proof: 'device' } })
  expect(await execute(id, service)).toMatchObject({ code: 401 })
  expect(await execute(id)).toMatchObject({ code: 200 })
  const kept = await seen(id, admin)
  expect(kept).toMatchObject({ state: 'restricted', name: '' })
  expect(kept.plan.find((l) => l.data === 'thread')).toMatchObject({ bars: ['complaint'] })
  // Links and devices are over at once; the name is in no list, search or file.
  expect((await phone.state()).code).not.toBe(200)
  expect(await namesIn(site)).toEqual(['受限', '配欧阳锦绣'])
  const found = await gm.call(search.all, { query: { keyword: '欧阳锦绣' } }).catch(() => null)
  expect(JSON.stringify(found ?? '')).not.toContain('13977778801')
  expect(Object.keys(await standing('13977778801'))).toEqual([])
  // Whoever has to reach them asks for a reason, which stands in the log.
  expect(await service.call(persons.reveal, { body: { id, reason: '投诉要回访' } })).toEqual([
    { name: '欧阳锦绣', phone: '13977778801' },
  ])
  // Nothing closes it but the complaint.
  await night()
  expect((await seen(id, admin)).state).toBe('restricted')
  await server.sql(`UPDATE feedback SET status = 3, closed_at = :now, close_due_at = :now
      WHERE site_id = '${site}'`)
  await night()
  expect(await seen(id, admin)).toMatchObject({ state: 'executed' })
  expect(await namesIn(site)).toEqual(['已删除', '配欧阳锦绣'])
  const left = await standing('欧阳锦绣')
  // The spouse is called after them, and is somebody else.
  expect(Object.keys(left).filter((t) => !['home_contacts', 'user_logs'].includes(t))).toEqual([])
  expect((await admin.call(userlogs.verify, { body: {} })).ok).toBe(true)
})

test('while works go on, who does them knows whose home it is; what is not needed for it goes', async () => {
  const { contact, site } = await home('司马青衫', '13977778802')
  await server.sql(`UPDATE sites SET status = 1 WHERE id = '${site}'`)
  const { id: lead } = await sales.call(customers.add, {
    body: { ...place, name: '司马青衫', phone: '13977778802', community: '玛瑙里' },
  })
  const id = await verified('owner', '13977778802')
  expect(await execute(id)).toMatchObject({ code: 200 })
  expect(await seen(id, admin)).toMatchObject({ state: 'restricted' })
  expect(await namesIn(site)).toEqual(['司马青衫', '配司马青衫'])
  expect((await gm.call(customers.details, { query: { id: lead } })).name).toBe('已删除')
  await server.sql(`UPDATE sites SET status = 4 WHERE id = '${site}'`)
  await night()
  expect((await seen(id, admin)).state).toBe('executed')
  expect((await namesIn(site))[0]).toBe('已删除')
  expect(contact).toBeTruthy()
})

test('nobody erases whom they verified; a wrong proof, a second request and an old page change nothing', async () => {
  const { site } = await home('诸葛明月', '13977778803')
  const [who] = await service.call(persons.find, { query: { kind: 'owner', keyword: '诸葛明月' } })
  expect(who).toMatchObject({ phone: '139****8803' })
  const body = { ask: 'erase', kind: 'owner', subject_id: who!.id, words: '来店提出' } as const
  const { id } = await service.call(persons.add, { body })
  expect(await service.ask(persons.add, { body })).toMatchObject({
    code: 409,
    msg: expect.stringContaining('还在办理'),
  })
  expect(await service.ask(persons.verify, { body: { ...(await one(id)), proof: 'device' } })).toMatchObject({
    code: 400,
  })
  const old = await one(id)
  await admin.call(persons.verify, {
    body: { ...old, proof: 'paper', paper: await uploadPhoto(server.url, admin) },
  })
  expect(await service.ask(persons.refuse, { body: { ...old, reason: '不是本人' } })).toMatchObject({
    code: 409,
  })
  expect(await execute(id)).toMatchObject({ code: 409, msg: expect.stringContaining('不能自己执行') })
  expect((await namesIn(site))[0]).toBe('诸葛明月')
  await service.call(persons.refuse, { body: { ...(await one(id)), reason: '本人改变主意' } })
  expect(await seen(id, admin)).toMatchObject({ state: 'refused', refusedFor: '本人改变主意' })
  expect((await namesIn(site))[0]).toBe('诸葛明月')
})

test('another person of the same name keeps it: in their records, and in the lines of the log about them', async () => {
  const { site: mine } = await home('慕容如玉', '13977778806')
  const { site: other } = await home('慕容如玉', '13977778807')
  const id = await verified('owner', '13977778806')
  expect(await execute(id)).toMatchObject({ code: 200 })
  expect(await seen(id, admin)).toMatchObject({ state: 'executed' })
  expect((await namesIn(mine))[0]).toBe('已删除')
  expect((await namesIn(other))[0]).toBe('慕容如玉')
  const lines = async (of: string) =>
    server.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM user_logs l
       WHERE strpos(l::text, '慕容如玉') > 0 AND strpos(l::text, '${of}') > 0`,
    )
  expect((await lines(other))[0]!.n).toBeGreaterThan(0)
  expect((await lines(mine))[0]!.n).toBe(0)
})

test('a worker’s face and papers go, the hours stay under a name that is nobody’s', async () => {
  const [w] = await server.sql<{ id: string }>(
    `SELECT k.id FROM workers k WHERE k.bc_id = '${place.bc_id}' AND k.w_contact <> '' ORDER BY k.w_id LIMIT 1`,
  )
  const { w_name: name, w_contact: number } = (
    await server.sql<{ w_name: string; w_contact: string }>(
      `SELECT w_name, w_contact FROM workers WHERE id = '${w!.id}'`,
    )
  )[0]!
  await server.sql(
    `UPDATE site_members SET left_on = entered_on WHERE worker_id = '${w!.id}' AND left_on IS NULL`,
  )
  await server.sql(`DELETE FROM attendance_days WHERE worker_id = '${w!.id}' AND day >= :today`)
  const key = '0b8f3c1e-7a52-4a7e-9d61-3f0f5f1c2a10.jpg'
  await server.sql(`INSERT INTO files (key, tenant_id, kind, bytes)
    SELECT '${key}', tenant_id, 'picture', 1 FROM workers WHERE id = '${w!.id}'`)
  await server.sql(`INSERT INTO attendance_events
      (tenant_id, id, bc_id, site_id, worker_id, at, day, direction, picture)
    SELECT k.tenant_id, gen_random_uuid(), k.bc_id, s.id, k.id, :now, :today, 'in', '${key}'
    FROM workers k JOIN sites s ON s.tenant_id = k.tenant_id AND s.bc_id = k.bc_id WHERE k.id = '${w!.id}' LIMIT 1`)
  await server.sql(`UPDATE workers SET team = w_name || '班组' WHERE id = '${w!.id}'`)
  await server.sql(`INSERT INTO visits (tenant_id, id, bc_id, site_id, at, seconds, worker_id, remark)
    SELECT k.tenant_id, gen_random_uuid(), k.bc_id, s.id, :now, 60, k.id, '是' || k.w_name || k.w_contact
    FROM workers k JOIN sites s ON s.tenant_id = k.tenant_id AND s.bc_id = k.bc_id WHERE k.id = '${w!.id}' LIMIT 1`)
  const days = await server.sql(`SELECT count(*)::int AS n FROM attendance_days WHERE worker_id = '${w!.id}'`)
  const id = await verified('worker', number)
  expect(await execute(id)).toMatchObject({ code: 200 })
  expect(await seen(id, admin)).toMatchObject({ state: 'executed' })
  const shown = await gm.call(workers.details, { query: { id: w!.id } })
  expect(shown).toMatchObject({ w_name: '已删除工人', w_contact: '' })
  expect(
    await server.sql(`SELECT count(*)::int AS n FROM attendance_days WHERE worker_id = '${w!.id}'`),
  ).toEqual(days)
  expect(
    await server.sql(
      `SELECT picture FROM attendance_events WHERE worker_id = '${w!.id}' AND picture IS NOT NULL`,
    ),
  ).toEqual([])
  expect(await server.sql(`SELECT 1 FROM files WHERE key = '${key}'`)).toEqual([])
  expect(Object.keys(await standing(number))).toEqual([])
  expect(await server.sql(`SELECT 1 FROM visits WHERE strpos(remark, '${name}') > 0`)).toEqual([])
  expect(await server.sql(`SELECT 1 FROM workers WHERE strpos(team, '${name}') > 0`)).toEqual([])
  const edit = { id: w!.id, version: shown.version, w_name: name, bc_id: place.bc_id, w_type: 4 as const }
  expect(await gm.ask(workers.edit, { body: edit })).toMatchObject({ code: 409 })
  expect(await standing(number)).toEqual({})
})

test('who is forgotten is not written back, linked or brought on; somebody else may take the home', async () => {
  const { site } = await home('公冶长安', '13977778808')
  const { id: lead } = await sales.call(customers.add, {
    body: { ...place, name: '公冶长安', phone: '13977778808', community: '玛瑙里' },
  })
  // The store hears of it by name, as it waits in the pool.
  expect(await standing('公冶长安')).toMatchObject({ notifications: expect.any(Number) })
  const id = await verified('owner', '13977778808')
  expect(await execute(id)).toMatchObject({ code: 200 })
  expect(Object.keys(await standing('公冶长安')).filter((t) => t !== 'home_contacts')).toEqual([])
  const { contact_id, contactVersion: version } = (await gm.call(owners.list, { query: { id: site } }))
    .list[0]!
  const body = { id: contact_id, version, name: '公冶长安', phone: '13977778808', reason: '写回去' }
  const no = { code: 409, msg: expect.stringContaining('不能再登记') }
  expect(await gm.ask(owners.correct, { body })).toMatchObject(no)
  expect(await gm.ask(api.links.create, { body: { kind: 'owner', target_id: contact_id } })).toMatchObject(no)
  const k = { id: lead, version: (await gm.call(customers.details, { query: { id: lead } })).version }
  expect(await gm.ask(customers.revive, { body: k })).toMatchObject(no)
  expect(
    await gm.ask(customers.addContact, {
      body: { ...k, name: '别人', relation: 'other', phone: '13977776669' },
    }),
  ).toMatchObject(no)
  expect(await standing('公冶长安', '13977776669')).not.toHaveProperty('customers')
  await gm.call(owners.change, { body: { ...body, name: '新业主', phone: '13977778809', promises: 'taken' } })
  expect((await namesIn(site))[0]).toBe('新业主')
})

test('a database of before forgets again what the journal says, before its door opens', async () => {
  const { site } = await home('独孤长风', '13977778804')
  const id = await verified('owner', '13977778804')
  const before = await server.sql<{ id: string; name: string; phone: string }>(
    `SELECT id, name, phone FROM owners WHERE phone = '13977778804'`,
  )
  expect(await execute(id)).toMatchObject({ code: 200 })
  const deps = { files: openFileStore(server.dataDir), secretKey: server.secretKey, dataDir: server.dataDir }
  expect(await forgetAgain(server.db, deps)).toBe(0)
  // As a backup from before puts it back: rows with the name, and nothing known of the erasure.
  await server.sql(`UPDATE owners SET name = '独孤长风', phone = '13977778804' WHERE id = '${before[0]!.id}'`)
  await server.sql(`DELETE FROM erasures WHERE id = '${id}'`)
  expect((await namesIn(site))[0]).toBe('独孤长风')
  expect(await forgetAgain(server.db, deps)).toBe(1)
  expect((await namesIn(site))[0]).toBe('已删除')
  expect(await forgetAgain(server.db, deps)).toBe(0)
})

test('who asks gets all of it on paper, and of other people nothing', async () => {
  const { site } = await home('上官云裳', '13977778805')
  await service.call(feedback.enter, {
    body: {
      site_id: site,
      kind: 'complaint',
      level: 1,
      about: 'work',
      channel: 'phone',
      words: '上官云裳来电，配偶 13677778805 也在',
    },
  })
  const id = await verified('owner', '13977778805', 'collect')
  const answer = await admin.ask(persons.collect, { query: { id } })
  const text = (await pdfText(answer.bytes)).join('\n').replaceAll(' ', '')
  expect(text).toContain('上官云裳')
  expect(text).toContain('13977778805')
  expect(text).not.toContain('13677778805')
  expect(await seen(id, admin)).toMatchObject({ state: 'executed', ask: 'collect' })
  expect((await namesIn(site))[0]).toBe('上官云裳')
})
