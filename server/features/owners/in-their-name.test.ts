import { api } from '@zhuguan/contract/api.ts'
import { threadPageApi } from '@zhuguan/contract/features/threads/thread-page.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { shanghaiDay } from '../../kit/shanghai.ts'
import { boundPhone } from '../../testing/homes.ts'
import { plainJpeg } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person, service: Person, steward: Person
let home: { site: string; contact: string; name: string }
let phone: Awaited<ReturnType<typeof boundPhone>>
beforeAll(async () => {
  server = await startTestServer()
  ;[gm, service, steward] = await Promise.all([
    server.as('branch_gm'),
    server.as('service'),
    server.as('steward'),
  ])
  ;[home] = (await server.sql<typeof home>(
    `SELECT w.id AS site, h.id AS contact, o.name FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN owners o ON o.id = h.owner_id
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     WHERE w.status = 1 ORDER BY w.code LIMIT 1`,
  )) as [typeof home]
  phone = await boundPhone(server, steward, home, service)
})
afterAll(() => server.stop())

test('staff write down what was said or signed; what a telephone answers is given on it alone', async () => {
  const answeredOn = shanghaiDay(server.now())
  for (const answer of [1, 2] as const) {
    const said = await steward.ask(api.grants.answer, {
      body: { contact_id: home.contact, answer, how: 'electronic', answeredOn },
    })
    expect([said.code, said.msg]).toEqual([400, '电子答复由本人在自己的手机页面上做；代为登记请选书面或当面'])
  }
  const asked = { query: { contact_id: home.contact } }
  expect(await steward.call(api.grants.answers, asked)).toEqual([])
  expect((await phone.answerVideo(1, '2026-11')).code).toBe(200)
  expect(await steward.call(api.grants.answers, asked)).toMatchObject([{ how: 'electronic', state: 1 }])
})

test('a picture that the home sent is for who reads its words, a picture of ours for who sees the site', async () => {
  const { device, token } = phone.bearer
  const response = await fetch(server.url + threadPageApi.photo.path, {
    method: 'POST',
    headers: { 'content-type': 'image/jpeg', 'x-link': token, 'x-link-device': device },
    body: new Uint8Array(await plainJpeg()),
  })
  const { key } = ((await response.json()) as { data: { key: string } }).data
  const said = await phone.who.ask(threadPageApi.say, {
    body: { ...phone.act(), words: '只给管家看', pictures: [key] },
  })
  expect(said.code).toBe(200)
  const looks = async (user: string, of: string) =>
    (await (await server.as(user)).ask(api.files.get, { query: { key: of, size: 'full' } })).status
  for (const user of ['steward', 'service', 'branch_gm', 'pm'])
    expect([user, await looks(user, key)]).toEqual([user, 200])
  for (const user of ['cashier', 'acceptor', 'order_clerk', 'quoter', 'device_keeper'])
    expect([user, await looks(user, key)]).toEqual([user, 403])
})

test('a name is put right, a person is changed: the steward does the one, who leads the branch the other', async () => {
  const details = async () =>
    (await gm.call(api.owners.details, { query: { site_id: home.site } })).contacts.find(
      (c) => c.id === home.contact,
    )!
  const body = async (more: { name?: string; phone?: string }) => ({
    id: home.contact,
    version: (await details()).version,
    name: home.name,
    phone: '',
    reason: '更正一下',
    ...more,
  })
  const OTHER = '改成这样就是另一个人了：换了业主请分公司总经理用“更换业主”，以前的留言和同意不会带过去'
  const family = Array.from(home.name)[0]!
  for (const more of [
    { name: '钱多多', phone: '13977776666' },
    { name: `${family}某某`, phone: '13977776666' },
    { name: '𠮷𠮷' },
  ]) {
    const refused = await steward.ask(api.owners.correct, { body: await body(more) })
    expect([refused.code, refused.msg]).toEqual([409, OTHER])
  }
  expect(await details()).toMatchObject({ name: home.name, version: (await details()).version })
  await steward.call(api.owners.correct, { body: await body({ name: `${family}改一字` }) })
  expect((await details()).name).toBe(`${family}改一字`)
  await gm.call(api.owners.correct, { body: await body({ name: '从前写错了' }) })
  expect((await details()).name).toBe('从前写错了')
})
