import { randomUUID } from 'node:crypto'

import { alarmsApi } from '@zhuguan/contract/features/alarms/alarms.api.ts'
import { sessionApi } from '@zhuguan/contract/features/session/session.api.ts'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { DataOf, Endpoint, InputOf } from '@zhuguan/contract/kit/api.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { type RunningApp, serveApp } from '../app/serve-app.ts'
import { canReplicate, startCluster } from '../testing/cluster.ts'
import { report } from '../testing/device.ts'
import { startTestServer, type TestServer } from '../testing/start.ts'
import { listen } from '../testing/stream.ts'
import { seconds } from '../testing/time.ts'
import { connect, type Database } from './connect.ts'

let cluster: Awaited<ReturnType<typeof startCluster>>
let server: TestServer
let second: RunningApp
let secondDb: Database

async function metric(name: string, url = server.url): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^zhuguan_replica_${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1])
}
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (
    const end = performance.now() + 8_000;
    performance.now() < end;
    await new Promise((r) => setTimeout(r, 50))
  )
    if (await holds()) return
  throw new Error(`never: ${what}`)
}
const inUse = (on: boolean) =>
  until(`in use: ${on}`, async () => {
    const both = await Promise.all([server.url, second.url].map((url) => metric('in_use', url)))
    return both.every((one) => one === Number(on))
  })

/** As a browser does: sends what it was told last, to whichever server answers. */
async function browser(role: string) {
  const { token, tenant } = await server.as(role)
  let seen = 0
  const note = (place: string | null) => (seen = Math.max(seen, Number(place ?? 0)))
  async function call<E extends Endpoint>(
    to: string,
    { method, path }: E,
    input: InputOf<E>,
    pretended?: number,
  ): Promise<DataOf<E>> {
    const { query = {}, body } = input as { query?: Record<string, string>; body?: object }
    const answer = await fetch(`${to}${path}?${new URLSearchParams(query)}`, {
      method,
      headers: {
        token,
        'tenant-id': tenant,
        'content-type': 'application/json',
        'x-seen': String(pretended ?? seen),
      },
      ...(method === 'GET' ? {} : { body: body ? JSON.stringify(body) : '' }),
    })
    note(answer.headers.get('x-seen'))
    const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: DataOf<E> }
    if (code !== 200) throw new Error(`${path}: ${code} ${msg}`)
    return data
  }
  return { call, note, token, tenant }
}
type Browser = Awaited<ReturnType<typeof browser>>
const facts = (bc_id: string) => ({ ws_name: `副本 ${randomUUID()}`, bc_id, address: '某路 1 号' })
const branchOf = async (b: Browser) => (await b.call(server.url, sitesApi.list, { query: {} })).list[0]!.bc_id

/** Calls until it is told to stop; answers how often. */
function again(call: (round: number) => Promise<void>) {
  let working = true
  const done = (async () => {
    let round = 0
    for (; working; round += 1) await call(round)
    return round
  })()
  return { stop: () => ((working = false), done) }
}
/** Writes at one server and reads at the other. */
const atWork = (b: Browser, bc: string) =>
  again(async (round) => {
    const [here, there] = round % 2 ? [server.url, second.url] : [second.url, server.url]
    const site = facts(bc)
    const { id } = await b.call(here, sitesApi.add, { body: site })
    const shown = await b.call(there, sitesApi.details, { query: { id } })
    expect(shown.ws_name).toBe(site.ws_name)
  })
/** Only looks, and is never told less than before. */
function looking(b: Browser) {
  let before = 0
  return again(async (round) => {
    const { totalCount } = await b.call(round % 2 ? server.url : second.url, sitesApi.list, { query: {} })
    expect(totalCount).toBeGreaterThanOrEqual(before)
    before = totalCount
  })
}

