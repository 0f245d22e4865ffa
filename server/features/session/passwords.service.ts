import { createHash, randomBytes, randomInt } from 'node:crypto'

import { PASSWORD_RULE } from '@zhuguan/contract/features/session/session.record.ts'

import { hash } from '../../kit/native.ts'

/** argon2id over the hash that travelled: the hash alone is as good as the password, so it is never stored. */
const COSTS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
export const protect = (travelled: string): Promise<string> => hash(travelled, COSTS)

const inPhc = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')
/** In the form of a kept password, of nobody: it takes as long to judge, and nothing is right. */
export const nobodysPassword = (): string =>
  `$argon2id$v=19$m=${COSTS.memoryCost},t=${COSTS.timeCost},p=${COSTS.parallelism}$${inPhc(16)}$${inPhc(32)}`

/** A password as it travels (docs/product.md). */
export const travelling = (password: string): string => createHash('sha256').update(password).digest('hex')

/** Read out over a telephone without mistakes: no l and 1, no O and I, no zero. */
const READABLE = 'ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 10
const COMPLETE = [/[A-Z]/, /[a-z]/, /\d/]
/** A first password, to be changed at the first sign-in. */
export function firstPassword(): string {
  for (;;) {
    const text = Array.from({ length: LENGTH }, () => READABLE[randomInt(READABLE.length)]).join('')
    if (PASSWORD_RULE.test(text) && COMPLETE.every((c) => c.test(text))) return text
  }
}
