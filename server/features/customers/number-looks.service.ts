import { KEPT_DAYS } from '@zhuguan/contract/features/keeping/keeping.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import { int4, row } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { dayBegins, TODAY } from '../../kit/statement.ts'
import { leadersOf, notify } from '../notifications/notifications.service.ts'
import { settingOf } from '../settings/settings.reads.ts'
import { holdPeople } from './holding.queries.ts'

/** A number that was read, or one that was looked for in other branches. */
type Look = 'elsewhere' | 'number'
/** So many numbers a person looks for in other branches a day: whoever types one after the other learns who is one. */
const MOST_ELSEWHERE = 100

async function looksToday(tx: Tx, { user }: Call, kind: Look): Promise<number> {
  const { rows } = await tx.query(
    'customers.looks',
    row({ n: int4 }),
    `SELECT count(*)::int AS n
     FROM customer_looks l
     WHERE l.tenant_id = $1 AND l.user_id = $2 AND l.kind = $3 AND l.at >= ${dayBegins(TODAY)}`,
    [user.tenant, user.id, kind],
  )
  return rows[0]!.n
}
export const countLook = (tx: Tx, call: Call, kind: Look) =>
  tx.run(
    'customers.look',
    'INSERT INTO customer_looks (tenant_id, id, user_id, kind, at) VALUES ($1, $2, $3, $4, :now)',
    [call.user.tenant, call.newId(), call.user.id, kind],
  )

/** So many a day and no more: with the last of them whoever leads the branch hears who reads so many. */
export async function unlessTooMany(tx: Tx, call: Call, kind: Look, bc: string): Promise<void> {
  const { id, nickname, tenant } = call.user
  // One after the other: two at once are not both the last.
  await holdPeople(tx, tenant, [id])
  const most = kind === 'elsewhere' ? MOST_ELSEWHERE : await settingOf<number>(tx, tenant, bc, 'unmaskDaily')
  const n = await looksToday(tx, call, kind)
  if (n >= most)
    throw new Refused(
      kind === 'number'
        ? `您今天已查看 ${n} 个客户电话，每天最多 ${most} 个，请找分公司总经理`
        : `您今天查找的电话太多（${n} 个），请明天再试`,
    )
  if (kind === 'elsewhere' || n + 1 < most) return
  const place = { bc_id: bc }
  await notify(tx, {
    tenant,
    actor: id,
    user: await leadersOf(tx, { tenant, page: 'CustomerList', place }),
    title: `${nickname} 今天已查看 ${most} 个客户电话，到了每天的上限`,
    link: linkTo('CustomerList', { consultant_id: id }),
  })
}

/** A look is counted so long; what was read and why stays in the log. */
export const forgetLooks = (tx: Tx, tenant: string) =>
  tx.run(
    'customers.forgetlooks',
    `DELETE FROM customer_looks WHERE tenant_id = $1 AND at < :now - interval '${KEPT_DAYS.customerLooks} days'`,
    [tenant],
  )