describe.skipIf(!canReplicate)(
  'reads at a streaming replica (skipped where no whole PostgreSQL is installed)',
  () => {
    beforeAll(async () => {
      cluster = await startCluster()
      const replicas = [cluster.standby.url]
      server = await startTestServer({}, { url: cluster.url, replicas })
      secondDb = connect(server.logins, { max: 4, now: server.now, replicas })
      second = await serveApp({
        db: secondDb,
        dataDir: server.dataDir,
        secretKey: server.secretKey,
        port: 0,
        mqttPort: 0,
        mqttUrl: null,
        sessionMinutes: 60,
        logLevel: 'silent',
        verify: true,
        host: '127.0.0.1',
        now: server.now,
      })
      await inUse(true)
    })
    afterAll(async () => {
      await second.close()
      await secondDb.close()
      await server.stop()
      await cluster.stop()
    })

    test('who has only read is answered by the replica, who does not say what they saw by the primary', async () => {
      const gm = await browser('branch_gm')
      await branchOf(gm)
      await until('a read at the replica', async () => {
        const before = await metric('reads_total')
        await gm.call(server.url, sitesApi.list, { query: {} })
        return (await metric('reads_total')) > before
      })
      const before = await metric('reads_total')
      await (await server.as('branch_gm')).call(sitesApi.list)
      expect(await metric('reads_total')).toBe(before)
      expect(await metric('lag_seconds')).toBeLessThan(2)
    })

    test('while the replica stands still everybody sees what they wrote, were told or may', async () => {
      const gm = await browser('branch_gm')
      const bc = await branchOf(gm)
      await until('a read at the replica of the second', async () => {
        const before = await metric('reads_total', second.url)
        await gm.call(second.url, sitesApi.list, { query: {} })
        return (await metric('reads_total', second.url)) > before
      })
      await cluster.standby.pause(true)
      const site = facts(bc)
      const { id } = await gm.call(server.url, sitesApi.add, { body: site })
      // It is the place that keeps the old state away: with an older one the new site is not there yet.
      await expect(gm.call(second.url, sitesApi.details, { query: { id } }, 1)).rejects.toThrow()
      expect((await gm.call(second.url, sitesApi.details, { query: { id } })).ws_name).toBe(site.ws_name)

      const keeper = await browser('inspector')
      const stream = listen(second.url, await server.as('inspector'))
      await stream.until(() => stream.heard.length > 0)
      const camera = server.devices.find((d) => d.type === 'camera' && d.sn.includes('HZ'))!
      await report(server.url, camera, [
        { id: 'r1', kind: 'alarm', at: seconds(), type: 'smoking', confidence: 0.9 },
      ])
      await stream.until(() => stream.alarms().length === 1)
      const [told] = stream.alarms()
      keeper.note(told!.seen)
      const { list } = await keeper.call(second.url, alarmsApi.list, { query: {} })
      expect(list.map((alarm) => alarm.id)).toContain(told!.data.id)
      await stream.close()

      await server.sql(`UPDATE users SET nickname = '改过名的人' WHERE user_name = 'inspector'`)
      await server.sql(`SELECT pg_notify('access', '')`)
      await until('the new name', async () => {
        const { nickname } = await keeper.call(second.url, sessionApi.userdata, {})
        return nickname === '改过名的人'
      })

      // Who wrote nothing is not kept in the past either.
      await inUse(false)
      expect((await gm.call(server.url, sitesApi.details, { query: { id } }, 1)).ws_name).toBe(site.ws_name)
      expect(await metric('lag_seconds')).toBeGreaterThan(2)
      await cluster.standby.pause(false)
      await inUse(true)
    })

    test('a replica that is paused, killed, started and promoted under way is an error for nobody', async () => {
      const names = ['branch_gm', 'branch_gm2', 'admin', 'hq_ops']
      const [one, other, ...others] = await Promise.all(names.map((name) => browser(name)))
      const work = others.map(looking)
      for (const b of [one!, other!]) work.push(atWork(b, await branchOf(b)))
      const reads = await metric('reads_total')
      await cluster.standby.pause(true)
      await new Promise((r) => setTimeout(r, 300))
      await cluster.standby.pause(false)
      await new Promise((r) => setTimeout(r, 500))
      await cluster.standby.kill()
      await inUse(false)
      await cluster.standby.start()
      await inUse(true)
      await new Promise((r) => setTimeout(r, 500))
      await cluster.standby.promote()
      await inUse(false)
      await new Promise((r) => setTimeout(r, 300))
      for (const right of await Promise.all(work.map((one) => one.stop()))) expect(right).toBeGreaterThan(3)
      expect(await metric('reads_total')).toBeGreaterThan(reads)
    })
  },
)
