import { createHmac } from 'node:crypto'

/** A number that cannot be read any more, but known again: keyed, so that nobody tries all numbers on it. */
export const numberDigest = (secretKey: Buffer, tenant: string, number: string): string =>
  createHmac('sha256', secretKey)
    .update(`number:${tenant}:${number.replaceAll('-', '')}`)
    .digest('base64url')
