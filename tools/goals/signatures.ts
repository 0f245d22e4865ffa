import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'

import { post, signed, type Signed } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { setStage } from './stage.ts'

const TIMES = 1_000

/** G-22: a thousand changed requests and a thousand replays, half of them after a restart, are refused. Control: the untouched ones were taken. */
export async function signatures(seed: number): Promise<{ value: string; ok: boolean }> {
  const stage = await setStage()
  let s = seed
  const below = (n: number) => (s = (s * 1_103_515_245 + 12_345) % 2_147_483_648) % n
  const device = stage.devices.find((d) => d.type === 'camera')!
  const path = deviceDoorApi.events.path
  try {
    let server = await stage.serve()
    const good = Array.from({ length: TIMES }, (_, i) =>
      signed(
        device,
        Buffer.from(
          JSON.stringify({ events: [{ id: `g${i}`, kind: 'visitor', at: seconds(), seconds: 9 }] }),
        ),
      ),
    )
    let taken = 0
    for (const g of good) if ((await post(server.url, path, g)).status === 200) taken += 1
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
    let changed = 0
    for (const g of good) if ((await post(server.url, path, spoil(g))).status === 200) changed += 1
    let replayed = 0
    for (const [i, g] of good.entries()) {
      if (i === TIMES / 2) {
        server.process.kill('SIGKILL')
        server = await stage.serve()
      }
      if ((await post(server.url, path, g)).status === 200) replayed += 1
    }
    return {
      value: `taken ${taken} of ${TIMES}, changed let in ${changed}, replayed let in ${replayed}`,
      ok: taken === TIMES && changed === 0 && replayed === 0,
    }
  } finally {
    await stage.close()
  }
}
