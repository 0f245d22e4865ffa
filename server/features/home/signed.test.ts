import { contractsApi } from '@zhuguan/contract/features/contracts/contracts.api.ts'
import { examineApi } from '@zhuguan/contract/features/examine/examine.api.ts'
import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays } from '../../kit/shanghai.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { openShop, type Shop } from '../../testing/selling.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let shop: Shop
beforeAll(async () => {
  server = await startTestServer()
  shop = await openShop(server)
  const { gm, examiner, quoter } = shop
  for (let i = 0; i < 6; i += 1) {
    const quotation = await shop.draft()
    const { id, version, hash } = await shop.submit(quotation)
    await examiner.call(examineApi.pass, { body: { id, version, hash } })
    const seen = await shop.seen(quotation, quoter)
    const contract = await gm.call(contractsApi.add, { body: { id: quotation, version: seen.version } })
    const made = await gm.call(contractsApi.details, { query: { id: contract.id } })
    await gm.call(contractsApi.sign, {
      body: {
        id: contract.id,
        version: made.version,
        signer: '王女士',
        signedOn: shop.today,
        ws_name: `江南里 ${i} 幢`,
        address: `江南里 ${i} 幢`,
        files: [{ key: await uploadPhoto(server.url, gm), name: '签字页' }],
      },
    })
  }
  // One of the first of the month, one of the month before, one void, one of the month before and ended.
  const first = `${shop.today.slice(0, 7)}-01`
  await server.sql(
    `WITH n AS (SELECT id, row_number() OVER (ORDER BY code) AS n FROM contracts WHERE bc_id = $1)
     UPDATE contracts c
     SET signed_on = CASE n.n WHEN 1 THEN $2::date WHEN 2 THEN $3::date WHEN 4 THEN $3::date ELSE c.signed_on END,
       state = CASE n.n WHEN 3 THEN 'void' WHEN 4 THEN 'ended' ELSE c.state END,
       voided_on = CASE n.n WHEN 3 THEN $2::date END,
       base = c.base + n.n
     FROM n WHERE n.id = c.id`,
    [shop.bc_id, first, addDays(first, -27)],
  )
})
afterAll(() => server.stop())

const cardOf = async (who: Person) => (await who.call(homeApi.cards)).figures.find((f) => f.card === 'signed')
/** By a statement of its own: what was signed in the month of a day, until that day, and is not void. */
const counted = async (day: string) =>
  (
    await server.sql<{ n: number; amount: string }>(
      `SELECT count(*)::int AS n, coalesce(sum(base + changed), 0)::numeric(40, 2)::text AS amount FROM contracts
       WHERE bc_id = $1 AND signing_progress = 3 AND (state <> 'void' OR voided_on > $2::date)
         AND to_char(signed_on, 'YYYY-MM') = left($2::text, 7)
         AND signed_on <= $2::date`,
      [shop.bc_id, day],
    )
  )[0]!

test('signed this month: count and amount of its list; what is void is out of it and said beside it', async () => {
  const { n, amount } = await counted(shop.today)
  for (const who of [shop.gm, await server.as('cashier'), await server.as('hq_ops'), shop.quoter]) {
    const figure = (await cardOf(who))!
    expect(figure).toMatchObject({ value: n, unit: '份', before: (await counted(before())).n })
    expect(figure.aside.replaceAll(',', '')).toBe(`合同额 ${amount} 元`)
    const list = async (link: string) => {
      const query = Object.fromEntries(new URLSearchParams(link.split('?')[1]))
      return who.call(contractsApi.list, { query: { ...query, pageSize: 100 } })
    }
    const behind = await list(figure.link)
    expect(behind.totalCount).toBe(n)
    expect(figure.parts.map((p) => [p.label, p.value])).toEqual([
      ['其中已终止', 0],
      ['本月作废', 1],
    ])
    expect((await list(figure.parts[1]!.link)).totalCount).toBe(1)
    const days = await Promise.all(
      figure.trend.map((_, i) => counted(addDays(figure.until, i + 1 - figure.trend.length))),
    )
    expect(figure.trend).toEqual(days.map((d) => d.n))
  }
  expect(n).toBe(3)
})
const before = () => {
  const last = addDays(`${shop.today.slice(0, 7)}-01`, -1)
  const same = `${last.slice(0, 8)}${shop.today.slice(8)}`
  return same > last ? last : same
}

test('a tall card names the newest; who has no page of contracts has no such card', async () => {
  const figure = (await cardOf(shop.quoter))!
  expect(figure.rows).toHaveLength(3)
  for (const row of figure.rows) {
    const id = row.link.split('id=')[1]!
    const { code, customerName } = await shop.quoter.call(contractsApi.details, { query: { id } })
    expect(row).toMatchObject({ title: code, text: expect.stringContaining(customerName) })
  }
  for (const role of ['pm', 'sales', 'acceptor'])
    expect(await cardOf(await server.as(role)), role).toBeUndefined()
  expect((await cardOf(await server.as('branch_gm2')))!.value).toBe(0)
})
