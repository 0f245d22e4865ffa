import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { shanghaiDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { type Person, startTestServer, type TestServer } from '../../testing/start.ts'
import { seconds } from '../../testing/time.ts'

let server: TestServer
let gm: Person
let terminal: TestServer['devices'][number]
beforeAll(async () => {
  server = await startTestServer()
  gm = await server.as('branch_gm')
  terminal = server.devices.find(
    (d) => d.type === 'faceTerminal' && d.workers.length > 2 && d.sn.includes('HZ'),
  )!
})
afterAll(() => server.stop())

async function seen(id: string, worker: number) {
  await report(server.url, terminal, [
    { id, kind: 'clockin', at: seconds(), w_id: terminal.workers[worker]!, direction: 'in' },
  ])
  const { branches } = await gm.call(statisticsApi.monitor, { query: {} })
  const { today } = await gm.call(sitesApi.details, { query: { id: terminal.site } })
  return { branch: branches[0]!, site: today }
}

test('on a day off nobody has to come, and who comes is there', async () => {
  const worked = await seen('worked', 0)
  expect(worked.branch.expected).toBeGreaterThanOrEqual(terminal.workers.length)
  expect(worked.site).toMatchObject({ rests: false, present: 1, expected: terminal.workers.length })
  const today = shanghaiDay(server.now())
  await server.sql(`INSERT INTO settings (tenant_id, key, value) VALUES ($1, 'restDays', $2)`, [
    gm.tenant,
    JSON.stringify([new Date(`${today}T00:00:00Z`).getUTCDay()]),
  ])
  // As if the day were opened now: one that was opened keeps what it was.
  await server.sql('DELETE FROM site_days WHERE day = $1', [today])
  const { branch, site } = await seen('rested', 1)
  expect(branch).toMatchObject({ expected: 0, present: 2, guests: 0 })
  expect(site).toMatchObject({ rests: true, present: 2, guests: 0 })
})
