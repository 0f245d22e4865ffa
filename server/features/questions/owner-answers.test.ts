import { randomUUID } from 'node:crypto'

import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { boundPhone, homeLink, homePhone } from '../../testing/homes.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { toldLog } from '../../testing/told-log.ts'

let server: TestServer
let gm: Person, pm: Person, steward: Person
type Phone = Awaited<ReturnType<typeof boundPhone>>
let homes: { id: string; name: string; owner: string; contact: string; stage: string }[]
let home: (typeof homes)[number]
let wife: string
/** Telephones of the owner, of who lives there too, and of another home. */
let own: Phone, hers: Phone, theirs: Phone
beforeAll(async () => {
  server = await startTestServer()
  ;[gm, pm, steward] = [await server.as('branch_gm'), await server.as('pm'), await server.as('steward')]
  // Days pass in these stories.
  await server.sql(`UPDATE sessions SET expires_at = expires_at + interval '200 days'`)
  homes = await server.sql(
    `SELECT w.id, w.ws_name AS name, o.name AS owner, h.id AS contact, w.stage
     FROM sites w JOIN users m ON m.id = w.manager_id JOIN users s ON s.id = w.steward_id
     JOIN owners o ON o.id = w.owner_id
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id = w.owner_id AND h.ended_at IS NULL
     WHERE w.status = 1 AND m.user_name = 'pm' AND s.user_name = 'steward' ORDER BY w.code`,
  )
  home = homes[0]!
  const added = { site_id: home.id, name: '周太太', relation: 'spouse' as const, phone: '13912340000' }
  wife = (await steward.call(api.owners.addContact, { body: added })).id
  const service = await server.as('service')
  own = await boundPhone(server, steward, { contact: home.contact, site: home.id }, service)
  hers = await boundPhone(server, steward, { contact: wife, site: home.id }, service)
  theirs = await boundPhone(server, steward, { contact: homes[1]!.contact, site: homes[1]!.id }, service)
})
afterAll(() => server.stop())

const { questionPage, questions } = api
const today = () => shanghaiDay(server.now())
const TILES = ['浅灰', '米白', '木纹']
const ask = async (who: Person, more: object = {}) =>
  (
    await who.call(questions.ask, {
      body: {
        site_id: home.id,
        words: '客厅瓷砖选哪一款',
        options: TILES,
        neededBy: addDays(today(), 3),
        ...more,
      },
    })
  ).id
const one = async (id: string) => (await gm.call(questions.list, { query: { id } })).list[0]!
const reads = async (phone: Phone) => {
  const answer = await phone.who.ask(questionPage.questions, { body: phone.bearer })
  if (answer.code !== 200) throw new Error(answer.msg)
  return answer.data
}
const says = (phone: Phone, id: string, more: object) =>
  phone.who.ask(questionPage.answer, { body: { ...phone.act(), id, ...more } })
const told = async (id: string) =>
  server.sql<{ user_name: string; title: string }>(
    `SELECT u.user_name, n.title FROM notifications n JOIN users u ON u.id = n.user_id
     WHERE n.cause_id = $1 AND n.read_at IS NULL ORDER BY u.user_name`,
    [id],
  )
const heard = async (id: string) => (await told(id)).map((n) => n.user_name)
const clear = () => server.sql('DELETE FROM questions')

