import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { arrangementsApi } from '@zhuguan/contract/features/screens/arrangements.api.ts'
import { screensApi } from '@zhuguan/contract/features/screens/screens.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { freshDatabase, type TestDatabase } from '../server/testing/database.ts'
import { enterAs } from '../server/testing/person.ts'
import { serve, type Served } from '../server/testing/process.ts'
import { eventually, theBrowser } from './stage.ts'

/** The product in processes of its own: one is killed under a wall, the next one begins at the same address. */
const folder = mkdtempSync(join(tmpdir(), 'zhuguan-wall-'))
let database: TestDatabase
let server: Served
const start = (port = '0') => serve({ DATABASE_URL: database.ownerUrl, DATA_DIR: folder, PORT: port })
beforeAll(async () => {
  database = await freshDatabase()
  server = await start()
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('a server that is killed under a wall leaves the picture there; the next one goes on with it', async () => {
  const gm = await enterAs(() => server.url, 'branch_gm')
  const [store] = await gm.call(arrangementsApi.stores)
  const scene = { from: null, to: null, seconds: 5 }
  const facts = (words: string) => ({
    name: '不停的墙',
    scenes: [
      { ...scene, kind: 'notice' as const, words },
      { ...scene, kind: 'figures' as const, words: '' },
    ],
    opens: null,
    closes: null,
  })
  const { id } = await gm.call(arrangementsApi.add, { body: { store_id: store!.id, ...facts('周六店庆') } })
  const context = await (
    await theBrowser()
  ).newContext({
    viewport: { width: 1_920, height: 1_080 },
    locale: 'zh-CN',
  })
  const wall = await context.newPage()
  await wall.goto(`${server.url}/#/Preview?screen`)
  const code = (await wall.locator('.wall-code output').innerText()).replaceAll(/\s/g, '')
  await gm.call(screensApi.pair, {
    body: { code, name: '不停的屏', store_id: store!.id, kind: 'public', arrangement_id: id },
  })
  const words = () => wall.locator('.wall main').innerText()
  const age = () => wall.locator('.wall-age').innerText()
  await eventually(words).toContain('周六店庆')

  const port = new URL(server.url).port
  await server.kill()
  const seen = new Set<string>()
  const at = performance.now()
  // Long enough for each scene to come, and for the age to be said.
  while (performance.now() - at < 16_000) {
    const said = (await words()).trim()
    expect(said).toMatch(/周六店庆|在建工地/)
    seen.add(said.includes('周六店庆') ? 'notice' : 'figures')
    await wall.waitForTimeout(200)
  }
  expect([...seen].toSorted()).toEqual(['figures', 'notice'])
  expect(await age()).toMatch(/前的画面|网络断开/)

  server = await start(port)
  // Walls come back spread over a minute, so that they do not all ask at once.
  await expect.poll(age, { timeout: 90_000 }).toContain('实时')
  const { version } = await gm.call(arrangementsApi.details, { query: { id } })
  await gm.call(arrangementsApi.edit, { body: { id, version, ...facts('改在周日') } })
  await eventually(words).toContain('改在周日')
  await context.close()
})
