import { createHmac, timingSafeEqual } from 'node:crypto'

import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'

const HASH_BYTES = 32

/** Names a session in the address of a picture; opens nothing without the cookie. */
export const viewerOf = (session: Buffer): string => session.toString('hex').slice(0, 16)

/**
 * What a browser shows with the pictures of a page, for which it sends no headers: a cookie of its session, for the
 * address of pictures alone. Each session has a cookie of its own, so two people in two tabs stay apart.
 */
export function pictureCookies(secretKey: Buffer) {
  const key = createHmac('sha256', secretKey).update('picture viewer').digest()
  const proofOf = (session: Buffer) => createHmac('sha256', key).update(session).digest()
  const nameOf = (viewer: string) => `see-${viewer}`
  const rules = (seconds: number, secure: boolean) =>
    `Path=${filesApi.get.path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  return {
    /** The same text for the whole session: what a browser keeps by it stays good. */
    make(session: Buffer, seconds: number, secure: boolean): string {
      const value = Buffer.concat([session, proofOf(session)]).toString('base64url')
      return `${nameOf(viewerOf(session))}=${value}; ${rules(seconds, secure)}`
    },
    drop: (session: Buffer, secure: boolean): string => `${nameOf(viewerOf(session))}=; ${rules(0, secure)}`,
    /** The session that the browser proves; nothing where it proves none. */
    sessionOf(viewer: string, cookies: string | undefined): Buffer | undefined {
      const name = `${nameOf(viewer)}=`
      const shown = (cookies ?? '').split('; ').find((one) => one.startsWith(name))
      const value = Buffer.from(shown?.slice(name.length) ?? '', 'base64url')
      if (value.length !== 2 * HASH_BYTES) return undefined
      const session = value.subarray(0, HASH_BYTES)
      return timingSafeEqual(value.subarray(HASH_BYTES), proofOf(session)) ? session : undefined
    },
  }
}
export type PictureCookies = ReturnType<typeof pictureCookies>
