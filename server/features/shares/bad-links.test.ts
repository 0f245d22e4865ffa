import { randomBytes } from 'node:crypto'

import { casesApi } from '@zhuguan/contract/features/cases/cases.api.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { previewsApi } from '@zhuguan/contract/features/shares/previews.api.ts'
import { sharesApi } from '@zhuguan/contract/features/shares/shares.api.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { caseStage, type CaseStage, FACE, first, type Home } from '../../testing/casing.ts'
import { openShop, type Shop } from '../../testing/selling.ts'
import { approvedQuotation, customerPhone, shareBy } from '../../testing/sharing.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { dayAhead } from '../../testing/time.ts'

let server: TestServer
let shop: Shop
let sales: Person
let gm: Person
let steward: Person
let c: CaseStage
beforeAll(async () => {
  server = await startTestServer()
  shop = await openShop(server)
  ;[sales, gm, steward] = await Promise.all([
    server.as('sales'),
    server.as('branch_gm'),
    server.as('steward'),
  ])
  c = await caseStage(server, { gm, steward, service: await server.as('service') })
})
afterAll(() => server.stop())
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const password = 'abcd1234'
const NO = '链接打不开：可能已过期、被收回或用完次数，或者需要密码。请向发给您的人重新要一个'
// What one story has spent is not another one's.
beforeEach(() => server.later(2 * HOUR))

/** A link to a home that is shown, opened on a telephone; the key of a picture of it. */
async function opened(home: Home, more: object = {}) {
  const id = await c.published(home)
  const link = await shareBy(sales, { kind: 'share', target_id: id, person: '陈女士', ...more })
  const phone = customerPhone(server, link.token)
  await phone.open()
  const key = first((await phone.read()).data.cases[0]!.pictures).key
  return { id, link, phone, key }
}
/** Bytes behind a link, as a browser asks for them. */
const bytesOf = (
  phone: Awaited<ReturnType<typeof opened>>['phone'],
  key: string,
  { size = 'medium', ...headers }: Record<string, string> = {},
) =>
  fetch(server.url + linksApi.picture.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...phone.bearer, key, size }),
  })

test('guessed, revoked, expired, used up, or a wrong password: one answer, and none of them sooner', async () => {
  const q = await approvedQuotation(shop)
  const send = (more: object = {}) =>
    shareBy(shop.quoter, { kind: 'quotation', target_id: q.version_id, password, ...more })
  const [locked, revoked, used, short] = [
    await send(),
    await send(),
    await send({ most: 1 }),
    await send({ hours: 1 }),
  ]
  await shop.quoter.call(linksApi.revoke, { body: { id: revoked.id } })
  const one = customerPhone(server, used.token)
  await one.open(password)
  await one.read()
  server.later(2 * HOUR)
  // The group of a real link, and a secret that nobody has.
  const guessed = Buffer.from(locked.token, 'base64url')
  randomBytes(32).copy(guessed, 16)
  const dead = {
    guessed: guessed.toString('base64url'),
    revoked: revoked.token,
    used: used.token,
    short: short.token,
  }
  const timed = async (token: string) => {
    const times: number[] = []
    for (let i = 0; i < 5; i += 1) {
      const begun = performance.now()
      const answer = await customerPhone(server, token).open('wrong123')
      times.push(performance.now() - begun)
      expect([answer.status, answer.code, answer.msg, answer.data]).toEqual([404, 404, NO, null])
    }
    return times.toSorted((a, b) => a - b)[2]!
  }
  const wrong = await timed(locked.token)
  for (const [name, token] of Object.entries(dead)) {
    const took = await timed(token)
    expect(took, `${name}: ${took} of ${wrong} ms`).toBeGreaterThan(wrong / 3)
    expect(took, `${name}: ${took} of ${wrong} ms`).toBeLessThan(wrong * 3 + 50)
    const phone = customerPhone(server, token)
    for (const answer of [await phone.state(), await phone.seen(5, ['total']), await phone.interest()])
      expect([answer.status, answer.msg], name).toEqual([404, NO])
  }
})

test('of what a link shows and of nothing else: no original, no path, no Range after the end', async () => {
  const [mine, other] = [await opened(c.homes[0]!), await opened(c.homes[1]!)]
  const ok = await bytesOf(mine.phone, mine.key)
  expect([ok.status, ok.headers.get('cache-control'), ok.headers.get('content-type')]).toEqual([
    200,
    'no-store',
    'image/webp',
  ])
  const source = first((await c.details(mine.id)).pictures).source
  // Masked and not released, released and not agreed to.
  const waiting = await c.made(c.homes[2]!)
  await c.maskAll(waiting)
  const unreleased = first((await c.details(waiting)).pictures).rendition!
  for (const key of [
    source,
    other.key,
    unreleased,
    `../${mine.key}`,
    `${mine.key}/..`,
    '../../../etc/passwd',
    '',
  ])
    for (const size of ['thumb', 'medium']) {
      const answer = await bytesOf(mine.phone, key, { size })
      expect([answer.status, answer.headers.get('content-type')?.split(';')[0]], key).toEqual([
        403,
        'application/json',
      ])
      expect(await answer.text()).not.toMatch(/root:|\/data|ENOENT/)
    }
  // Masked anew it is a picture that its people have not seen.
  const shown = first((await c.details(mine.id)).pictures)
  await steward.call(casesApi.mask, {
    body: { id: shown.id, version: shown.version, turn: 90, masks: [FACE] },
  })
  expect((await bytesOf(mine.phone, mine.key)).status).toBe(404)
  await sales.call(linksApi.revoke, { body: { id: other.link.id } })
  const ways: Record<string, string>[] = [{ size: 'thumb' }, { size: 'medium' }, { range: 'bytes=0-99' }]
  for (const more of ways) {
    const answer = await bytesOf(other.phone, other.key, more)
    expect([answer.status, ((await answer.json()) as { msg: string }).msg]).toEqual([404, NO])
  }
})

