import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'

import { report } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { type Caller, type Result, signIn } from './client.ts'
import { setStage } from './stage.ts'

const LIMIT_503_MS = 1_000
const LIMIT_BACK_MS = 2_000
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))

/**
 * G-09: the database is killed and stopped, and comes back. The server stays, says 503 within a second, works two seconds
 * after the database does, and nothing it acknowledged is lost. Control: a row taken away by hand is missed.
 */
export async function outages(times: number): Promise<Result> {
  const stage = await setStage()
  let exits = 0
  const acknowledged: string[] = []
  let slowest503 = 0
  let slowestBack = 0
  let wrong = 0
  try {
    const { url, process: server } = await stage.serve()
    server.once('exit', () => (exits += 1))
    const gm: Caller = await signIn(url, 'branch_gm')
    const cameras = stage.devices.filter((d) => d.type === 'camera').slice(0, 6)
    let n = 0
    let reporting = true
    const devices = cameras.map(async (device) => {
      while (reporting) {
        const id = `o${++n}`
        const answer = await report(url, device, [
          { id, kind: 'visitor', at: seconds() - 5, seconds: 9 },
        ]).catch(() => undefined)
        if (answer?.code === 200) acknowledged.push(`${device.sn}:${id}`)
        else await pause(40)
      }
    })
    for (let i = 0; i < times; i += 1) {
      await pause(300)
      await stage.database.leave(i % 2 ? 'stop' : 'kill')
      await pause(50)
      for (let j = 0; j < 5; j += 1) {
        const at = performance.now()
        const heard = await gm.ask(sitesApi.list)
        slowest503 = Math.max(slowest503, performance.now() - at)
        if (heard.status !== 503) wrong += 1
      }
      await stage.database.comeBack()
      const at = performance.now()
      while ((await gm.ask(sitesApi.list)).code !== 200) {
        if (performance.now() - at > 20_000) break
        await pause(20)
      }
      slowestBack = Math.max(slowestBack, performance.now() - at)
    }
    reporting = false
    await Promise.all(devices)
    const lost = async () => {
      const { rows } = await stage.owner.query<{ key: string }>(
        `SELECT d.sn || ':' || r.event_id AS key FROM raw_events r JOIN devices d ON d.id = r.device_id`,
      )
      const found = new Set(rows.map((r) => r.key))
      return { lost: acknowledged.filter((k) => !found.has(k)).length, doubled: rows.length - found.size }
    }
    const result = await lost()
    await stage.owner.query(
      `DELETE FROM raw_events WHERE event_id = (SELECT event_id FROM raw_events LIMIT 1)`,
    )
    const control = (await lost()).lost > 0
    const ok =
      exits === 0 &&
      wrong === 0 &&
      slowest503 <= LIMIT_503_MS &&
      slowestBack <= LIMIT_BACK_MS &&
      result.lost === 0 &&
      result.doubled === 0 &&
      acknowledged.length > times * 5 &&
      control
    return {
      value: `outages ${times}, exits ${exits}, other than 503 ${wrong}, slowest 503 ${slowest503.toFixed(0)} ms, back after ${slowestBack.toFixed(0)} ms, acknowledged ${acknowledged.length}, lost ${result.lost}, doubled ${result.doubled}, control ${control ? 'found' : 'MISSED'}`,
      ok,
    }
  } finally {
    await stage.close()
  }
}
