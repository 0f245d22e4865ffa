import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { threadsApi as api } from '@zhuguan/contract/features/threads/threads.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { pdfText } from '../../testing/pdf-text.ts'
import { uploadPhoto } from '../../testing/photo.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person, steward: Person
let home: { site: string; contact: string; owner: string; phone: string; code: string }
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  steward = await server.as('steward')
  ;[home] = (await server.sql<typeof home>(
    `SELECT w.id AS site, w.code, h.id AS contact, o.name AS owner, o.phone FROM sites w
     JOIN home_contacts h ON h.site_id = w.id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL
     JOIN owners o ON o.id = h.owner_id
     JOIN users s ON s.id = w.steward_id AND s.user_name = 'steward'
     WHERE w.status = 1 ORDER BY w.code LIMIT 1`,
  )) as [typeof home]
})
afterAll(() => server.stop())

async function print(who: Person, query: Record<string, string> = {}) {
  const response = await fetch(
    `${server.url}${api.print.path}?${new URLSearchParams({ site_id: home.site, ...query })}`,
    { method: 'POST', headers: { token: who.token, 'tenant-id': who.tenant } },
  )
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (response.headers.get('content-type') !== 'application/pdf') {
    const { code, msg } = JSON.parse(new TextDecoder().decode(bytes)) as { code: number; msg: string }
    return { code, msg, bytes, text: '' }
  }
  return { code: 200, msg: '', bytes, text: (await pdfText(bytes)).join('\n').replaceAll(/\s/g, '') }
}
const hear = (words: string, pictures: string[] = []) =>
  steward.call(api.hear, { body: { site_id: home.site, channel: 'phone', words, pictures } })
const printed = () =>
  server.sql<{ user_name: string }>(
    `SELECT user_name FROM user_logs WHERE object_id = $1 AND action = '打印业主互动'`,
    [home.site],
  )
const today = () => shanghaiDay(server.now())

test('what was said is printed with its pictures, small; no number stands whole; each time is in the log', async () => {
  await hear('柜门关不上，打 139-1234-5678', [await uploadPhoto(server.url, steward)])
  const newest = (await gm.call(api.details, { query: { site_id: home.site } })).newest
  await steward.call(api.say, {
    body: { site_id: home.site, after: newest, words: '明天来看', pictures: [] },
  })
  const { bytes, text } = await print(gm)
  for (const words of [
    '业主互动记录',
    home.code,
    home.owner,
    '柜门关不上',
    '139****5678',
    '明天来看',
    '照片（1张）',
  ])
    expect(text).toContain(words)
  for (const number of ['139-1234-5678', '13912345678', home.phone]) expect(text).not.toContain(number)
  expect(home.phone).toMatch(/^1\d{10}$/)
  expect(Buffer.from(bytes).includes('/DCTDecode')).toBe(true)
  expect((await printed()).map((l) => l.user_name)).toEqual(['branch_gm'])
})

test('from one day to another; what lies outside is not in it', async () => {
  await hear('今天的话')
  await server.sql(`UPDATE thread_messages SET at = at - interval '3 days' WHERE words LIKE '柜门%'`)
  const lately = await print(gm, { from: addDays(today(), -1) })
  expect([lately.text.includes('今天的话'), lately.text.includes('柜门')]).toEqual([true, false])
  const before = await print(gm, { to: addDays(today(), -2) })
  expect([before.text.includes('今天的话'), before.text.includes('柜门')]).toEqual([false, true])
  const turned = await print(gm, { from: today(), to: addDays(today(), -1) })
  expect([turned.code, turned.msg]).toEqual([400, '结束日期不能早于开始日期'])
})

test('by right and in reach; who may not leaves no line in the log', async () => {
  const before = (await printed()).length
  expect((await print(steward)).code).toBe(401)
  expect((await print(await server.as('branch_gm2'))).code).toBe(403)
  expect((await printed()).length).toBe(before)
})

test('a home that was sold has a paper for each owner', async () => {
  await hear('旧业主的话')
  await server.sql(`UPDATE thread_messages SET at = at - interval '10 days' WHERE site_id = $1`, [home.site])
  const { contacts } = await gm.call(ownersApi.details, { query: { site_id: home.site } })
  const { id, version } = contacts.find((c) => c.signatory)!
  await gm.call(ownersApi.change, {
    body: { id, version, name: '接手人', phone: '13500002222', promises: 'taken', reason: '房屋转让' },
  })
  await hear('新业主的话')
  await server.sql(
    `UPDATE home_contacts SET ended_at = :now - interval '5 days', since = :now - interval '30 days'
     WHERE id = $1`,
    [id],
  )
  const [now, then] = [await print(gm), await print(gm, { to: addDays(today(), -6) })]
  expect([now.text.includes('新业主的话'), now.text.includes('旧业主的话')]).toEqual([true, false])
  expect([then.text.includes('新业主的话'), then.text.includes('旧业主的话')]).toEqual([false, true])
  expect([now.text.includes(home.owner), then.text.includes(home.owner)]).toEqual([false, true])
  // Whatever days are asked for, nothing of the seller stands in the buyer's paper.
  const all = await print(gm, { from: addDays(today(), -60) })
  expect([all.text.includes('新业主的话'), all.text.includes('旧业主的话')]).toEqual([true, false])
})
