import { Secret, TOTP } from 'otpauth'

import type { Tx } from '../../database/connect.ts'
import { invalid } from '../../kit/refuse.ts'
import { seal, unseal } from '../../kit/secret.ts'

const ISSUER = '筑管'
const STEP_SECONDS = 30
const TICKET_MS = 10 * 60_000
type Key = { tenant: string; id: string }

const of = (secret: string, label = '') =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: STEP_SECONDS })
/** The time step that the code belongs to, one step of drift allowed; null when it belongs to none. */
function stepOf(secret: string, code: string, now: Date): number | null {
  const delta = of(secret).validate({ token: code, window: 1, timestamp: now.getTime() })
  return delta === null ? null : Math.floor(now.getTime() / 1000 / STEP_SECONDS) + delta
}

/** A new secret, not in force until a code of it has been seen. The ticket carries it, sealed, for ten minutes. */
export function beginTotp(
  key: Buffer,
  user: Key & { userName: string },
  now: Date,
): { secret: string; uri: string; ticket: string } {
  const secret = new Secret({ size: 20 }).base32
  return {
    secret,
    uri: of(secret, user.userName).toString(),
    ticket: seal(key, JSON.stringify({ secret, id: user.id, until: now.getTime() + TICKET_MS })),
  }
}

/** Puts the secret of the ticket in force. */
export async function confirmTotp(
  tx: Tx,
  key: Buffer,
  user: Key,
  ticket: string,
  code: string,
  now: Date,
): Promise<void> {
  let begun: { secret: string; id: string; until: number }
  try {
    begun = JSON.parse(unseal(key, ticket)) as typeof begun
  } catch {
    throw invalid('ticket', '二维码已失效，请重新开始')
  }
  if (begun.id !== user.id || begun.until < now.getTime()) throw invalid('ticket', '二维码已失效，请重新开始')
  const step = stepOf(begun.secret, code, now)
  if (step === null) throw invalid('code', '动态验证码不正确')
  await tx.run(
    'totp.on',
    'UPDATE users SET totp = $3, totp_last = $4, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [user.tenant, user.id, seal(key, begun.secret), step],
  )
}

/** Whether the code is right and has not been used before; using it is part of the question. */
export async function spendCode(
  tx: Tx,
  key: Buffer,
  user: Key,
  sealed: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const step = stepOf(unseal(key, sealed), code, now)
  if (step === null) return false
  return (
    (
      await tx.run(
        'totp.spend',
        'UPDATE users SET totp_last = $3 WHERE tenant_id = $1 AND id = $2 AND coalesce(totp_last, 0) < $3',
        [user.tenant, user.id, step],
      )
    ).rowCount === 1
  )
}
export const dropTotp = (tx: Tx, user: Key) =>
  tx.run(
    'totp.off',
    'UPDATE users SET totp = NULL, totp_last = NULL, version = version + 1 WHERE tenant_id = $1 AND id = $2',
    [user.tenant, user.id],
  )
