import { createHmac, timingSafeEqual } from 'node:crypto'

import { ADDRESS_S } from '@zhuguan/contract/features/recordings/recordings.record.ts'

import { seal, unseal } from '../../kit/secret.ts'

export interface Address {
  recording: string
  /** The session that asked for it. */
  session: Buffer
  until: number
}

/** Addresses of one installation: nobody else can make or read one. */
export function addresses(secretKey: Buffer) {
  const key = createHmac('sha256', secretKey).update('recording address').digest()
  /** What the browser of a session shows besides: an address that was copied opens nothing elsewhere. */
  const proofOf = (session: Buffer) =>
    createHmac('sha256', key).update('viewer').update(session).digest('base64url')
  const cookieOf = (session: Buffer) => `play-${session.toString('hex').slice(0, 16)}`
  return {
    make: ({ recording, session, until }: Address): string =>
      seal(key, JSON.stringify([recording, session.toString('base64url'), until])),
    /** What it says; nothing where it was not made here. */
    read(text: string): Address | undefined {
      try {
        const [recording, session, until] = JSON.parse(unseal(key, text)) as [string, string, number]
        return { recording, session: Buffer.from(session, 'base64url'), until }
      } catch {
        return undefined
      }
    },
    cookie: (session: Buffer, secure: boolean): string =>
      `${cookieOf(session)}=${proofOf(session)}; Path=/; Max-Age=${ADDRESS_S}; HttpOnly; SameSite=Strict${
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
