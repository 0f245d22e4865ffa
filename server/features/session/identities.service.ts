import { z } from 'zod'

import type { Tx } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { seal, unseal } from '../../kit/secret.ts'

const TICKET_MS = 10 * 60_000
const identity = z.object({ issuer: z.string(), subject: z.string(), name: z.string() })
/** The person whom the provider vouches for: issuer and subject never change, the name is only shown. */
export type Identity = z.output<typeof identity>
const ticket = identity.extend({ until: z.number() })

/** The cookie of the browser between coming back from the provider and the second step: sealed, and soon over. */
export const ticketFor = (secretKey: Buffer, who: Identity, now: Date): string =>
  seal(secretKey, JSON.stringify({ ...who, until: now.getTime() + TICKET_MS }))

export function readTicket(secretKey: Buffer, text: string, now: Date): Identity {
  const over = new Refused('企业账号的登录已超时，请重新点“企业账号登录”', 400)
  try {
    const read = ticket.safeParse(JSON.parse(unseal(secretKey, text)))
    if (read.success && read.data.until > now.getTime()) return read.data
  } catch {
    throw over
  }
  throw over
}

/** The account that this company account opens, by name. */
export async function accountLinked(tx: Tx, who: Identity): Promise<string | undefined> {
  const { rows } = await tx.query(
    'identities.account',
    row({ user_name: text }),
    `SELECT u.user_name
     FROM user_identities i
     JOIN users u ON u.tenant_id = i.tenant_id AND u.id = i.user_id AND u.deleted_at IS NULL
     WHERE i.issuer = $1 AND i.subject = $2`,
    [who.issuer, who.subject],
  )
  return rows[0]?.user_name
}

/** Ties the two accounts that one person has proved to hold. Answers false when the company account opens another one. */
export async function linkIdentity(
  tx: Tx,
  who: Identity,
  account: { tenant: string; id: string },
): Promise<boolean> {
  await tx.run(
    'identities.link',
    `INSERT INTO user_identities (tenant_id, user_id, issuer, subject, at)
     VALUES ($1, $2, $3, $4, :now)
     ON CONFLICT DO NOTHING`,
    [account.tenant, account.id, who.issuer, who.subject],
  )
  const { rows } = await tx.query(
    'identities.mine',
    row({ user_id: uuid }),
    `SELECT user_id FROM user_identities
     WHERE tenant_id = $1 AND user_id = $2 AND issuer = $3 AND subject = $4`,
    [account.tenant, account.id, who.issuer, who.subject],
  )
  return rows.length > 0
}

/** An account whose password somebody else has set anew is linked anew by who holds it then. */
export const forgetIdentities = (tx: Tx, tenant: string, user: string): void =>
  tx.send('identities.forget', 'DELETE FROM user_identities WHERE tenant_id = $1 AND user_id = $2', [
    tenant,
    user,
  ])