test('the home reads what it is asked: by when, what waits, who asks, and the pictures', async () => {
  const picture = await uploadPhoto(server.url, steward)
  const id = await ask(steward, {
    stage: home.stage,
    pictures: [picture],
    costs: true,
    estimate: '约 800 元',
  })
  const [shown] = await reads(own)
  expect(shown).toMatchObject({
    id,
    words: '客厅瓷砖选哪一款',
    options: TILES,
    neededBy: addDays(today(), 3),
    lateDays: null,
    stage: home.stage,
    pictures: [picture],
    costs: true,
    estimate: '约 800 元',
    answered: false,
    mayAnswer: true,
    answers: [],
  })
  const [asker] = await server.sql<{ nickname: string }>(
    `SELECT nickname FROM users WHERE user_name = 'steward'`,
  )
  expect(shown!.askedBy).toBe(`项目管家 ${asker!.nickname.slice(0, 1)}`)
  // Nothing of staff but that: no name, no id.
  expect(JSON.stringify(shown)).not.toContain(asker!.nickname)
  expect(Object.keys(shown!)).not.toContain('asker_id')
  expect((await own.picture(picture)).status).toBe(200)
  expect((await theirs.picture(picture)).code).not.toBe(200)
  // Two days past its day: the works wait for the home, and it says so to both sides.
  await server.sql('UPDATE questions SET needed_by = $2 WHERE id = $1', [id, addDays(today(), -2)])
  expect((await reads(own))[0]!.lateDays).toBe(2)
  expect((await one(id)).lateDays).toBe(2)
  expect(await reads(theirs)).toEqual([])
  // Withdrawn it is read with why and asks nothing; its pictures are not there any more.
  const { version } = await one(id)
  await steward.call(questions.withdraw, { body: { id, version, reason: '改用现货' } })
  expect(await reads(own)).toMatchObject([{ id, withdrawnFor: '改用现货', mayAnswer: false, pictures: [] }])
  expect((await own.picture(picture)).code).not.toBe(200)
  const late = await says(own, id, { choice: 1 })
  expect([late.code, late.msg]).toEqual([409, '这个问题已经不用答复了'])
  await clear()
})

test('the owner decides: once, however often it is sent; whoever asked and the steward hear', async () => {
  const id = await ask(pm)
  const no = async (phone: Phone, more: object) => {
    const { code, msg } = await says(phone, id, more)
    return [code, msg]
  }
  expect(await no(own, {})).toEqual([400, '请选一个选项'])
  expect(await no(own, { choice: 4 })).toEqual([400, '请选一个选项'])
  expect(await no(own, { words: '随便' })).toEqual([400, '这个问题请选一个选项'])
  expect(await no(theirs, { choice: 1 })).toEqual([404, '这个问题不在您家里'])
  expect((await one(id)).state).toBe('open')
  const act = randomUUID()
  for (let sent = 0; sent < 3; sent += 1) expect((await says(own, id, { act, choice: 2 })).code).toBe(200)
  const is = await one(id)
  expect(is).toMatchObject({ state: 'answered', answer: '米白', disputed: false })
  expect(is.answers).toMatchObject([
    { contactName: home.owner, choice: 2, counts: true, recordedBy: '', pictures: [] },
  ])
  expect(await heard(id)).toEqual(['pm', 'steward'])
  expect((await told(id))[0]!.title).toBe(
    `${home.name} 问业主的“客厅瓷砖选哪一款”已由${home.owner}答复：米白`,
  )
  const lines = await gm.call(api.timeline.list, { query: { site_id: home.id, kinds: ['owner'] } })
  expect(lines.list[0]!.title).toBe(`${home.owner}答复“客厅瓷砖选哪一款”：米白`)
  // The same once more is the same; another mind needs the steward.
  expect((await says(own, id, { choice: 2 })).code).toBe(200)
  expect(await no(own, { choice: 1 })).toEqual([
    409,
    '您已经答复过：米白。要改请联系项目管家，由管家重新询问',
  ])
  expect((await one(id)).answers).toHaveLength(1)
  expect((await reads(own))[0]).toMatchObject({ answered: true, mayAnswer: false })
  // The log says whose words they are, and that no account wrote them.
  const [line] = await toldLog(server, `action = '业主答复' AND object_id = $1`, [id])
  expect(line).toMatchObject({ user_id: null, after: { answer: '米白', contact: home.owner } })
  await clear()
})

