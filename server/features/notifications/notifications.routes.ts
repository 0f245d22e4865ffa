import { notificationsApi } from '@zhuguan/contract/features/notifications/notifications.api.ts'

import { bool, float8, int4, row, text, uuid } from '../../kit/row.ts'
import { serve } from '../../kit/serve.ts'
import { epoch } from '../../kit/statement.ts'

export const notificationsFeature = serve(notificationsApi, {
  list: (_input, call) =>
    call.read(async (tx) => {
      const who = [call.user.tenant, call.user.id]
      const { rows } = await tx.query(
        'notifications.list',
        row({ id: uuid, title: text, link: text, at: float8, read: bool }),
        `SELECT id, title, link, ${epoch('at')} AS at, read_at IS NOT NULL AS read FROM notifications WHERE tenant_id = $1 AND user_id = $2 ORDER BY at DESC LIMIT 50`,
        who,
      )
      const unread = await tx.query(
        'notifications.unread',
        row({ n: int4 }),
        'SELECT count(*)::int AS n FROM notifications WHERE tenant_id = $1 AND user_id = $2 AND read_at IS NULL',
        who,
      )
      return { unread: unread.rows[0]!.n, list: rows }
    }),
  read: ({ body }, call) =>
    call.write(async (tx) => {
      await tx.run(
        'notifications.read',
        'UPDATE notifications SET read_at = :now WHERE tenant_id = $1 AND user_id = $2 AND read_at IS NULL AND ($3::uuid[] IS NULL OR id = ANY ($3))',
        [call.user.tenant, call.user.id, body.ids ?? null],
      )
      return null
    }),
})
