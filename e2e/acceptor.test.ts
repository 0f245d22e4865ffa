import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Delivery, openDelivery } from '../server/testing/delivering.ts'
import { plainJpeg } from '../server/testing/photo.ts'
import { PHONE } from './hands.ts'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let shop: Delivery
beforeAll(async () => {
  stage = await openStage()
  shop = await openDelivery(stage.server)
}, 600_000)
afterAll(() => stage?.close())

const photo = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await plainJpeg() })

test('a draft meets a sheet that somebody else judged meanwhile: the difference is said, the draft stays', async () => {
  const { note } = await shop.arrived({ name: '卧室地板', quantity: '6' })
  const page = await stage.signIn('acceptor', `/check/AcceptanceList?open=${note}`, PHONE)
  const drawer = page.locator('.sheet-drawer')
  const line = drawer.getByRole('region', { name: '卧室地板' })
  await line.getByText('待验收').waitFor()
  await page.context().setOffline(true)
  await line.getByRole('button', { name: '补货' }).click()
  await line
    .locator('input[type=file]')
    .last()
    .setInputFiles(await photo('少件.jpg'))
  await line.locator('.draft-shot img').waitFor()
  await drawer.getByRole('button', { name: '提交（1 条不合格）' }).click()
  await drawer.getByText('等待发送').waitFor()
  await shop.judge(note, [{ name: '卧室地板', quantity: '4', result: 2 }], shop.gm)
  await page.context().setOffline(false)
  await drawer.getByText('“卧室地板”待验收 6 → 2 片').waitFor()
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/judge-changed.png` })
  expect(await line.locator('.draft-shot img').count()).toBe(1)
  await line.getByLabel('数量（片）').fill('2')
  await drawer.getByRole('button', { name: '提交（1 条不合格）' }).click()
  await page.getByText('已发送').waitFor()
  expect((await shop.sheet(note)).lineList[0]).toMatchObject({ waiting: '0' })
  await page.context().close()
}, 600_000)
