import { createHash, createHmac, randomBytes } from 'node:crypto'

import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'
import { canonical, type EventsAnswer } from '@zhuguan/contract/features/devices/devices.events.ts'

export interface Identity {
  sn: string
  secret: string
}
/** The headers of one signed request (docs/device-protocol.md). */
export function sign(
  { sn, secret }: Identity,
  body: Buffer,
  at = Math.floor(Date.now() / 1000),
  nonce = randomBytes(16).toString('hex'),
): Record<string, string> {
  const timestamp = String(at)
  const digest = createHash('sha256').update(body).digest('hex')
  return {
    'x-device-sn': sn,
    'x-timestamp': timestamp,
    'x-nonce': nonce,
    'x-digest': digest,
    'x-sign': createHmac('sha256', secret).update(canonical({ digest, nonce, sn, timestamp })).digest('hex'),
  }
}

/** The door has answered, and this device does not get in: it was deleted, say, or its home is lived in. */
export class Refused extends Error {}

/** The real door over HTTP; asked to slow down, it waits as it is told. */
export function httpDoor(baseUrl: string) {
  async function post(path: string, device: Identity, body: Buffer, type: string): Promise<unknown> {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await fetch(`${baseUrl}${path}`, {
        method: 'POST',
        headers: { ...sign(device, body), 'content-type': type },
        body: new Uint8Array(body),
      })
      if ((answer.status === 503 || answer.status === 429) && attempt < 20) {
        await new Promise((r) => setTimeout(r, 1000 * Number(answer.headers.get('retry-after') ?? 1)))
        continue
      }
      const { code, msg, data } = (await answer.json()) as { code: number; msg: string; data: unknown }
      if (code !== 200) throw new Refused(`${device.sn}: ${code} ${msg}`)
      return data
    }
  }
  return {
    events: (device: Identity, events: readonly object[]) =>
      post(
        deviceDoorApi.events.path,
        device,
        Buffer.from(JSON.stringify({ events })),
        'application/json',
      ) as Promise<EventsAnswer>,
    /** A picture or a film: the bytes say which. */
    file: async (device: Identity, bytes: Buffer) =>
      ((await post(deviceDoorApi.files.path, device, bytes, 'application/octet-stream')) as { key: string })
        .key,
  }
}
