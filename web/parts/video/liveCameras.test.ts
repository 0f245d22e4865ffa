// @vitest-environment happy-dom
import { streamsApi } from '@zhuguan/contract/features/streams/streams.api.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { type LiveState, lookAt, sayPurpose } from './liveCameras.ts'

const PATROL = { purpose: 'patrol', words: '', said: false } as const
/** What the server was asked, by path. */
let asked: { path: string; body: { device_id?: string; views?: string[]; purpose?: string } }[]
let answers: Record<string, (body: { views?: string[] }) => { code: number; msg?: string; data: unknown }>
let opened = 0

beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  opened = 0
  answers = {
    [streamsApi.open.path]: () => {
      opened += 1
      const still = { picture: null, pictureAt: null, lookUntil: null as number | null }
      const data = {
        ...still,
        view: `v${opened}`,
        deviceSn: 'A',
        siteId: 's',
        kind: null,
        address: null,
        why: '离线',
        keepS: 20,
      }
      return { code: 200, data }
    },
    [streamsApi.keep.path]: () => ({ code: 200, data: { ended: [], stills: [] } }),
    [streamsApi.close.path]: () => ({ code: 200, data: null }),
  }
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    const said = JSON.parse(body) as { views?: string[] }
    asked.push({ path, body: said })
    return new Response(JSON.stringify(answers[path]!(said)), { status: 200 })
  })
})
afterEach(async () => {
  await vi.advanceTimersByTimeAsync(120_000)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})
const look = (id: string) => {
  const states: LiveState[] = []
  const leave = lookAt(id, PATROL, document.createElement('div'), (state) => states.push(state))
  return { leave, state: () => states.at(-1)! }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const of = (endpoint: { path: string }) =>
  asked.filter((one) => one.path === endpoint.path).map((one) => one.body)

test('a camera that two look at is opened once, and closed when the last has gone', async () => {
  const [one, two] = [look('a'), look('a')]
  await pass(10)
  expect(of(streamsApi.open).map((b) => b.device_id)).toEqual(['a'])
  expect([one.state().why, two.state().why]).toEqual(['离线', '离线'])
  one.leave()
  await pass(5_000)
  expect(of(streamsApi.close)).toEqual([])
  two.leave()
  // Who comes back at once finds it still there.
  const back = look('a')
  await pass(5_000)
  expect(of(streamsApi.open)).toHaveLength(1)
  back.leave()
  await pass(1_100)
  expect(of(streamsApi.close)).toEqual([{ views: ['v1'] }])
})

test('all views are kept in one request; what has ended is opened anew, nothing is asked for nobody', async () => {
  const looks = ['a', 'b', 'c'].map(look)
  await pass(20_100)
  expect(of(streamsApi.keep)).toEqual([{ views: ['v1', 'v2', 'v3'] }])
  answers[streamsApi.keep.path] = () => ({ code: 200, data: { ended: ['v2'], stills: [] } })
  await pass(20_000)
  expect(of(streamsApi.open).map((b) => b.device_id)).toEqual(['a', 'b', 'c', 'b'])
  for (const one of looks) one.leave()
  await pass(1_100)
  expect(of(streamsApi.close).flatMap((b) => b.views)).toEqual(['v1', 'v4', 'v3'])
  const before = asked.length
  await pass(100_000)
  expect(asked).toHaveLength(before)
})

test('out of hours all cameras of the page wait for one purpose', async () => {
  const open = answers[streamsApi.open.path]!
  const why = '现在不是上班时间'
  answers[streamsApi.open.path] = () => ({ code: 400, msg: why, data: { fields: { purpose: why } } })
  const looks = ['a', 'b'].map(look)
  await pass(60_000)
  expect(looks.map((one) => one.state().kind)).toEqual(['asks', 'asks'])
  expect(of(streamsApi.open)).toHaveLength(2)
  answers[streamsApi.open.path] = open
  sayPurpose({ purpose: 'owner', words: '', said: true })
  await pass(10)
  expect(looks.map((one) => one.state().kind)).toEqual(['still', 'still'])
  const third = look('c')
  await pass(10)
  expect(of(streamsApi.open).slice(2)).toEqual(
    ['a', 'b', 'c'].map((device_id) => ({ device_id, purpose: 'owner', words: '', said: true })),
  )
  for (const one of [...looks, third]) one.leave()
})

test('a server that fails is asked again more and more seldom, one that refuses is not', async () => {
  answers[streamsApi.open.path] = () => ({ code: 503, msg: '系统繁忙', data: null })
  const one = look('busy')
  await pass(36_000)
  expect(one.state()).toMatchObject({ kind: 'still', why: '系统繁忙' })
  expect(of(streamsApi.open)).toHaveLength(4)
  one.leave()
  await pass(2_000)
  asked = []
  answers[streamsApi.open.path] = () => ({ code: 409, msg: '这台设备没有装在工地上', data: null })
  const two = look('spare')
  await pass(100_000)
  expect(of(streamsApi.open)).toHaveLength(1)
  expect(two.state().why).toBe('这台设备没有装在工地上')
  two.leave()
})
