import { workersApi } from '@zhuguan/contract/features/workers/workers.api.ts'
import { workersImport } from '@zhuguan/contract/features/workers/workers.import.ts'
import { MAX_IMPORT_ROWS } from '@zhuguan/contract/kit/imports.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { checked, sheetOf, stored } from '../../testing/sheets.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
})
afterAll(() => server.stop())

const HEAD = ['工号', '姓名*', '分公司*', '工种*']
const people = (n: number) =>
  Array.from({ length: n }, (_, i) => [
    `T${String(i).padStart(5, '0')}`,
    `测试${String.fromCharCode(0x4e00 + i)}`,
    '杭州分公司',
    '瓦工',
  ])
const count = async () => (await gm.call(workersApi.list)).totalCount

test('20,000 rows: others are answered meanwhile, and nothing is lost or doubled', async () => {
  const bytes = await sheetOf(HEAD, people(MAX_IMPORT_ROWS))
  const before = await count()
  let asked = 0
  let importing = true
  const others = (async () => {
    const pm = await server.as('pm')
    while (importing) {
      await pm.call(workersApi.list)
      asked += 1
      await new Promise((r) => setTimeout(r, 30))
    }
  })()
  const state = await checked(server.url, gm, workersImport, bytes)
  expect(state).toMatchObject({ total: MAX_IMPORT_ROWS, good: MAX_IMPORT_ROWS })
  expect(await stored(gm, workersImport, state.id)).toMatchObject({ done: MAX_IMPORT_ROWS, bad: 0, good: 0 })
  importing = false
  await others
  expect(asked).toBeGreaterThan(30)
  expect(await count()).toBe(before + MAX_IMPORT_ROWS)
}, 600_000)
