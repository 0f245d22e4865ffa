import { connect, createServer, type Server, type Socket } from 'node:net'

import { deviceStockApi } from '@zhuguan/contract/features/devices/device-stock.api.ts'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { startTestServer, type TestServer } from '../testing/start.ts'
import { seconds } from '../testing/time.ts'
import { mqttGate } from './mqtt-gate.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))

async function gateOf(rules: { atOnce: number; each: number }): Promise<{
  door: Server
  passed: Socket[]
  dial: (bytes?: Buffer) => { socket: Socket; closed: () => boolean; sent: () => number }
}> {
  const passed: Socket[] = []
  const gate = mqttGate({ ...rules, helloMs: 400, helloBytes: 100, packetBytes: 300 }, (socket) =>
    passed.push(socket),
  )
  const door = createServer((socket) => gate.handle(socket))
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  const { port } = door.address() as { port: number }
  return {
    door,
    passed,
    dial(bytes) {
      const socket = connect(port, '127.0.0.1')
      let over = false
      socket.on('error', () => {})
      socket.on('close', () => (over = true))
      if (bytes) socket.write(bytes)
      return { socket, closed: () => over, sent: () => socket.bytesWritten }
    },
  }
}
const packet = (length: number) => Buffer.concat([Buffer.from([0x10, length]), Buffer.alloc(length)])

test('nobody passes without one small CONNECT in time, and one address has its bound', async () => {
  const { door, passed, dial } = await gateOf({ atOnce: 100, each: 6 })
  const silent = dial()
  const half = dial(packet(40).subarray(0, 20))
  const large = dial(Buffer.concat([Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]), Buffer.alloc(1_000_000)]))
  const other = dial(Buffer.from('GET / HTTP/1.1\r\n\r\n'))
  const good = dial(packet(40))
  await pause(150)
  expect([large.closed(), other.closed(), silent.closed(), half.closed()]).toEqual([true, true, false, false])
  expect(passed).toHaveLength(1)
  // What was looked at is there to be read again.
  expect((passed[0]!.read() as Buffer).length).toBe(42)
  const more = Array.from({ length: 8 }, () => dial(packet(10)))
  await pause(150)
  // Three of six places are taken by the good, the silent and the half one.
  expect(more.filter((m) => m.closed())).toHaveLength(5)
  await pause(300)
  expect([silent.closed(), half.closed(), good.closed()]).toEqual([true, true, false])
  for (const { socket } of [good, ...more]) socket.destroy()
  door.close()
})

test('who has said who it is sends no larger packet than the largest report, however it is cut', async () => {
  const { door, passed, dial } = await gateOf({ atOnce: 100, each: 100 })
  /** A publish of so many bytes, its length in the two bytes of the protocol. */
  const publish = (length: number) =>
    Buffer.concat([Buffer.from([0x30, (length & 0x7f) | 0x80, length >> 7]), Buffer.alloc(length)])
  const read: number[] = []
  const caller = async () => {
    const one = dial(packet(40))
    await pause(50)
    const mine = passed.at(-1)!
    const index = read.push(0) - 1
    mine.on('readable', () => {
      for (let b = mine.read() as Buffer | null; b; b = mine.read() as Buffer | null)
        read[index] = read[index]! + b.length
    })
    return one
  }
  const honest = await caller()
  const stream = Buffer.concat([publish(297), publish(150), publish(1)])
  for (const byte of stream) honest.socket.write(Buffer.from([byte]))
  honest.socket.write(Buffer.concat([stream, stream]))
  const large = await caller()
  large.socket.write(
    Buffer.concat([publish(100), Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]), Buffer.alloc(50)]),
  )
  const cut = await caller()
  for (const byte of [0x30, 0xff, 0xff, 0xff, 0x7f, 0]) {
    cut.socket.write(Buffer.from([byte]))
    await pause(5)
  }
  await pause(150)
  expect([honest.closed(), large.closed(), cut.closed()]).toEqual([false, true, true])
  expect(read[0]).toBe(42 + 3 * stream.length)
  honest.socket.destroy()
  door.close()
})

test('a changed secret and a deleted device end the session over MQTT at once', async () => {
  const keeper = await server.as('device_keeper')
  const devices = server.devices.filter((d) => d.mqtt && d.sn.includes('HZ')).slice(0, 3)
  const clients: MqttClient[] = []
  const gone = new Set<string>()
  for (const { sn, secret } of devices) {
    const client = await connectAsync(server.app.mqttUrl, {
      username: sn,
      password: secret,
      clientId: sn,
      reconnectPeriod: 0,
    })
    client.on('error', () => {})
    client.on('close', () => gone.add(sn))
    clients.push(client)
  }
  const [rotated, deleted, kept] = devices as [(typeof devices)[0], (typeof devices)[0], (typeof devices)[0]]
  const rows = await server.sql<{ id: string; sn: string; version: number }>(
    `SELECT id, sn, version FROM devices WHERE sn = ANY ($1)`,
    [devices.map((d) => d.sn)],
  )
  const { id, version } = rows.find((r) => r.sn === rotated.sn)!
  await keeper.call(deviceStockApi.secret, { body: { id, version } })
  await server.sql(`UPDATE devices SET deleted_at = :now WHERE sn = $1`, [deleted.sn])
  await server.sql(`SELECT pg_notify('devices', $1)`, [deleted.sn])
  await server.sql(`SELECT pg_notify('devices', $1)`, [kept.sn])
  for (let i = 0; i < 40 && gone.size < 2; i += 1) await pause(25)
  expect([...gone].sort()).toEqual([rotated.sn, deleted.sn].sort())
  const event = { id: 'still', kind: 'visitor', at: seconds(), seconds: 5 }
  await clients[2]!.publishAsync(`device/${kept.sn}/events`, JSON.stringify({ events: [event] }), { qos: 1 })
  for (const client of clients) await client.endAsync(true)
})
