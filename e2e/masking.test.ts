import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { MOST_PICTURES } from '@zhuguan/contract/features/cases/cases.record.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { caseStage } from '../server/testing/casing.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => (stage = await openStage()))
afterAll(() => stage?.close())

const DAY_MS = 86_400_000
const THREE_MINUTES = 180

/** The queue of a case's pictures as somebody works through it by keyboard. @returns keys and seconds */
async function worked(page: Page, title: string, button: string, first: readonly string[]) {
  await page.getByRole('button', { name: button }).first().click()
  const place = (n: number) => page.getByText(`${title} · ${n}/${MOST_PICTURES}`).waitFor()
  await place(1)
  await page.locator('.mask-frame img').waitFor()
  const begun = performance.now()
  let keys = 0
  const press = async (key: string) => {
    await page.keyboard.press(key)
    keys += 1
  }
  for (const key of first) {
    await press(key)
    if (key === 'f') await page.locator('.mask-fixed').first().waitFor()
  }
  for (let n = 1; n <= MOST_PICTURES; n += 1) {
    await press('Enter')
    if (n < MOST_PICTURES) await place(n + 1)
  }
  return { keys: () => keys, seconds: () => Math.round((performance.now() - begun) / 100) / 10 }
}

test('thirty pictures of a camera are masked and released by keyboard, each within three minutes', async () => {
  const { server } = stage
  const [gm, steward, service] = await Promise.all(
    ['branch_gm', 'steward', 'service'].map((name) => server.as(name)),
  )
  const c = await caseStage(server, { gm: gm!, steward: steward!, service: service! })
  const home = c.homes[0]!
  const camera = await c.cameraOf(home)
  const pictures: string[] = []
  for (let n = MOST_PICTURES; n > 0; n -= 1)
    pictures.push(await c.siteShot(home, camera, new Date(server.now().getTime() - n * DAY_MS)))
  const title = '三十张照片'
  const { id } = await steward!.call(casesApi.add, {
    body: { site_id: home.site, title, words: '', pictures },
  })
  const count = async (state: string) =>
    (await c.details(id)).pictures.filter((p) => p.state === state).length

  const eyes = await stage.signIn('steward', '/case/CaseList')
  // Where the camera writes its number is said once; then each picture is looked at.
  const masked = await worked(eyes, title, '30 张照片待打码', ['n', 'f'])
  await expect.poll(() => count('masked'), { timeout: 20_000 }).toBe(MOST_PICTURES)
  expect((await c.details(id)).pictures.every((p) => p.fixed.length === 1)).toBe(true)
  const took = masked.seconds()
  await eyes.context().close()

  const other = await stage.signIn('branch_gm', '/case/CaseList')
  const released = await worked(other, title, '30 张照片待另一个人放行', [])
  await expect.poll(() => count('released'), { timeout: 20_000 }).toBe(MOST_PICTURES)
  const after = released.seconds()
  console.log(
    `thirty pictures: masked with ${masked.keys()} keys in ${took} s, ` +
      `released with ${released.keys()} keys in ${after} s`,
  )
  expect(took).toBeLessThan(THREE_MINUTES)
  expect(after).toBeLessThan(THREE_MINUTES)
  expect([masked.keys(), released.keys()]).toEqual([32, 30])
  await other.context().close()
})

test('nobody wrote an error to the console', () => expect(stage.problems).toEqual([]))
