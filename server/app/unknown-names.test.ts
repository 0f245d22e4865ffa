import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'

import { type Person, startTestServer, type TestServer } from '../testing/start.ts'
import { unknownNames } from './unknown-names.ts'

let server: TestServer
let gm: Person
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
})
afterAll(() => server.stop())

test('names of what a schema does not know are found, those of lines inside of a document are not looked for', () => {
  const schema = z.object({ id: z.string().optional(), lines: z.array(z.object({ name: z.string() })) })
  expect(unknownNames(schema, { lines: [{ name: '瓷砖', code: 'CZ' }], creator: '' })).toEqual([])
  expect(unknownNames(schema, { idd: '1', toString: '', lines: [] })).toEqual(['idd', 'toString'])
  expect(unknownNames(schema, null)).toEqual([])
})

test('a filter or a field that nobody knows is refused by its name, what any record carries is not', async () => {
  const list = async (query: object) => gm.ask(sitesApi.list, { query })
  expect(await list({ statuss: '3' })).toMatchObject({
    code: 400,
    msg: '没有“statuss”这个条件',
    data: { fields: { statuss: '没有这个条件' } },
  })
  expect(await list({ status: '1', createTime: '', tenantId: '1', updater: '' })).toMatchObject({ code: 200 })
  const n = async () => (await server.sql('SELECT FROM sites')).length
  const before = await n()
  const [branch] = await server.sql<{ bc_id: string }>(`SELECT bc_id FROM companies WHERE code = 'HZ'`)
  const site = { ws_name: '滨江一号', bc_id: branch!.bc_id, address: '一号' }
  const add = async (more: object) => gm.ask(sitesApi.add, { body: { ...site, ...more } })
  expect(await add({ nonsens: 1 })).toMatchObject({ code: 400, msg: '没有“nonsens”这个字段' })
  expect(await n()).toBe(before)
  expect((await add({ creator: 'x', deleted: false })).msg).toBe('')
  expect(await n()).toBe(before + 1)
})
