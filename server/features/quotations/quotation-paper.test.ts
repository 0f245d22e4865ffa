import { randomUUID } from 'node:crypto'

import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { pdfText } from '../../testing/pdf-text.ts'
import { openShop, type Shop } from '../../testing/selling.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let shop: Shop
beforeAll(async () => {
  server = await startTestServer()
  shop = await openShop(server)
})
afterAll(() => server.stop())

const print = async (id: string, who: Person = shop.quoter) => {
  const answer = await who.ask(quotationsApi.pdf, { query: { id } })
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  return (await pdfText(answer.bytes)).map((page) => page.replaceAll(/[ \n]+/g, ' '))
}

test('the paper says the branch, the customer, the bridge and every line; never a cost, to nobody', async () => {
  const id = await shop.draft()
  const one = await shop.seen(id, shop.gm)
  expect(one.sum.cost).not.toBeNull()
  for (const who of [shop.quoter, shop.gm, shop.admin]) {
    const [page, ...more] = await print(id, who)
    expect(more).toEqual([])
    const [company] = await server.sql<{ bc_name: string; address: string; phone: string }>(
      'SELECT bc_name, address, phone FROM companies WHERE bc_id = $1',
      [shop.bc_id],
    )
    for (const words of [
      ...Object.values(company!),
      '报价单（未审核）',
      `${one.code} 第 1 版`,
      '王女士',
      '江南里',
      '套餐价',
      '90,000.00',
      '-400.00',
      '100.50',
      '89,700.50',
      '店里地砖',
      '店里乳胶漆',
      '客户签字',
      '第 1 / 1 页',
    ])
      expect(page).toContain(words)
    for (const cost of ['31.07', '20.19', one.sum.cost!, one.sum.margin!]) expect(page).not.toContain(cost)
    expect(page).toMatch(/138\*{4}\d{4}/)
  }
  const { id: request, version, hash } = await shop.submit(id)
  await shop.examiner.call(examineApi.pass, { body: { id: request, version, hash } })
  const [page] = await print(id)
  expect(page).not.toContain('未审核')
  const [log] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM user_logs WHERE object_id = $1 AND action = '打印报价单 PDF'`,
    [id],
  )
  expect(log!.n).toBe(4)
})

test('forty digits reach the paper whole', async () => {
  const price = '1234567890123456789012345678901234'
  const id = await shop.draft(shop.quoter, {
    lines: [shop.extra('天价摆件', '10000', price)] as never,
    package_id: null,
  })
  const { total } = await shop.seen(id)
  expect(total).toBe('12345678901234567890123456789012340000.00')
  const text = (await print(id)).join(' ')
  const digits = (what: string) => what.replaceAll(/[^\d]/g, '')
  expect(text).not.toContain(grouped(total))
  // A column's pieces stand one under the other: alone on their heights they read in one go.
  expect(digits(text)).toContain(digits(total))
})

test('a long price of a unit stands on one line', async () => {
  const id = await shop.draft(shop.quoter, {
    lines: [shop.extra('定制楼梯', '1', '1234567.123456')],
    package_id: null,
  })
  expect((await print(id)).join('\n')).toContain('1,234,567.123456')
})

test('five hundred lines are on the paper, each once, in the order of the quotation', async () => {
  const lines = Array.from({ length: 500 }, (_, i) => shop.extra(`增加的第${i}号`, '1.5', '10'))
  const id = await shop.draft(shop.quoter, { lines: lines as never })
  const begun = performance.now()
  const text = (await print(id)).join(' ')
  expect(performance.now() - begun).toBeLessThan(8_000)
  let at = -1
  for (let i = 0; i < 500; i += 1) {
    const next = text.indexOf(`增加的第${i}号`, at + 1)
    expect(next, `${i}`).toBeGreaterThan(at)
    at = next
  }
})

test('room by room with what each comes to, no 0.00 for what is included, the sum in words', async () => {
  const [living, kitchen] = ['客厅', '厨房'].map((name) => ({
    id: randomUUID(),
    name,
    kind: name === '客厅' ? ('living' as const) : ('kitchen' as const),
    floor: '10',
    perimeter: '14',
    height: '2.8',
  }))
  const { lines } = await shop.seen(await shop.draft())
  const within = { ...lines.find((line) => line.attribute === 1)!, id: randomUUID(), room_id: living!.id }
  const extra = (room: { id: string }, name: string, price: string) => ({
    ...shop.extra(name, '1', price),
    room_id: room.id,
  })
  const id = await shop.draft(shop.quoter, {
    rooms: [living, kitchen],
    lines: [
      extra(kitchen!, '洗菜盆', '300'),
      within,
      extra(living!, '壁灯', '120.5'),
      extra(kitchen!, '龙头', '80'),
    ],
  })
  const { sum } = await shop.seen(id)
  const text = (await print(id)).join(' ')
  const order = ['洗菜盆', '龙头', '厨房 小计 380.00', '店里地砖', '壁灯', '客厅 小计（套餐以外） 120.50']
  const at = order.map((words) => text.indexOf(words))
  expect(at).toEqual(at.toSorted((a, b) => a - b))
  expect(at.every((place) => place > 0)).toBe(true)
  expect(text).toMatch(/店里地砖 片 35 套餐内 --/)
  expect(sum.total).toBe('90500.50')
  expect(text).toContain('总价 90,500.50 元（大写：玖万零伍佰元伍角整）')
})

test('outside of the reach there is no paper', async () => {
  const id = await shop.draft()
  for (const who of ['branch_gm2', 'other'])
    expect(await (await server.as(who)).ask(quotationsApi.pdf, { query: { id } })).toMatchObject({
      status: 403,
    })
})
