import { SUBSCRIPTION } from '@zhuguan/contract/features/statistics/daily-sheet.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { scopedBranches } from '../../kit/scoped.ts'
import { notify } from '../notifications/notifications.service.ts'

/** A notice to everybody who wants the report; the figures themselves are read on the page. */
export async function tellSubscribers(tx: Tx, tenant: string, day: string): Promise<void> {
  const { rows } = await tx.query(
    'statistics.subscribers',
    row({ user_id: uuid }),
    `SELECT v.user_id
     FROM saved_views v
     WHERE v.tenant_id = $1 AND v.name = $2 AND v.value @> '{"on": true}'
     ORDER BY v.user_id`,
    [tenant, SUBSCRIPTION],
  )
  await notify(tx, {
    tenant,
    user: rows.map((r) => r.user_id),
    title: `${day} 的日报已经出来`,
    link: linkTo('DailySheet', { from: day, to: day }),
    cause: { kind: 'dailySheet', id: day },
    personal: true,
  })
}

/** People of a branch, or of all that the caller sees, who want the report. */
export async function subscribersOf(tx: Tx, scope: Scope, bc: string | undefined) {
  const where = scopedBranches(scope, 'u')
    .when(bc, (p) => `u.bc_id = ${p}::uuid`)
    .add((p) => `v.name = ${p}`, SUBSCRIPTION)
  const { rows } = await tx.query(
    'statistics.wanting',
    row({ id: uuid, nickname: text }),
    `SELECT u.id, u.nickname
     FROM users u
     JOIN saved_views v ON v.tenant_id = $1 AND v.user_id = u.id AND v.value @> '{"on": true}'
     WHERE ${where.text} AND u.status = 1 AND u.deleted_at IS NULL
     ORDER BY u.nickname, u.id`,
    where.values,
  )
  return rows
}