test('the first answer counts; another’s other answer stands beside it, is told, and can be asked anew', async () => {
  const id = await ask(steward)
  expect((await says(own, id, { choice: 1 })).code).toBe(200)
  await server.sql('UPDATE notifications SET read_at = :now WHERE read_at IS NULL')
  expect((await reads(hers))[0]).toMatchObject({ answered: true, mayAnswer: true })
  expect((await says(hers, id, { choice: 3 })).code).toBe(200)
  const is = await one(id)
  expect(is).toMatchObject({ state: 'answered', answer: '浅灰', disputed: true })
  expect(is.answers.map((a) => [a.contactName, a.choice, a.counts])).toEqual([
    [home.owner, 1, true],
    ['周太太', 3, false],
  ])
  expect(await heard(id)).toEqual(['steward'])
  expect((await told(id))[0]!.title).toContain('周太太的答复不同：木纹（已有的是：浅灰）')
  expect((await reads(own))[0]!.answers.map((a) => [a.name, a.own, a.counts])).toEqual([
    [home.owner, true, true],
    ['周太太', false, false],
  ])
  const again = { id, version: is.version }
  const next = await ask(steward, { again, words: '客厅瓷砖，请商量好再定' })
  expect((await reads(hers)).map((q) => [q.id, q.answered, q.mayAnswer])).toEqual([
    [next, false, true],
    [id, true, false],
  ])
  expect((await says(hers, next, { choice: 3 })).code).toBe(200)
  expect(await one(next)).toMatchObject({ againOf: id, answer: '木纹', disputed: false })
  // Who says the same does not disagree.
  expect((await says(own, next, { choice: 3 })).code).toBe(200)
  expect(await one(next)).toMatchObject({ disputed: false })
  await clear()
})

test('of two who decide at once exactly one counts', async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await ask(steward)
    const both = await Promise.all([says(own, id, { choice: 1 }), says(hers, id, { choice: 2 })])
    expect(both.map((b) => b.code)).toEqual([200, 200])
    const { answer, answers, disputed } = await one(id)
    expect(answers.filter((a) => a.counts)).toHaveLength(1)
    expect([answers.length, disputed]).toEqual([2, true])
    const first = answers.find((a) => a.counts)!
    expect(answer).toBe(TILES[first.choice! - 1])
  }
  await clear()
})

test('what costs money says so, tells who changes contracts, leads there, and books nothing', async () => {
  // A home that was sold: without a contract there would be nothing to change.
  await server.sql(
    `INSERT INTO customers (tenant_id, id, bc_id, name, phone, held_at, changed_at, created_at)
     SELECT tenant_id, gen_random_uuid(), bc_id, '卖给谁', '', :now, :now, :now FROM sites WHERE id = $1`,
    [home.id],
  )
  await server.sql(
    `INSERT INTO quotations (tenant_id, id, code, bc_id, customer_id, quoter_id, created_at, changed_at, changed_by)
     SELECT k.tenant_id, gen_random_uuid(), 'BJ-1', k.bc_id, k.id, w.steward_id, :now, :now, ''
     FROM customers k JOIN sites w ON w.id = $1 WHERE k.name = '卖给谁'`,
    [home.id],
  )
  const [contract] = await server.sql<{ id: string; total: string }>(
    `INSERT INTO contracts (tenant_id, id, code, bc_id, customer_id, quotation_id, signed_version, site_id,
       signing_progress, package_name, area, tax_percent, base, paid, signed_on, made_by, made_at)
     SELECT q.tenant_id, gen_random_uuid(), 'HT-1', q.bc_id, q.customer_id, q.id, gen_random_uuid(), $1, 3, '', 1, 3,
       10, 10, :today, q.quoter_id, :now
     FROM quotations q WHERE q.code = 'BJ-1' RETURNING id, total::text AS total`,
    [home.id],
  )
  const id = await ask(pm, { costs: true, estimate: '约 1,200 元' })
  expect((await one(id)).contract_id).toBeNull()
  expect((await says(own, id, { choice: 1 })).code).toBe(200)
  expect((await one(id)).contract_id).toBe(contract!.id)
  expect(await heard(id)).toEqual(['branch_gm', 'pm', 'steward'])
  expect((await told(id))[0]!.title).toContain('费用有变（约 1,200 元），需要另签增减项变更')
  const after = await server.sql(
    `SELECT c.total::text AS total, (SELECT count(*)::int FROM contract_changes) AS changes
     FROM contracts c WHERE c.id = $1`,
    [contract!.id],
  )
  expect(after).toEqual([{ total: contract!.total, changes: 0 }])
  await clear()
})

