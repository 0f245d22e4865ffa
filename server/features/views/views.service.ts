import type { Tx } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'

type Holder = { tenant: string; id: string }
const MAX_VIEWS = 200

export async function readView(tx: Tx, user: Holder, name: string): Promise<Record<string, unknown> | null> {
  const { rows } = await tx.query<{ value: Record<string, unknown> }>('views.get', 'SELECT value FROM saved_views WHERE tenant_id = $1 AND user_id = $2 AND name = $3', [user.tenant, user.id, name])
  return rows[0]?.value ?? null
}

/** A person's own layout is not business data: it is kept, and not logged. */
export async function writeView(tx: Tx, user: Holder, name: string, value: Record<string, unknown>): Promise<void> {
  const { rowCount } = await tx.query(
    'views.save',
    `INSERT INTO saved_views (tenant_id, user_id, name, value) SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM saved_views WHERE tenant_id = $1 AND user_id = $2 AND name <> $3) < ${MAX_VIEWS}
     ON CONFLICT (tenant_id, user_id, name) DO UPDATE SET value = excluded.value`,
    [user.tenant, user.id, name, JSON.stringify(value)],
  )
  if (rowCount !== 1) throw new Refused('保存的视图太多了')
}
