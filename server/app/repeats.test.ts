import { randomUUID } from 'node:crypto'

import { deviceStockApi } from '@zhuguan/contract/features/devices/device-stock.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Person, startTestServer, type TestServer } from '../testing/start.ts'

let server: TestServer
let gm: Person
let keeper: Person
let bc: string
beforeAll(async () => {
  server = await startTestServer()
  ;[gm, keeper] = await Promise.all([server.as('branch_gm'), server.as('device_keeper')])
  bc = (await gm.call(sitesApi.list, { query: {} })).list[0]!.bc_id
})
afterAll(() => server.stop())

const facts = (ws_name: string) => ({
  ws_name,
  bc_id: bc,
  community: '重发小区',
  address: '杭州市重发路 1 号',
})
const add = (key: string, name: string, who = gm) =>
  who.ask(sitesApi.add, { body: facts(name) }, { 'idempotency-key': key })
const sitesNamed = async (name: string) =>
  (await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM sites WHERE ws_name = $1', [name]))[0]!.n

test('one key sent twenty times at once is one site, and everybody gets the same answer', async () => {
  for (const name of ['重发一号院', '重发二号院', '重发三号院']) {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(key, name)))
    expect(answers.map((a) => [a.code, a.msg])).toEqual(Array.from({ length: 20 }, () => [200, '']))
    expect(new Set(answers.map((a) => a.text)).size).toBe(1)
    expect(await sitesNamed(name)).toBe(1)
    expect((await add(key, name)).text).toBe(answers[0]!.text)
  }
})

test('without a key every sending is its own; two people may use the same key', async () => {
  const key = randomUUID()
  await gm.call(sitesApi.add, { body: facts('没有编号的院') })
  await gm.call(sitesApi.add, { body: facts('没有编号的院') })
  expect(await sitesNamed('没有编号的院')).toBe(2)
  expect((await add(key, '两个人的院')).code).toBe(200)
  expect((await add(key, '两个人的院', await server.as('admin'))).code).toBe(200)
  expect(await sitesNamed('两个人的院')).toBe(2)
})

test('a key belongs to its request; a refused one leaves the key free; a strange key is refused in words', async () => {
  const key = randomUUID()
  expect((await add(key, '第一次')).code).toBe(200)
  expect(await add(key, '另一个名字')).toMatchObject({
    code: 409,
    msg: '这个 Idempotency-Key 已经用于另一个请求',
  })
  expect(await sitesNamed('另一个名字')).toBe(0)

  const second = randomUUID()
  expect((await add(second, '')).code).toBe(400)
  expect((await add(second, '改好之后')).code).toBe(200)
  expect(await gm.ask(sitesApi.add, { body: { bc_id: bc } as never })).toMatchObject({
    code: 400,
    msg: '工地名称：必填',
  })
  expect(await add('short', '编号不对')).toMatchObject({ code: 400 })
  expect(await sitesNamed('编号不对')).toBe(0)
})

test('what is kept of an answer cannot be read without the key, and a secret comes again to who asks again', async () => {
  const key = randomUUID()
  const stock = () =>
    keeper.ask(
      deviceStockApi.stock,
      { body: { sns: ['AGAIN-1'], type: 'camera', model: 'C6', bc_id: bc } },
      { 'idempotency-key': key },
    )
  const first = await stock()
  const { secret } = (first.data as { added: { secret: string }[] }).added[0]!
  expect(secret.length).toBeGreaterThan(20)
  expect((await stock()).text).toBe(first.text)
  const kept = JSON.stringify(
    await server.sql('SELECT encode(key_hash, $1) AS k, answer FROM idempotency', ['hex']),
  )
  expect(kept).not.toContain(secret)
  expect(kept).not.toContain(key)
  expect(kept.length).toBeGreaterThan(100)
})
