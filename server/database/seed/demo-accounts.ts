import { travelling } from '../../features/session/passwords.service.ts'
import { verify } from '../../kit/native.ts'
import { row, text, there } from '../../kit/row.ts'
import type { Database } from '../connect.ts'
import { SECOND_BRANCH } from './demo-cast.ts'
import { DEMO_PASSWORD, EVERYWHERE } from './demo.ts'
import { SEED_ROLES } from './roles.ts'

export const isEmpty = (db: Database): Promise<boolean> =>
  db.tx(
    EVERYWHERE,
    async (tx) => (await tx.query('seed.any', there, 'SELECT 1 FROM tenants LIMIT 1', [])).rows.length === 0,
    { readOnly: true },
  )

/** Accounts that still open with the demo's password, which everybody knows. */
export async function demoAccounts(db: Database): Promise<string[]> {
  const { rows } = await db.tx(
    EVERYWHERE,
    (tx) =>
      tx.query(
        'seed.accounts',
        row({ user_name: text, password: text }),
        `SELECT u.user_name, u.password
         FROM account_names n
         JOIN users u ON u.tenant_id = n.tenant_id AND lower(u.user_name) = n.name AND u.deleted_at IS NULL
         WHERE n.name = ANY ($1) AND u.status = 1`,
        [[...SEED_ROLES.map((r) => r.code), ...SECOND_BRANCH.map((c) => `${c}2`), 'other']],
      ),
    { readOnly: true },
  )
  const travelled = travelling(DEMO_PASSWORD)
  const open = new Set<string>()
  for (const password of new Set(rows.map((r) => r.password)))
    if (await verify(password, travelled)) open.add(password)
  return rows.filter((r) => open.has(r.password)).map((r) => r.user_name)
}
