import { chmod, mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { report } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { demoFolder } from '../demo-folder.ts'
import type { Result } from './client.ts'
import { program } from './program.ts'

const BUSY_MS = 400
const pause = (ms: number) => new Promise((r) => setTimeout(r, ms))

/** The database's own processes: each works in the cluster's folder. */
async function workersIn(cluster: string): Promise<number[]> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const places = await Promise.all(all.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return all.filter((_, i) => places[i] === cluster).map(Number)
}

/**
 * G-08: server and database are killed under load, all of them or the server and the postmaster alone, and in the same
 * second somebody starts again: it comes up, with all that was acknowledged. Control: a row taken away is missed.
 */
export async function beginAgain(times: number): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'zhuguan-goal-'))
  await chmod(folder, 0o755)
  const { embedded, devices } = await demoFolder(folder)
  const cameras = devices.filter((d) => d.type === 'camera').slice(0, 4)
  await embedded.stop()
  const cluster = join(folder, 'postgres', 'cluster')
  const acknowledged: string[] = []
  let slowest = 0
  let n = 0
  const start = async () => {
    const from = performance.now()
    const running = await program({ DATA_DIR: folder, DEMO: '1' })
    slowest = Math.max(slowest, performance.now() - from)
    return running
  }
  let running = await start()
  const wrong: string[] = []
  try {
    for (let i = 0; i < times; i += 1) {
      let busy = true
      const devicesTell = cameras.map(async (camera) => {
        while (busy) {
          const id = `b${(n += 1)}`
          const told = [{ id, kind: 'visitor', at: seconds() - 5, seconds: 9 }]
          const answer = await report(running.url, camera, told).catch(() => undefined)
          if (answer?.code === 200) acknowledged.push(`${camera.sn}:${id}`)
        }
      })
      await pause(BUSY_MS)
      const postmaster = Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0])
      const victims = i % 2 ? [postmaster] : await workersIn(cluster)
      busy = false
      running.process.kill('SIGKILL')
      for (const pid of victims) process.kill(pid, 'SIGKILL')
      await Promise.all([
        start().then(
          (next) => (running = next),
          (error: Error) => wrong.push(`start ${i + 1}: ${error.message}`),
        ),
        ...devicesTell,
      ])
      if (wrong.length) break
    }
    const owner = new pg.Client({ connectionString: embedded.url })
    await owner.connect()
    await owner.query(`SET app.tenant = '*'`)
    const lost = async () => {
      const { rows } = await owner.query<{ key: string }>(
        `SELECT d.sn || ':' || r.event_id AS key FROM raw_events r JOIN devices d ON d.id = r.device_id`,
      )
      const found = new Set(rows.map((r) => r.key))
      return acknowledged.filter((key) => !found.has(key)).length
    }
    const missing = wrong.length ? 0 : await lost()
    await owner.query(`DELETE FROM raw_events WHERE event_id = 'b1'`)
    const control = acknowledged.length > 0 && (await lost()) > missing
    await owner.end()
    for (const why of wrong) console.error(why)
    return {
      value:
        `killed with its database and started in the same second ${times - wrong.length} of ${times}, slowest start ` +
        `${(slowest / 1_000).toFixed(1)} s, acknowledged ${acknowledged.length}, lost ${missing}, ` +
        `control ${control ? 'found' : 'MISSED'}`,
      ok: wrong.length === 0 && missing === 0 && control,
    }
  } finally {
    await running.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
