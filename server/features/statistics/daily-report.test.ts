import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { viewsApi } from '@zhuguan/contract/features/views/views.api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { countYesterday } from '../../app/clock.ts'
import { addDays, shanghaiDay, startOfDay } from '../../kit/shanghai.ts'
import { report } from '../../testing/device.ts'
import { FROM, lookAtPost, type MailServer, startMailServer } from '../../testing/mail-server.ts'
import { startTestServer, type TestServer } from '../../testing/start.ts'
import { queueDigests } from '../mails/mail-sending.queries.ts'
import { SYSTEM } from '../session/access.reads.ts'
import { tellSubscribers } from './daily-sheet.service.ts'

let post: MailServer
let server: TestServer
let tenant: string
const daysAgo = (ago: number) => addDays(shanghaiDay(server.now()), -ago)
beforeAll(async () => {
  post = await startMailServer()
  server = await startTestServer({ mail: { url: post.url, from: FROM } })
  tenant = (await server.as('branch_gm')).tenant
  const noon = (ago: number) => startOfDay(daysAgo(ago)).getTime() / 1000 + 12 * 3_600
  for (const d of server.devices.filter(({ type }) => type === 'faceTerminal')) {
    const came = d.workers.slice(0, 2).flatMap((w_id) =>
      [1, 2].map((ago) => ({
        id: `${w_id}.${ago}`,
        kind: 'clockin',
        at: noon(ago),
        w_id,
        direction: 'in',
      })),
    )
    await report(server.url, d, [
      { id: 'up', kind: 'heartbeat', at: noon(2) - 60, frameAt: noon(2) - 60 },
      ...came,
    ])
  }
  await countYesterday(server.db, server.now())
})
afterAll(async () => {
  await server.stop()
  await post.close()
})

/** Wants the report, and has an address; `way` of hearing of it. */
async function subscribed(name: string, way: string): Promise<void> {
  const who = await server.as(name)
  await who.call(viewsApi.save, { body: { name: 'dailySheet.subscription', value: { on: true } } })
  await server.sql(
    `INSERT INTO mail_addresses (tenant_id, user_id, address)
     SELECT tenant_id, id, user_name || '@example.com' FROM users WHERE user_name = $1`,
    [name],
  )
  await server.sql(
    `INSERT INTO notice_rules (tenant_id, user_id, hour, ways)
     SELECT tenant_id, id, 0, jsonb_build_object('dailySheet', $2::text) FROM users WHERE user_name = $1`,
    [name, way],
  )
}
const look = () => lookAtPost(server, post.url)
const letterTo = (name: string) => post.box.findLast((m) => m.to === `${name}@example.com`)

test('the report of a day comes with its figures, of what each may see; one link; no name of a person', async () => {
  const day = daysAgo(1)
  await subscribed('hq_ops', 'now')
  await subscribed('branch_gm', 'now')
  await subscribed('branch_gm2', 'digest')
  await server.db.tx(SYSTEM, (tx) => tellSubscribers(tx, tenant, day))
  await look()
  /** As the page shows it to the same person. */
  const sheet = async (name: string) =>
    (await (await server.as(name)).call(statisticsApi.dailySheet, { query: { from: day, to: day } })).list
  for (const name of ['hq_ops', 'branch_gm']) {
    const { subject, text } = letterTo(name)!
    expect(subject).toBe('【筑管】日报')
    const rows = await sheet(name)
    expect(rows.length).toBe(name === 'hq_ops' ? 2 : 1)
    const lines = text.split('\n').filter((line) => line.includes('：在建 '))
    expect(lines).toHaveLength(rows.length)
    for (const [n, r] of rows.entries()) {
      expect(lines[n]).toContain(`${r.bc_name}：在建 ${r.sites}，有人施工 ${r.worked}，无人施工 ${r.noWork}`)
      expect(lines[n]).toContain(`出勤 ${r.attended}/${r.due}`)
      expect(lines[n]).toContain(`报警 ${r.alarms}，已整改 ${r.corrected}`)
      expect(lines[n]).toContain(`巡检 ${r.patrols}，新增投诉 ${r.complaints}`)
    }
    expect(text.match(/https:\/\/zg\.example\.com\/#\S+/g)).toEqual([
      `https://zg.example.com/#/dataStatistics/DailySheet?from=${day}&to=${day}`,
    ])
  }
  // Another branch's are in nobody's letter but of who may see them.
  const [theirs] = await sheet('branch_gm2')
  expect(letterTo('branch_gm')!.text).not.toContain(theirs!.bc_name)
  expect(letterTo('branch_gm2')).toBeUndefined()
  // In the digest as well.
  await server.db.tx(SYSTEM, (tx) => queueDigests(tx, tenant, { day: shanghaiDay(server.now()), hour: 23 }))
  await look()
  expect(letterTo('branch_gm2')!.text).toContain(`${theirs!.bc_name}：在建 ${theirs!.sites}，`)
})

test('whose role opens the report no more gets no figure, and no letter', async () => {
  await server.sql(
    `DELETE FROM role_pages USING pages p, roles r
     WHERE p.id = page_id AND p.component_name = 'DailySheet' AND r.id = role_id AND r.code = 'branch_gm'`,
  )
  post.box = []
  await server.db.tx(SYSTEM, (tx) => tellSubscribers(tx, tenant, daysAgo(2)))
  await look()
  expect(letterTo('branch_gm')).toBeUndefined()
  expect(letterTo('hq_ops')!.text).toContain('：在建 ')
})
