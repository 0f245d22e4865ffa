import { createServer, type Server } from 'node:http'
import { type AddressInfo } from 'node:net'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let robot: Server
let host = ''
const heard: string[] = []

beforeAll(async () => {
  robot = createServer((asked, out) => {
    asked.on('data', (piece: Buffer) => heard.push(piece.toString()))
    asked.on('end', () => {
      out.setHeader('content-type', 'application/json')
      out.end(asked.url!.startsWith('/wrong') ? '{"errcode":93000}' : '{"errcode":0}')
    })
  })
  await new Promise<void>((done) => robot.listen(0, '127.0.0.1', done))
  host = `127.0.0.1:${(robot.address() as AddressInfo).port}`
  stage = await openStage({ webhookHosts: [host], officeMs: 500 })
})
afterAll(async () => {
  await stage.close()
  robot.close()
})

test('an administrator adds a group, tries it, sees what another answered, replays and stops', async () => {
  const page = await stage.signIn('admin', '/system/SetSelf')
  await page.getByRole('button', { name: '消息通道' }).click()
  // The demo's own has nobody behind it.
  await page.getByRole('listitem').filter({ hasText: '工程部值班群' }).getByText('已停用').waitFor()
  const look = async (name: string) => {
    if (!process.env.LOOK) return
    for (const [width, height] of [
      [390, 844],
      [1920, 1080],
      [1366, 768],
    ] as const) {
      await page.setViewportSize({ width, height })
      await page.screenshot({ path: `${process.env.LOOK}/channels-${name}-${width}.png` })
    }
  }
  const add = async (name: string, address: string) => {
    await page.getByRole('button', { name: /新\s*建/ }).click()
    await page.getByLabel('名称').fill(name)
    await page.getByLabel('地址').fill(address)
    await page.getByRole('button', { name: '确定' }).click()
  }
  await add('华东项目群', 'https://192.168.1.8/robot')
  await page.getByText('地址应是 https://qyapi.weixin.qq.com/ 开头的机器人地址').waitFor()
  await page.getByLabel('地址').fill(`http://${host}/robot?key=abc`)
  await page.getByRole('button', { name: '确定' }).click()
  const ours = page.getByRole('listitem').filter({ hasText: '华东项目群' })
  await ours.getByText('还没有送达过').waitFor()
  await ours.getByRole('button', { name: '试发一条' }).click()
  await ours.getByRole('button', { name: '最近消息' }).click()
  await ours.getByRole('cell', { name: '对方已收到' }).waitFor()
  expect(heard).toHaveLength(1)
  expect(heard[0]).toContain('这是一条试发消息')
  await ours.getByRole('button', { name: '重发' }).click()
  await eventually(() => heard.length).toBe(2)
  await add('填错的群', `http://${host}/wrong?key=abc`)
  const wrong = page.getByRole('listitem').filter({ hasText: '填错的群' })
  await wrong.getByRole('button', { name: '试发一条' }).click()
  await wrong.getByText('送不到').first().waitFor()
  await wrong.getByRole('button', { name: '最近消息' }).click()
  await wrong.getByText(/机器人拒绝：错误码 93000/).waitFor()
  await look('list')
  await wrong.getByRole('button', { name: '停用' }).click()
  await page.getByRole('dialog').last().getByRole('textbox').fill('地址填错了')
  await page
    .getByRole('dialog')
    .last()
    .getByRole('button', { name: /停\s*用|确\s*定/ })
    .click()
  await wrong.getByText('地址填错了').waitFor()
  // What is stopped is edited and started again; its address is asked for only where it changes.
  await wrong.getByRole('button', { name: '编辑' }).click()
  await page.getByLabel('名称').fill('改好的群')
  expect(await page.getByLabel('新地址').inputValue()).toBe('')
  await page.getByLabel('新地址').fill(`http://${host}/robot?key=abc`)
  await look('edit')
  await page.getByRole('button', { name: '确定' }).click()
  const mended = page.getByRole('listitem').filter({ hasText: '改好的群' })
  await mended.getByRole('button', { name: '启用' }).click()
  await mended.getByRole('button', { name: '停用' }).waitFor()
  const before = heard.length
  await mended.getByRole('button', { name: '试发一条' }).click()
  await eventually(() => heard.length).toBe(before + 1)
  await mended.getByText(/最近送达.+\d/).waitFor()
  expect(stage.problems).toEqual([])
})

test('who leads a branch has no such button', async () => {
  const page = await stage.signIn('branch_gm', '/system/SetSelf')
  await page.getByText('日报订阅').waitFor()
  expect(await page.getByRole('button', { name: '消息通道' }).count()).toBe(0)
})
