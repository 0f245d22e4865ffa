import { api } from '@zhuguan/contract/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { counted } from './count.ts'
import { button, drawer, PHONE, row } from './hands.ts'
import { eventually, openStage, type Stage } from './stage.ts'

let stage: Stage
let place: { bc_id: string; store_id: string }
let me: { id: string; nickname: string }
beforeAll(async () => {
  stage = await openStage()
  place = (
    await stage.server.sql<typeof place>(
      `SELECT s.bc_id, s.id AS store_id FROM users u JOIN user_stores t ON t.user_id = u.id
       JOIN stores s ON s.id = t.store_id WHERE u.user_name = 'sales' ORDER BY s.name LIMIT 1`,
    )
  )[0]!
  me = (await stage.server.sql<typeof me>(`SELECT id, nickname FROM users WHERE user_name = 'sales'`))[0]!
})
afterAll(() => stage?.close())

let many = 0
const add = async (name: string, mine: boolean) => {
  many += 1
  const gm = await stage.server.as('branch_gm')
  const body = { ...place, name, phone: `138000${String(10_000 + many)}`, community: `小区${many}` }
  return (await gm.call(api.customers.add, { body: { ...body, consultant_id: mine ? me.id : null } })).id
}

test('the consultant’s morning on a telephone: a new lead is answered, the next day planned', async () => {
  const id = await add('手机客户', true)
  const page = await stage.signIn('sales', '/customer/CustomerList', PHONE)
  const waits = page.getByRole('region', { name: '等我跟进' })
  await waits.getByText('手机客户').waitFor()
  await button(waits, '跟进').click()
  await drawer(page).locator('textarea').first().fill('三房，年底入住，约周六到店')
  // In the lift there is no network: what was typed is there when the page comes back.
  await page.context().setOffline(true)
  await drawer(page)
    .getByRole('button', { name: /确\s*定/ })
    .click()
  await page.getByText('连接不上服务器').first().waitFor()
  await page.context().setOffline(false)
  page.once('dialog', (asked) => void asked.accept())
  await page.reload()
  await button(waits, '跟进').waitFor()
  const story = await counted(page, 'consultant on a telephone: a new lead answered')
  await button(waits, '跟进').click()
  await expect
    .poll(() => drawer(page).locator('textarea').first().inputValue())
    .toBe('三房，年底入住，约周六到店')
  await drawer(page)
    .getByRole('button', { name: /确\s*定/ })
    .click()
  // Acting takes the row away.
  await page.getByText('没有等您跟进的客户').waitFor()
  const { seconds } = await story.said()
  expect(seconds).toBeLessThan(60)
  const sales = await stage.server.as('sales')
  const after = await sales.call(api.customers.details, { query: { id } })
  expect(after).toMatchObject({ step: 2, answerDue: null })
  expect(after.nextAt).toBeGreaterThan(Date.now() / 1000)
  // The browser itself says that it had no network.
  stage.problems.splice(
    0,
    Infinity,
    ...stage.problems.filter((p) => !p.includes('ERR_INTERNET_DISCONNECTED')),
  )
  expect(stage.problems).toEqual([])
})

test('a number that is known is said while it is typed; a card sets no step, and the way back is refused', async () => {
  await add('看板客户', true)
  const page = await stage.signIn('sales', '/customer/CustomerList')
  await button(page, '新增').click()
  await drawer(page).locator('[data-field=name] input').fill('重复客户')
  await drawer(page)
    .locator('[data-field=phone] input')
    .fill(`138000${String(10_000 + many)}`)
  await drawer(page).getByText('已登记为客户“看板客户”').waitFor()
  const board = await stage.signIn('sales', '/customer/CustomerList?view=board')
  const column = (name: string) => board.getByRole('region', { name, exact: true })
  const card = column('新线索').locator('li', { hasText: '看板客户' })
  await card.waitFor()
  // Dropped on what has to happen, it opens what makes it happen, and stays where it is until then.
  await card.dragTo(column('已到店/量房'))
  await drawer(board).getByText('跟进 看板客户').waitFor()
  await drawer(board).locator('textarea').first().fill('到店看了样板间')
  await drawer(board)
    .getByRole('button', { name: /确\s*定/ })
    .click()
  const moved = column('已到店/量房').locator('li', { hasText: '看板客户' })
  await moved.waitFor()
  await moved.dragTo(column('新线索'))
  await board.getByText('进展由发生的事算出来').waitFor()
  expect(await moved.count()).toBe(1)
  // Without a quotation nobody is asked to take a deposit.
  await moved.dragTo(column('定金'))
  await board.getByText('还没有审核通过的报价').first().waitFor()
  expect(stage.problems).toEqual([])
})

test('the manager distributes thirty leads by rule in a minute; each consultant hears of it', async () => {
  for (let i = 0; i < 30; i += 1) await add(`分配${i}`, false)
  const page = await stage.signIn('branch_gm', '/customer/CustomerList?held=pool&pageSize=50')
  await row(page, '分配29').waitFor()
  const story = await counted(page, 'manager: thirty leads distributed')
  await page.locator('.grid thead input[type=checkbox]').first().click()
  await button(page, '分配 30 位').click()
  await drawer(page)
    .getByRole('button', { name: /确\s*定/ })
    .click()
  await page.getByText('已分配 30 位').waitFor()
  const { seconds } = await story.said()
  expect(seconds).toBeLessThan(60)
  await eventually(async () => {
    const gm = await stage.server.as('branch_gm')
    return (await gm.call(api.customers.list, { query: { held: ['pool'] } })).totalCount
  }).toBe(0)
  const [told] = await stage.server.sql<{ n: number }>(
    `SELECT count(DISTINCT n.user_id)::int AS n FROM notifications n WHERE n.title LIKE '新客户 分配%'`,
  )
  expect(told!.n).toBeGreaterThan(1)
  expect(stage.problems).toEqual([])
})