test('a consent that ends at midnight ends on the open page, with the first word of the new day', async () => {
  const home = c.homes[3]!
  const id = await c.made(home)
  await c.maskAll(id)
  await c.releaseAll(id)
  const until = dayAhead(40)
  expect((await c.askFor(id, { until })).code).toBe(200)
  expect((await c.onPaper(id, home)).code).toBe(200)
  expect((await c.publish(id)).code).toBe(200)
  const { token } = await shareBy(sales, { kind: 'share', target_id: id, person: '陈女士', hours: 24 * 90 })
  const midnight = startOfDay(addDays(until, 1)).getTime()
  server.later(midnight - server.now().getTime() - MINUTE)
  const phone = customerPhone(server, token)
  await phone.open()
  const key = first((await phone.read()).data.cases[0]!.pictures).key
  expect((await phone.seen(10, ['cases'])).code).toBe(200)
  server.later(MINUTE)
  expect(shanghaiDay(server.now())).toBe(addDays(until, 1))
  expect(await phone.seen(10, ['cases'])).toMatchObject({ status: 404, msg: NO })
  expect((await bytesOf(phone, key)).status).toBe(404)
  expect(await phone.state()).toMatchObject({ status: 404, msg: NO })
})

test('a home that is sold is shown to nobody from that moment; its link is over in the list, and said so', async () => {
  const home = c.homes[4]!
  const { id, key, link, phone } = await opened(home)
  expect((await bytesOf(phone, key)).status).toBe(200)
  const [contact] = await server.sql<{ version: number }>('SELECT version FROM home_contacts WHERE id = $1', [
    home.contact,
  ])
  await gm.call(ownersApi.change, {
    body: {
      id: home.contact,
      version: contact!.version,
      name: '钱新主',
      phone: '13700002222',
      promises: 'withdrawn',
      reason: '房子卖了',
    },
  })
  expect(await phone.seen(5, ['cases'])).toMatchObject({ status: 404, msg: NO })
  expect((await bytesOf(phone, key)).status).toBe(404)
  expect(await c.details(id, gm)).toMatchObject({ state: 'withdrawn' })
  expect(first((await sales.call(sharesApi.list, { query: { id: link.id } })).list)).toMatchObject({
    state: 'over',
  })
  expect((await sales.ask(linksApi.copy, { body: { id: link.id } })).msg).toContain('没有上架')
})

test('a quotation that expires inside a preview says so and no price; what stands beside it goes on', async () => {
  const q = await approvedQuotation(shop, { validUntil: addDays(shanghaiDay(server.now()), 2) })
  const id = await c.published(c.homes[5]!)
  const preview = await sales.call(previewsApi.add, {
    body: {
      customer_id: q.customer_id,
      title: '',
      words: '',
      items: [
        { kind: 'case', target_id: id },
        { kind: 'quotation', target_id: q.version_id },
      ],
    },
  })
  const { token } = await shareBy(sales, { kind: 'preview', target_id: preview.id, password })
  const phone = customerPhone(server, token)
  await phone.open(password)
  expect((await phone.read()).data.quotation).toMatchObject({ expired: false, total: '89,700.50' })
  server.later(4 * DAY)
  const { data } = await phone.read()
  expect(data.cases.map((k) => k.id)).toEqual([id])
  expect(data.quotation).toMatchObject({ expired: true, total: '', lines: [], steps: [] })
  expect(JSON.stringify(data)).not.toContain('89,700')
})

test('a script as a name stays words; a thousand forms a minute leave ten, and the page goes on', async () => {
  const { link, phone } = await opened(c.homes[6]!)
  const script = '<script>x()</script>'
  expect((await phone.interest({ name: script, phone: '13622220000' })).code).toBe(200)
  const [lead] = await server.sql<{ name: string }>(`SELECT name FROM customers WHERE phone = '13622220000'`)
  expect(lead!.name).toBe(script)
  const long = await phone.interest({ name: script + script, phone: '13622220000' })
  expect([long.code, long.msg]).toEqual([400, '称呼最多 20 个字'])
  const answers: { code: number; msg: string; data: unknown }[] = []
  for (let i = 0; i < 50; i += 1)
    answers.push(
      ...(await Promise.all(
        Array.from({ length: 20 }, (_, n) => phone.interest({ phone: `136${22_220_001 + i * 20 + n}` })),
      )),
    )
  const taken = answers.filter((a) => a.code === 200)
  expect(taken.length).toBe(9)
  // Known or new: the answer is the same.
  expect(new Set(taken.map((a) => JSON.stringify(a.data)))).toEqual(new Set(['null']))
  expect(new Set(answers.filter((a) => a.code !== 200).map((a) => `${a.code} ${a.msg}`))).toEqual(
    new Set(['429 这里提交得太频繁了，请稍后再试，或直接打电话给发链接的人']),
  )
  const [all] = await server.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM customers WHERE phone LIKE '136222%'`,
  )
  expect(all!.n).toBe(10)
  expect((await phone.state()).code).toBe(200)
  expect((await phone.seen(10, ['contact'])).code).toBe(200)
  expect(first((await sales.call(sharesApi.list, { query: { id: link.id } })).list)).toMatchObject({
    openings: 1,
    otherDevice: false,
  })
})
