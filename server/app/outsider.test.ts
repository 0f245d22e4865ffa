import { homeApi } from '@zhuguan/contract/features/home/home.api.ts'
import { liveApi } from '@zhuguan/contract/features/live/live.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { usersApi } from '@zhuguan/contract/features/users/users.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../testing/device.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { seconds } from '../testing/time.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('an outside merchant with a page of their own learns nothing of sites: no figure, no name, no message', async () => {
  const supplier = await server.as('supplier')
  const home = await supplier.call(homeApi.cards)
  // What is asked of the shop alone.
  const cards = ['receiving', 'toShip', 'changes']
  expect([home.figures.map((f) => f.card), home.places.map((p) => p.card)]).toEqual([cards, cards])
  expect((await supplier.ask(sitesApi.pick, { query: {} })).code).toBe(401)

  const stopped = new AbortController()
  const response = await fetch(`${server.url}${liveApi.stream.path}`, {
    headers: { token: supplier.token, 'tenant-id': supplier.tenant },
    signal: stopped.signal,
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const camera = server.devices.find((d) => d.type === 'camera' && d.sn.includes('HZ'))!
  await report(server.url, camera, [
    { id: 'unheard', kind: 'alarm', at: seconds() - 1, type: 'smoking', confidence: 0.9 },
  ])
  let heard = ''
  const until = performance.now() + 1_500
  while (performance.now() < until) {
    const next = await Promise.race([reader.read(), new Promise<null>((r) => setTimeout(() => r(null), 300))])
    if (next?.value) heard += next.value
  }
  stopped.abort()
  expect(heard).toContain('hello')
  expect(heard).not.toContain('alarm')
})

test('a card is offered to who may open its list', async () => {
  const keeper = await (await server.as('device_keeper')).call(homeApi.cards)
  expect(keeper.places.map((p) => p.card)).toEqual(['building', 'tidiness', 'online', 'retrieval'])
  expect(keeper.figures.map((f) => f.card).sort()).toEqual(['building', 'online', 'retrieval', 'tidiness'])
})

test('a site under construction keeps its steward and its manager, each of their own post', async () => {
  const gm = await server.as('branch_gm')
  const [site] = (await gm.call(sitesApi.list, { query: { status: [1] } })).list
  const change = (steward_id: string | null, manager_id: string | null) =>
    gm.ask(sitesApi.people, { body: { id: site!.id, version: site!.version, steward_id, manager_id } })
  const { steward_id: steward, manager_id: manager } = site!
  expect(await change(null, null)).toMatchObject({ code: 400, msg: '在建工地须同时有项目管家和项目经理' })
  expect((await change(steward, null)).code).toBe(400)
  expect((await change(manager, steward)).msg).toMatch(/的岗位不是项目管家$/)
  const people = await gm.call(usersApi.pick, { query: { post: 2 } })
  const other = people.find((p) => p.id !== manager)!
  expect((await change(steward, other.id)).code).toBe(200)
})
