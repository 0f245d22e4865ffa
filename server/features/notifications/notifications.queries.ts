import type { Tx } from '../../database/connect.ts'
import { bool, float8, int4, row, text, uuid } from '../../kit/row.ts'
import type { SessionUser } from '../../kit/serve.ts'
import { epoch } from '../../kit/statement.ts'

/** The newest notices of a person, and how many of all are unread. */
export async function noticesOf(tx: Tx, { id, tenant }: SessionUser) {
  const list = tx.query(
    'notifications.list',
    row({ id: uuid, title: text, link: text, at: float8, read: bool }),
    `SELECT id, title, link, ${epoch('at')} AS at, read_at IS NOT NULL AS read
     FROM notifications
     WHERE tenant_id = $1 AND user_id = $2
     ORDER BY at DESC
     LIMIT 50`,
    [tenant, id],
  )
  const unread = tx.query(
    'notifications.unread',
    row({ n: int4 }),
    'SELECT count(*)::int AS n FROM notifications WHERE tenant_id = $1 AND user_id = $2 AND read_at IS NULL',
    [tenant, id],
  )
  const [{ rows }, { rows: count }] = await Promise.all([list, unread])
  return { unread: count[0]!.n, list: rows }
}

/** Marks these as read, or all of the person's. */
export const readNotices = (tx: Tx, { id, tenant }: SessionUser, ids: readonly string[] | undefined) =>
  tx.run(
    'notifications.read',
    `UPDATE notifications SET read_at = :now
     WHERE tenant_id = $1 AND user_id = $2 AND read_at IS NULL AND ($3::uuid[] IS NULL OR id = ANY ($3))`,
    [tenant, id, ids ?? null],
  )
