import { viewsApi } from '@zhuguan/contract/features/views/views.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startTestServer, type TestServer } from '../../testing/start.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())
const page = '/Site/SiteList'

test('an address is kept under a name, renamed, changed and dropped; a name stands once a page', async () => {
  const pm = await server.as('pm')
  const { id } = await pm.call(viewsApi.keep, {
    body: { page, title: '停工的', search: '?stopped=true&sort=-noWorkRun&cols=code,name' },
  })
  expect(await pm.ask(viewsApi.keep, { body: { page, title: '停工的', search: '' } })).toMatchObject({
    code: 400,
    data: { fields: { title: expect.stringContaining('同名') } },
  })
  const second = await pm.call(viewsApi.keep, { body: { page, title: '在建', search: '?status=1' } })
  expect(await pm.ask(viewsApi.change, { body: { id: second.id, title: '停工的' } })).toMatchObject({
    code: 400,
  })
  await pm.call(viewsApi.change, { body: { id, title: '今天要跑的' } })
  await pm.call(viewsApi.change, { body: { id: second.id, search: '?status=1,2' } })
  expect(await pm.call(viewsApi.named, { query: { page } })).toEqual([
    { id, title: '今天要跑的', search: '?stopped=true&sort=-noWorkRun&cols=code,name' },
    { id: second.id, title: '在建', search: '?status=1,2' },
  ])
  expect(await pm.call(viewsApi.named, { query: { page: '/device/DeviceList' } })).toEqual([])
  await pm.call(viewsApi.drop, { body: { id: second.id } })
  expect(await pm.call(viewsApi.named, { query: { page } })).toHaveLength(1)
})

test('nobody else sees, renames or drops it', async () => {
  const [mine] = await (await server.as('pm')).call(viewsApi.named, { query: { page } })
  for (const name of ['steward', 'admin', 'other']) {
    const stranger = await server.as(name)
    expect(await stranger.call(viewsApi.named, { query: { page } })).toEqual([])
    expect(
      await stranger.ask(viewsApi.change, { body: { id: mine!.id, title: '别人的' } }),
      name,
    ).toMatchObject({ status: 403 })
    expect(await stranger.ask(viewsApi.drop, { body: { id: mine!.id } }), name).toMatchObject({ status: 403 })
  }
  expect(await (await server.as('pm')).call(viewsApi.named, { query: { page } })).toEqual([mine])
})

test('a name and an address have a size', async () => {
  const pm = await server.as('pm')
  const keep = (title: string, search = '') => pm.ask(viewsApi.keep, { body: { page, title, search } })
  expect(await keep('')).toMatchObject({ code: 400, msg: expect.stringContaining('请写一个名字') })
  expect(await keep('很'.repeat(21))).toMatchObject({
    code: 400,
    msg: expect.stringContaining('最多 20 个字'),
  })
  expect(await keep('外面', 'https://elsewhere')).toMatchObject({
    code: 400,
    msg: expect.stringContaining('地址不正确'),
  })
  expect(await keep('长', `?keyword=${'x'.repeat(1500)}`)).toMatchObject({ code: 400 })
})
