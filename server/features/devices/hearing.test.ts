import { devicesApi } from '@zhuguan/contract/features/devices/devices.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { report } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { keepHearing, watchSilence } from './heartbeats.service.ts'

let server: TestServer
let keeper: Person
beforeAll(async () => {
  server = await startTestServer()
  keeper = await server.as('device_keeper')
})
afterAll(() => server.stop())

const MINUTE = 60_000
const beat = async (sn: string, id: string) => {
  const device = server.devices.find((d) => d.sn === sn)!
  const at = Math.floor(server.now().getTime() / 1000)
  const answer = await report(server.url, device, [{ id, kind: 'heartbeat', at }], server.now())
  expect(answer.data.accepted).toBe(1)
}
const spans = async (sn: string) => {
  const [row] = (await keeper.call(devicesApi.list, { query: { keyword: sn } })).list
  return (await keeper.call(devicesApi.history, { query: { id: row!.id } })).spans.map((s) => s.state)
}
const watch = () =>
  server.db.tx(SYSTEM, async (tx) => {
    await keepHearing(tx)
    await watchSilence(tx, server.now())
  })

test('twenty minutes without a server are no outage of a device; twenty minutes without a word are', async () => {
  const [camera, silent] = server.devices.filter((d) => d.type === 'camera' && d.sn.includes('HZ'))
  await beat(camera!.sn, 'before')
  await beat(silent!.sn, 'before')
  expect(await spans(camera!.sn)).toEqual([1, 3])

  // The server was gone, and everybody speaks again when it is back.
  server.later(20 * MINUTE)
  await watch()
  await beat(camera!.sn, 'after')
  expect(await spans(camera!.sn)).toEqual([1, 3])
  expect(await spans(silent!.sn)).toEqual([1, 3])

  // From here on somebody listens: one device goes on, the other has died.
  for (let i = 0; i < 12; i += 1) {
    server.later(MINUTE - 5_000)
    await watch()
    await beat(camera!.sn, `on-${i}`)
  }
  expect(await spans(camera!.sn)).toEqual([1, 3])
  expect(await spans(silent!.sn)).toEqual([2, 1, 3])
})