test('in words where there are no options; a strange device and a contact who left decide nothing', async () => {
  const id = await ask(steward, { options: [], words: '主卧插座加在哪面墙' })
  expect((await says(own, id, { choice: 1 })).msg).toBe('这个问题没有选项，请用文字答复')
  const strange = homePhone(server, own.token)
  const asked = await strange.who.ask(questionPage.questions, { body: strange.bearer })
  expect(asked.code).toBe(403)
  const said = await strange.who.ask(questionPage.answer, {
    body: { ...strange.act(), id, words: '床头' },
  })
  expect(said.code).toBe(403)
  expect((await says(own, id, { words: '床头左边，离地 60 公分' })).code).toBe(200)
  expect(await one(id)).toMatchObject({ answer: '床头左边，离地 60 公分' })
  const next = await ask(steward)
  const [seen] = await server.sql<{ version: number }>('SELECT version FROM home_contacts WHERE id = $1', [
    wife,
  ])
  await steward.call(api.owners.endContact, { body: { id: wife, version: seen!.version, reason: '搬走了' } })
  expect((await says(hers, next, { choice: 1 })).code).not.toBe(200)
  expect((await one(next)).state).toBe('open')
  // What she said before stays hers.
  await clear()
})

test('answered ninety days ago it is out of sight; another owner reads nothing of before', async () => {
  const old = await ask(steward)
  expect((await says(own, old, { choice: 1 })).code).toBe(200)
  await server.sql(`UPDATE questions SET closed_at = closed_at - interval '89 days' WHERE id = $1`, [old])
  expect((await reads(own)).map((q) => q.id)).toEqual([old])
  await server.sql(`UPDATE questions SET closed_at = closed_at - interval '1 day' WHERE id = $1`, [old])
  expect(await reads(own)).toEqual([])
  const done = await ask(steward, { words: '木门颜色' })
  expect((await says(own, done, { choice: 1 })).code).toBe(200)
  const open = await ask(steward, { words: '踢脚线' })
  server.later(1_000)
  const [seen] = await server.sql<{ version: number }>('SELECT version FROM home_contacts WHERE id = $1', [
    home.contact,
  ])
  await gm.call(api.owners.change, {
    body: {
      id: home.contact,
      version: seen!.version,
      name: '新来的业主',
      phone: '13700001234',
      promises: 'taken',
      reason: '房屋转让',
    },
  })
  expect((await one(open)).state).toBe('withdrawn')
  expect((await says(own, open, { choice: 1 })).code).not.toBe(200)
  const [buyer] = await server.sql<{ id: string }>(
    'SELECT id FROM home_contacts WHERE site_id = $1 AND owner_id IS NOT NULL AND ended_at IS NULL',
    [home.id],
  )
  const new_ = await boundPhone(
    server,
    steward,
    { contact: buyer!.id, site: home.id },
    await server.as('service'),
  )
  expect(await reads(new_)).toEqual([])
  expect((await says(new_, done, { choice: 2 })).msg).toBe('这个问题不在您家里')
  server.later(1_000)
  const fresh = await ask(steward, { words: '灯具选哪一款' })
  expect((await reads(new_)).map((q) => q.id)).toEqual([fresh])
  expect((await homeLink(steward, buyer!.id)).token).toBeTruthy()
})
