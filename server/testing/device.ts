import { createHash, createHmac, randomBytes } from 'node:crypto'

import { deviceDoorApi } from '@zhuguan/contract/features/devices/device-door.api.ts'
import { canonical, type EventsAnswer } from '@zhuguan/contract/features/devices/devices.events.ts'

import { seconds } from './time.ts'

export interface Signed {
  headers: Record<string, string>
  body: Buffer
}
/** A request as a device would sign it, or who has another header; the test may spoil any part afterwards. */
export function signed(
  device: { sn: string; secret: string },
  body: Buffer,
  at = seconds(),
  who = 'x-device-sn',
): Signed {
  const timestamp = String(at)
  const nonce = randomBytes(16).toString('hex')
  const digest = createHash('sha256').update(body).digest('hex')
  return {
    body,
    headers: {
      [who]: device.sn,
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-digest': digest,
      'x-sign': createHmac('sha256', device.secret)
        .update(canonical({ digest, nonce, sn: device.sn, timestamp }))
        .digest('hex'),
      'content-type': 'application/json',
    },
  }
}
export async function post(url: string, path: string, { headers, body }: Signed) {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: new Uint8Array(body) })
  const answer = (await response.json()) as {
    code: number
    msg: string
    data: EventsAnswer & { key: string }
  }
  return { status: response.status, ...answer }
}
export const report = (
  url: string,
  device: { sn: string; secret: string },
  events: readonly object[],
  at?: Date,
) =>
  post(
    url,
    deviceDoorApi.events.path,
    signed(
      device,
      Buffer.from(JSON.stringify({ events })),
      at === undefined ? undefined : Math.floor(at.getTime() / 1000),
    ),
  )
export const sendFile = (url: string, device: { sn: string; secret: string }, bytes: Buffer, at?: Date) =>
  post(url, deviceDoorApi.files.path, signed(device, bytes, at && Math.floor(at.getTime() / 1000)))
