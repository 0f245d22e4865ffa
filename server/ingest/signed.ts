import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

import { canonical, CLOCK_SKEW_SECONDS } from '@zhuguan/contract/features/devices/devices.events.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { type Bound, hold } from '../kit/bound.ts'
import { byNetwork, networkOf } from '../kit/network.ts'
import { Refused } from '../kit/refuse.ts'

const DIGEST = /^[0-9a-f]{64}$/
const text = (request: FastifyRequest, name: string): string =>
  typeof request.headers[name] === 'string' ? request.headers[name] : ''

/** A machine's words about itself before its body. */
export interface Said {
  sn: string
  timestamp: string
  nonce: string
  sign: string
  isLate: boolean
  /** Of the body that follows, as it says; then the signature is looked at before a byte of it. */
  digest: string | undefined
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
    !DIGEST.test(sign)
  )
    throw unknown()
  const isLate = Math.abs(Number(timestamp) - now.getTime() / 1000) > CLOCK_SKEW_SECONDS
  const digest = text(request, 'x-digest')
  if (digest && !DIGEST.test(digest)) throw unknown()
  return { sn, timestamp, nonce, sign, isLate, digest: digest || undefined }
}

export const digestOf = (body: Buffer): string => createHash('sha256').update(body).digest('hex')

/** The parts that signed: digest, nonce, sn and timestamp, compared in constant time (docs/device-protocol.md). */
export function signerOf<T extends { secret: string }>(
  { nonce, sign, sn, timestamp }: Said,
  digest: string,
  among: readonly T[],
): T | undefined {
  const said = canonical({ digest, nonce, sn, timestamp })
  const given = Buffer.from(sign, 'hex')
  return among.find((one) => timingSafeEqual(createHmac('sha256', one.secret).update(said).digest(), given))
}

const HEARD_MS = 86_400_000
const HEARD_MOST = 10_000
export interface Heard {
  has: (ip: string) => boolean
  add: (ip: string) => void
}
/** Networks from which a machine proved itself within a day, at this process; of too many the oldest are forgotten. */
export function heardNetworks(now: () => Date): Heard {
  const since = new Map<string, number>()
  return {
    has: (ip) => (since.get(networkOf(ip)) ?? -Infinity) > now().getTime() - HEARD_MS,
    add(ip) {
      const network = networkOf(ip)
      since.delete(network)
      since.set(network, now().getTime())
      if (since.size > HEARD_MOST) since.delete(since.keys().next().value!)
    },
  }
}
/** Places for bodies whose sender is not proved yet. */
export interface Unproved {
  /** From networks where a machine has proved itself. */
  heard: Bound
  /** From anywhere else. */
  strange: Bound
}

/**
 * A door for machines. Who says the digest of the body is proved before a byte of it is read, and has a place of its
 * own; who does not shares the places of its address until the body is there, and those of networks that were heard
 * before are apart, so that strangers hold nobody else's (docs/decisions/0480).
 */
export function provingDoor<T extends { secret: string }>(o: {
  who: string
  heard: Heard
  unknown: () => Refused
  late: string
  now: () => Date
  /** Those that go by this name, or nobody. */
  find: (request: FastifyRequest, name: string) => Promise<readonly T[]>
  placeOf: (one: T) => string
}) {
  const proved = new WeakMap<FastifyRequest, T>()
  function signer({ ip }: FastifyRequest, said: Said, digest: string, known: readonly T[]): T {
    const one = signerOf(said, digest, known)
    if (!one) throw o.unknown()
    if (said.isLate) throw new Refused(o.late, 401, 401)
    o.heard.add(ip)
    return one
  }
  return {
    /** Before the body: somebody that we know, and a place. */
    before: (own: Bound, unproved: Unproved) => async (request: FastifyRequest, reply: FastifyReply) => {
      const said = headersOf(request, o.who, o.now(), o.unknown)
      const known = await o.find(request, said.sn)
      if (known.length === 0) throw o.unknown()
      const { ip } = request
      if (!said.digest) return hold(o.heard.has(ip) ? unproved.heard : unproved.strange, byNetwork(ip), reply)
      const one = signer(request, said, said.digest, known)
      proved.set(request, one)
      await hold(own, o.placeOf(one), reply)
    },
    /** With the body: who sent it, and the work in a place of theirs. */
    async inside<R>(
      own: Bound,
      request: FastifyRequest,
      body: Buffer,
      work: (one: T, nonce: string) => Promise<R>,
    ): Promise<R> {
      const said = headersOf(request, o.who, o.now(), o.unknown)
      const digest = digestOf(body)
      const before = proved.get(request)
      if (before) {
        if (digest !== said.digest) throw o.unknown()
        return work(before, said.nonce)
      }
      const one = signer(request, said, digest, await o.find(request, said.sn))
      return own.run(o.placeOf(one), () => work(one, said.nonce))
    },
  }
}
