import { report } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { sized } from '../size.ts'
import { dice } from './client.ts'
import { setStage } from './stage.ts'

const EVENTS = sized(20_000, 3_000)
const BATCH = 100
const AT_ONCE = 12

/** G-13: every event is delivered three times, shuffled, with kills in between; each is filed once. Control: a twin with another id is counted. */
export async function once(seed: number): Promise<{ value: string; ok: boolean }> {
  const stage = await setStage()
  const { random } = dice(seed)
  const cameras = stage.devices.filter((d) => d.type === 'camera').slice(0, 20)
  const at = seconds() - 1_000
  const batches = Array.from({ length: EVENTS / BATCH }, (_, b) => ({
    device: cameras[b % cameras.length]!,
    events: Array.from({ length: BATCH }, (_, i) => ({
      id: `o${b}-${i}`,
      kind: 'visitor',
      at: at + i,
      seconds: 60,
    })),
  }))
  const queue = [...batches, ...batches, ...batches]
    .map((b) => [random(), b] as const)
    .sort((a, b) => a[0] - b[0])
    .map(([, b]) => b)
  try {
    let server = await stage.serve()
    let killed = 0
    const work = async () => {
      for (let job = queue.pop(); job; job = queue.pop()) {
        for (;;) {
          const current = server
          const answer = await report(current.url, job.device, job.events).catch(() => undefined)
          if (answer?.code === 200) break
          // Not acknowledged: a device sends it again.
          await new Promise((r) => setTimeout(r, 50))
        }
      }
    }
    const killer = (async () => {
      while (queue.length > 60) {
        await new Promise((r) => setTimeout(r, 700))
        server.process.kill('SIGKILL')
        killed += 1
        server = await stage.serve()
      }
    })()
    await Promise.all([...Array.from({ length: AT_ONCE }, work), killer])
    const count = async (table: string) =>
      Number((await stage.owner.query<{ n: string }>(`SELECT count(*) AS n FROM ${table}`)).rows[0]!.n)
    const [raw, visits] = [await count('raw_events'), await count('visits')]
    await report(server.url, cameras[0]!, [{ id: 'twin', kind: 'visitor', at, seconds: 60 }])
    const control = (await count('visits')) === visits + 1
    return {
      value: `sent ${EVENTS} × 3 with ${killed} kills, rows ${raw}, effects ${visits}, control ${control ? 'found' : 'MISSED'}`,
      ok: raw === EVENTS && visits === EVENTS && control && killed > 0,
    }
  } finally {
    await stage.close()
  }
}
