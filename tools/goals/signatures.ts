import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'

import { post, signed, type Signed } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { sized } from '../size.ts'
import type { Result } from './client.ts'
import { dice } from './client.ts'
import type { Plant } from './plants.ts'
import { setStage, type Stage } from './stage.ts'

const TIMES = sized(1_000, 4)
const FEW = sized(100, 4)
const path = deviceDoorApi.events.path

interface Tried {
  taken: number
  changed: number
  replayed: number
}
/** Good requests, each once, once with something changed, and once more; half of the last after a restart. */
async function tried(stage: Stage, seed: number, times: number, plant?: Plant): Promise<Tried> {
  const { below } = dice(seed)
  const device = stage.devices.find((d) => d.type === 'camera')!
  let server = await stage.serve({ plant })
  const good = Array.from({ length: times }, (_, i) => {
    const event = { id: `${plant ?? 'g'}${i}`, kind: 'visitor', at: seconds(), seconds: 9 }
    return signed(device, Buffer.from(JSON.stringify({ events: [event] })))
  })
  const spoil = (g: Signed): Signed => {
    const fresh = signed(device, g.body)
    const flip = (text: string) => {
      const i = below(text.length)
      const c = text[i] === 'a' ? 'b' : 'a'
      return text.slice(0, i) + c + text.slice(i + 1)
    }
    const names = ['x-sign', 'x-nonce', 'x-timestamp', 'x-device-sn', 'body'] as const
    const name = names[below(names.length)]!
    if (name === 'body') return { ...fresh, body: Buffer.from(flip(fresh.body.toString())) }
    return { ...fresh, headers: { ...fresh.headers, [name]: flip(fresh.headers[name]!) } }
  }
  const isIn = async (one: Signed) => (await post(server.url, path, one)).status === 200
  const told: Tried = { taken: 0, changed: 0, replayed: 0 }
  for (const g of good) if (await isIn(g)) told.taken += 1
  for (const g of good) if (await isIn(spoil(g))) told.changed += 1
  for (const [i, g] of good.entries()) {
    if (i === times / 2 && !plant) {
      await server.end()
      server = await stage.serve()
    }
    if (await isIn(g)) told.replayed += 1
  }
  await server.end()
  return told
}

/**
 * G-22: a thousand changed requests and a thousand replays, half of them after a restart, are refused, and the untouched
 * ones are taken. Controls: a door that believes every signature, and one that forgets what it has seen.
 */
export async function signatures(seed: number): Promise<Result> {
  const stage = await setStage()
  try {
    const { taken, changed, replayed } = await tried(stage, seed, TIMES)
    const unsigned = await tried(stage, seed, FEW, 'unsigned')
    const forgetful = await tried(stage, seed, FEW, 'replayed')
    const control = unsigned.changed > 0 && unsigned.replayed > 0 && forgetful.replayed > 0
    return {
      value: `taken ${taken} of ${TIMES}, changed let in ${changed}, replayed let in ${replayed}, control ${control ? 'found' : 'MISSED'} (${unsigned.changed} and ${forgetful.replayed} of ${FEW})`,
      ok: taken === TIMES && changed === 0 && replayed === 0 && control,
    }
  } finally {
    await stage.close()
  }
}
