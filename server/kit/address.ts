import { createHmac, timingSafeEqual } from 'node:crypto'

import { sealSame, unseal } from './secret.ts'

/**
 * Addresses of one kind for bytes that a browser fetches without its token, each for one session: nobody else can make
 * or read one (docs/decisions/0240). `Said` is what such an address says, as JSON.
 */
export function addresses<Said extends readonly unknown[]>(
  secretKey: Buffer,
  { kind, cookieS }: { kind: string; cookieS: number },
) {
  const key = createHmac('sha256', secretKey).update(`${kind} address`).digest()
  const viewer = createHmac('sha256', secretKey).update('viewer').digest()
  /** What the browser of a session shows besides: an address that was copied opens nothing elsewhere. */
  const proofOf = (session: Buffer) => createHmac('sha256', viewer).update(session).digest('base64url')
  const cookieOf = (session: Buffer) => `play-${session.toString('hex').slice(0, 16)}`
  return {
    make: (session: Buffer, ...said: Said): string =>
      sealSame(key, JSON.stringify([session.toString('base64url'), ...said])),
    /** The content; nothing where it was not made here. */
    read(text: string): { session: Buffer; said: Said } | undefined {
      try {
        const [session, ...said] = JSON.parse(unseal(key, text)) as [string, ...Said]
        return { session: Buffer.from(session, 'base64url'), said }
      } catch {
        return undefined
      }
    },
    cookie: (session: Buffer, secure: boolean): string =>
      `${cookieOf(session)}=${proofOf(session)}; Path=/; Max-Age=${cookieS}; HttpOnly; SameSite=Strict${
        secure ? '; Secure' : ''
      }`,
    isShown(session: Buffer, cookies: string | undefined): boolean {
      const name = `${cookieOf(session)}=`
      const shown = (cookies ?? '').split('; ').find((one) => one.startsWith(name))
      if (!shown) return false
      const given = Buffer.from(shown.slice(name.length))
      const due = Buffer.from(proofOf(session))
      return given.length === due.length && timingSafeEqual(given, due)
    },
  }
}
