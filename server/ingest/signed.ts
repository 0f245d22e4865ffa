import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

import { canonical, CLOCK_SKEW_SECONDS } from '@zhuguan/contract/features/devices/devices.events.ts'
import type { FastifyRequest } from 'fastify'

import { Refused } from '../kit/refuse.ts'

const text = (request: FastifyRequest, name: string): string =>
  typeof request.headers[name] === 'string' ? request.headers[name] : ''

/** What a machine says of itself before its body. */
export interface Said {
  sn: string
  timestamp: string
  nonce: string
  sign: string
  isLate: boolean
}
/** A form that no machine of ours has is not looked up. `who` is the header with its name, `unknown` the refusal. */
export function headersOf(request: FastifyRequest, who: string, now: Date, unknown: () => Refused): Said {
  const [sn, timestamp, nonce, sign] = [who, 'x-timestamp', 'x-nonce', 'x-sign'].map((h) =>
    text(request, h),
  ) as [string, string, string, string]
  if (
    !/^[\w.:-]{1,64}$/.test(sn) ||
    !/^\d{1,12}$/.test(timestamp) ||
    !/^[\w.:+/=-]{16,64}$/.test(nonce) ||
    !/^[0-9a-f]{64}$/.test(sign)
  )
    throw unknown()
  const isLate = Math.abs(Number(timestamp) - now.getTime() / 1000) > CLOCK_SKEW_SECONDS
  return { sn, timestamp, nonce, sign, isLate }
}

/** Which of these signed digest, nonce, sn and timestamp, compared in constant time (docs/device-protocol.md). */
export function signerOf<T extends { secret: string }>(
  { nonce, sign, sn, timestamp }: Said,
  body: Buffer,
  among: readonly T[],
): T | undefined {
  const digest = createHash('sha256').update(body).digest('hex')
  const said = canonical({ digest, nonce, sn, timestamp })
  const given = Buffer.from(sign, 'hex')
  return among.find((one) => timingSafeEqual(createHmac('sha256', one.secret).update(said).digest(), given))
}
