import type { Readable } from 'node:stream'

import type { Call } from './serve.ts'

export interface Bytes {
  size: number
  part(from: number, to: number): Buffer | Readable
}
export const inMemory = (bytes: Buffer): Bytes => ({
  size: bytes.length,
  part: (from, to) => bytes.subarray(from, to + 1),
})

/**
 * The bytes, or the one part of them that was asked for: a player jumps within a clip. Nobody waits for their end: a
 * slow reader would keep a place that others need.
 */
export function sendRange({ request, reply }: Pick<Call, 'request' | 'reply'>, { size, part }: Bytes): void {
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(request.headers.range ?? '')
  if (!asked || (!asked[1] && !asked[2]))
    return void reply.header('content-length', size).send(part(0, size - 1))
  const from = asked[1] ? Number(asked[1]) : Math.max(0, size - Number(asked[2]))
  const to = asked[1] && asked[2] ? Math.min(Number(asked[2]), size - 1) : size - 1
  if (from > to) return void reply.status(416).header('content-range', `bytes */${size}`).send()
  reply
    .status(206)
    .header('content-range', `bytes ${from}-${to}/${size}`)
    .header('content-length', to - from + 1)
    .send(part(from, to))
}
