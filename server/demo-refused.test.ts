import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import type { PlayedDevice } from '../simulator/days.ts'
import { ROOT } from './kit/paths.ts'
import { childEnv } from './testing/children.ts'

const folder = mkdtempSync(join(tmpdir(), 'zhuguan-refused-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const camera = (sn: string): PlayedDevice => ({
  sn,
  secret: 'secret of a camera',
  type: 'camera',
  site: 'GDHZ001',
  siteName: '金色海岸',
  mqtt: false,
  workers: [],
  mood: 'usual',
})

test('a device that the door refuses is told of once, and the past of the others is told to its end', async () => {
  const took = new Map<string, number>()
  const door = createServer((request, reply) => {
    const sn = String(request.headers['x-device-sn'])
    request.resume().on('end', () => {
      const answer = (code: number, msg: string, data: object | null) =>
        reply.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify({ code, msg, data }))
      if (sn === 'GONE') return answer(401, '设备未登记或签名不正确', null)
      const isPicture = request.url!.endsWith('/files')
      if (sn === 'HOME' && isPicture) return answer(403, '家里有人居住，下班时间不接收画面', null)
      if (!isPicture) took.set(sn, (took.get(sn) ?? 0) + 1)
      return answer(200, '', { key: 'picture.jpg', accepted: 1, duplicate: 0, rejected: [] })
    })
  })
  await new Promise<void>((done) => door.listen(0, '127.0.0.1', done))
  const devices = join(folder, 'devices.json')
  writeFileSync(devices, JSON.stringify(['GONE', 'HOME', 'USUAL'].map(camera)))
  const simulator = fork(join(ROOT, 'simulator', 'main.ts'), {
    env: childEnv({
      BASE_URL: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
      DEVICES: devices,
      FILMED: join(folder, 'filmed.txt'),
      HISTORY_DAYS: '2',
    }),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let said = ''
  for (const stream of [simulator.stdout!, simulator.stderr!]) stream.on('data', (b) => (said += String(b)))
  const days: string[] = []
  const end = await new Promise<string>((done) => {
    simulator.on('message', (m: { day?: string; history?: string }) => {
      if (m.history) return done(m.history)
      if (!m.day) return
      days.push(m.day)
      simulator.send('next')
    })
    simulator.once('exit', (code) => done(`exit ${code}: ${said}`))
  })
  simulator.kill('SIGKILL')
  door.closeAllConnections()
  door.close()
  expect([end, days.length]).toEqual(['done', 3])
  // What a lived-in home sends without a picture is told all the same.
  // Of today there is something only after the night.
  expect([took.has('GONE'), took.get('HOME')! >= 2, took.get('USUAL')! >= 2]).toEqual([false, true, true])
  expect(said.split('\n').filter((line) => line.includes('GONE'))).toEqual([
    '模拟器：GONE: 401 设备未登记或签名不正确',
  ])
}, 600_000)
