import { report } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { setStage } from './stage.ts'

/**
 * G-08: the server is killed under load, again and again. Every event that was acknowledged is there once, and its person's
 * day counts it once. Control: one acknowledged row is removed by hand and must be missed.
 */
export async function kills(times: number): Promise<{ value: string; ok: boolean }> {
  const stage = await setStage()
  const terminals = stage.devices.filter((d) => d.type === 'faceTerminal' && d.workers.length > 0).slice(0, 6)
  const acknowledged: string[] = []
  let n = 0
  try {
    for (let i = 0; i < times; i += 1) {
      const { url, process: server } = await stage.serve()
      const until = Date.now() + 300 + ((i * 137) % 500)
      const callers = terminals.map(async (device) => {
        while (Date.now() < until + 400) {
          const ids = [`k${++n}`, `k${++n}`, `k${++n}`]
          const events = ids.map((id, j) => ({
            id,
            kind: 'clockin',
            at: seconds() - j,
            w_id: device.workers[j % device.workers.length]!,
            direction: 'in',
          }))
          const answer = await report(url, device, events).catch(() => undefined)
          if (!answer) return
          if (answer.code === 200) acknowledged.push(...ids.map((id) => `${device.sn}:${id}`))
        }
      })
      await new Promise((r) => setTimeout(r, until - Date.now()))
      const gone = new Promise((r) => server.once('exit', r))
      server.kill('SIGKILL')
      await Promise.all([gone, ...callers])
    }
    const lost = async () => {
      const { rows } = await stage.owner.query<{ key: string }>(
        `SELECT d.sn || ':' || r.event_id AS key FROM attendance_events r JOIN devices d ON d.id = r.device_id`,
      )
      const found = new Set(rows.map((r) => r.key))
      return { lost: acknowledged.filter((k) => !found.has(k)).length, doubled: rows.length - found.size }
    }
    const { rows } = await stage.owner.query<{ half: number }>(
      `SELECT abs((SELECT count(*) FROM attendance_events) - (SELECT sum(count) FROM attendance_days)) AS half`,
    )
    const result = await lost()
    await stage.owner.query(
      `DELETE FROM attendance_events WHERE event_id = (SELECT event_id FROM attendance_events LIMIT 1)`,
    )
    const control = (await lost()).lost > 0
    const half = Number(rows[0]!.half)
    return {
      value: `kills ${times}, acknowledged ${acknowledged.length}, lost ${result.lost}, doubled ${result.doubled}, half-done ${half}, control ${control ? 'found' : 'MISSED'}`,
      ok:
        acknowledged.length > times * 10 &&
        result.lost === 0 &&
        result.doubled === 0 &&
        half === 0 &&
        control,
    }
  } finally {
    await stage.close()
  }
}
