import { noWorkApi } from '@zhuguan/contract/features/no-work/no-work.api.ts'
import { ownersApi } from '@zhuguan/contract/features/owners/owners.api.ts'
import { searchApi } from '@zhuguan/contract/features/search/search.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { userlogsApi } from '@zhuguan/contract/features/userlogs/userlogs.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
let gm: Person
let home: { id: string; bc: string }
let other: { id: string }
const OWNER = '欧阳许真'
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  const [mine] = await server.sql<{ id: string; bc: string; owner: string }>(
    `SELECT w.id, w.bc_id AS bc, w.owner_id AS owner FROM sites w JOIN users u ON u.bc_id = w.bc_id
     WHERE u.user_name = 'branch_gm' AND w.owner_id IS NOT NULL AND w.status = 1 ORDER BY w.code LIMIT 1`,
  )
  const [theirs] = await server.sql<{ id: string }>(
    `SELECT w.id FROM sites w WHERE w.bc_id <> $1 AND w.status = 1 ORDER BY w.code LIMIT 1`,
    [mine!.bc],
  )
  home = mine!
  other = theirs!
  await server.sql(`UPDATE owners SET name = '${OWNER}', phone = '13957124668' WHERE id = $1`, [mine!.owner])
  const site = await gm.call(sitesApi.details, { query: { id: home.id } })
  await gm.call(sitesApi.edit, {
    body: {
      id: home.id,
      version: site.version,
      ws_name: '云栖玫瑰园 77 幢 1899',
      bc_id: home.bc,
      community: '云栖玫瑰园',
      address: '杭州市古墩路 8 号',
      layout: site.layout,
      style: site.style,
    },
  })
  // As it stands in another branch, whose people are not reached.
  await server.sql(
    `UPDATE sites SET ws_name = '云栖玫瑰园 77 幢 1898', community = '云栖玫瑰园', initials = 'yqmgy77z1898'
     WHERE id = $1`,
    [other.id],
  )
})
afterAll(() => server.stop())

const SAID = [
  '云栖 77',
  '云栖玫瑰园77',
  '77幢1899',
  '云栖　77 幢',
  'yqmgy',
  'YQMGY77',
  OWNER,
  '云栖玫瑰园 77 幢 1899',
]
test.each(SAID)(
  '“%s” finds the home in the search, in the list, in a picker and on the map',
  async (keyword) => {
    const { list } = await gm.call(sitesApi.list, { query: { keyword } })
    expect(list.map((s) => s.id)).toEqual([home.id])
    expect((await gm.call(sitesApi.pick, { query: { keyword } })).map((s) => s.id)).toEqual([home.id])
    const hits = await gm.call(searchApi.all, { query: { keyword } })
    expect(hits.filter((h) => h.kind === 'site').map((h) => h.id)).toEqual([home.id])
  },
)

test('the hit says why: the owner who was named, the end of the number that was typed', async () => {
  const [byOwner] = (await gm.call(searchApi.all, { query: { keyword: OWNER } })).filter(
    (h) => h.kind === 'site',
  )
  expect(byOwner!.detail).toContain(`业主 ${OWNER}`)
  const [byName] = (await gm.call(searchApi.all, { query: { keyword: '云栖 77' } })).filter(
    (h) => h.kind === 'site',
  )
  expect(byName!.detail).not.toContain('业主')
  const people = (await gm.call(searchApi.all, { query: { keyword: '4668' } })).filter(
    (h) => h.kind === 'owner',
  )
  expect(people.map((h) => [h.title, h.detail.includes('尾号 4668')])).toEqual([[OWNER, true]])
  const { list } = await gm.call(ownersApi.list, { query: { keyword: '4668' } })
  expect(list.map((o) => o.ownerName)).toEqual([OWNER])
})

test('digits in the middle of a number, and three of its last find nobody', async () => {
  for (const keyword of ['7124', '668', '1395712'])
    expect((await gm.call(ownersApi.list, { query: { keyword } })).list).toEqual([])
})

test('another branch finds its own, by letters too, and a % is a percent sign', async () => {
  const gm2 = await server.as('branch_gm2')
  expect((await gm2.call(sitesApi.list, { query: { keyword: 'yqmgy' } })).list.map((s) => s.id)).toEqual([
    other.id,
  ])
  expect((await gm.call(sitesApi.list, { query: { keyword: '云%77' } })).list).toEqual([])
  expect((await gm2.call(noWorkApi.list, { query: { keyword: OWNER } })).list).toEqual([])
})

test('who changed this is asked by the name of the thing', async () => {
  const admin = await server.as('admin')
  const asked = async (keyword: string) =>
    (await admin.call(userlogsApi.list, { query: { keyword } })).list.map((l) => l.objectId)
  expect(await asked('云栖玫瑰园77')).toEqual([home.id])
  expect(await asked('没有这样的小区')).toEqual([])
})

test('what was written past the services is found by letters after the night', async () => {
  await server.sql('UPDATE sites SET initials = NULL WHERE id = $1', [home.id])
  expect((await gm.call(sitesApi.list, { query: { keyword: 'yqmgy' } })).list).toEqual([])
  server.later(24 * 3_600_000)
  await server.app.look()
  const again = await server.as('branch_gm')
  const { list } = await again.call(sitesApi.list, { query: { keyword: 'yqmgy' } })
  expect(list.map((s) => s.id)).toEqual([home.id])
})
