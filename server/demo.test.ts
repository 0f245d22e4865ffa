import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { api } from '@zhuguan/contract/api.ts'
import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { closeDemoDay } from './app/demo-days.ts'
import { addDays, shanghaiDay } from './kit/shanghai.ts'
import { childEnv, WATCHED } from './testing/children.ts'
import { freshDatabase } from './testing/database.ts'
import { report } from './testing/device.ts'
import { serve } from './testing/process.ts'
import { startTestServer } from './testing/start.ts'

const folder = mkdtempSync(join(tmpdir(), 'zhuguan-demo-'))
let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(async () => {
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

test('a demo begins with people whose faces are drawn; the same data are not served in earnest', async () => {
  const place = { DATABASE_URL: database.ownerUrl, DATA_DIR: folder }
  const demo = await serve(place)
  const list = (await demo.call(api.workers.list, { pageSize: 100 })).data as unknown as {
    totalCount: number
    list: { w_face: string | null; face: number }[]
  }
  expect(list.totalCount).toBeGreaterThan(50)
  // Without a face is who said no, took it back, was not asked or has not been taken: some of each; nobody else.
  for (const w of list.list) expect(w.w_face === null, String(w.face)).toBe([2, 3, 5].includes(w.face))
  const states = new Set(list.list.map((w) => w.face))
  expect([1, 4].every((state) => states.has(state))).toBe(true)
  await demo.stop()

  const earnest = spawnSync(process.execPath, [...WATCHED, join(import.meta.dirname, 'main.ts')], {
    encoding: 'utf8',
    env: childEnv({ ...place, DEMO: '0', PORT: '0', MQTT_PORT: '0' }),
  })
  expect([earnest.status, earnest.stderr]).toEqual([1, expect.stringMatching(/库里有 \d+ 个演示账号/)])
})

test('the demo’s staff settle what a replayed day brought, each step by whom it belongs to', async () => {
  const server = await startTestServer()
  try {
    const admin = await server.as('admin')
    const day = addDays(shanghaiDay(server.now()), -3)
    const at = Math.floor(Date.parse(`${day}T10:00:00+08:00`) / 1_000)
    const cameras = server.devices.filter((d) => d.type === 'camera').slice(0, 30)
    for (const camera of cameras)
      await report(server.url, camera, [{ id: 'old', kind: 'alarm', at, type: 'smoking', confidence: 0.9 }])
    const raised = (await admin.call(api.alarms.list, { query: { pageSize: 100 } })).list
    expect(raised.length).toBeGreaterThan(20)
    await closeDemoDay(server.db, day, false)

    const { list } = await admin.call(api.alarms.list, { query: { pageSize: 100 } })
    const corrected = list.filter((a) => a.correctionStatus === correctionStatus.code.corrected)
    expect(corrected.length).toBeGreaterThan(0)
    const [one] = corrected
    expect(
      (await admin.call(api.alarms.details, { query: { id: one!.id } })).log.map((l) => l.action),
    ).toEqual(['指派', '提交整改照片', '复核通过'])
    // What a site counts as open is what is open there.
    const sites = (await admin.call(api.sites.list, { query: { pageSize: 100 } })).list
    const open = list.filter((a) => a.correctionStatus < correctionStatus.code.corrected)
    for (const site of sites)
      expect([site.ws_name, site.openAlarms]).toEqual([
        site.ws_name,
        open.filter((a) => a.site_id === site.id).length,
      ])
  } finally {
    await server.stop()
  }
})
