import { KEPT_DAYS } from '@zhuguan/contract/features/keeping/keeping.record.ts'
import { isPhone, plainPhone } from '@zhuguan/contract/kit/fields.ts'
import { maskPhone } from '@zhuguan/contract/kit/masked.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { Refused } from '../../kit/refuse.ts'
import { bool, int4, row } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { dayBegins, TODAY } from '../../kit/statement.ts'
import { leadersOf, notify } from '../notifications/notifications.service.ts'
import { numberDigest } from '../persons/erasures.service.ts'
import { settingOf } from '../settings/settings.reads.ts'
import { holdPeople } from './holding.queries.ts'

/**
 * A number that was read; one of which somebody asked whether it is known; one that was looked for in the own list;
 * those that an import heard were known.
 */
type Look = 'asked' | 'import' | 'number' | 'search'
/** So many numbers a person asks for a day: whoever types one after the other learns who is a customer. */
const MOST_A_DAY = { asked: 200, search: 300 } as const
/** And so many a minute, whatever they are asked for: nobody types faster. */
const MOST_A_MINUTE = 60
/** So many known numbers a person's imports are told of a day. */
const MOST_IMPORTED = 50_000

async function looksSince(tx: Tx, { user }: Call, kinds: readonly Look[], since: string): Promise<number> {
  const { rows } = await tx.query(
    'customers.looks',
    row({ n: int4 }),
    `SELECT coalesce(sum(l.n), 0)::int AS n
     FROM customer_looks l
     WHERE l.tenant_id = $1 AND l.user_id = $2 AND l.kind = ANY ($3::text[]) AND l.at >= ${since}`,
    [user.tenant, user.id, kinds],
  )
  return rows[0]!.n
}
const today = dayBegins(TODAY)
const count = (tx: Tx, call: Call, kind: Look, of: { n?: number; digest?: string } = {}) =>
  tx.run(
    'customers.look',
    `INSERT INTO customer_looks (tenant_id, id, user_id, kind, at, n, digest) VALUES ($1, $2, $3, $4, :now, $5, $6)`,
    [call.user.tenant, call.newId(), call.user.id, kind, of.n ?? 1, of.digest ?? null],
  )

/** Numbers that are read: so many a day and no more, and with the last of them whoever leads the branch hears. */
export async function countReading(tx: Tx, call: Call, bc: string): Promise<void> {
  const { id, nickname, tenant } = call.user
  // One after the other: two at once are not both the last.
  await holdPeople(tx, tenant, [id])
  const most = await settingOf<number>(tx, tenant, bc, 'unmaskDaily')
  const n = await looksSince(tx, call, ['number'], today)
  if (n >= most) throw new Refused(`您今天已查看 ${n} 个客户电话，每天最多 ${most} 个，请找分公司总经理`)
  await count(tx, call, 'number')
  if (n + 1 < most) return
  await notify(tx, {
    tenant,
    actor: id,
    user: await leadersOf(tx, { tenant, page: 'CustomerList', place: { bc_id: bc } }),
    title: `${nickname} 今天已查看 ${most} 个客户电话，到了每天的上限`,
    link: linkTo('CustomerList', { consultant_id: id }),
  })
}

async function isCounted(tx: Tx, { user }: Call, kind: Look, digest: string): Promise<boolean> {
  const { rows } = await tx.query(
    'customers.looked',
    row({ looked: bool }),
    `SELECT EXISTS (SELECT FROM customer_looks l
       WHERE l.tenant_id = $1 AND l.user_id = $2 AND l.kind = $3 AND l.digest = $4 AND l.at >= ${today}) AS looked`,
    [user.tenant, user.id, kind, digest],
  )
  return rows[0]!.looked
}
export interface Asked {
  kind: 'asked' | 'search'
  phone: string
  secretKey: Buffer
  /** The list that was searched; customers where nothing is said. */
  among?: 'owner' | 'person' | 'worker'
}
const SEARCHED = {
  customer: '按电话找客户',
  owner: '按电话找业主',
  person: '按电话找本人记录',
  worker: '按电话找工人',
} as const
/**
 * Whether somebody is a customer is asked by their number: bounded, counted and in the log before the answer leaves,
 * the same number once a day. Counted by itself, so that what is refused afterwards counts as well.
 */
export const countAsking = (call: Call, { kind, phone, secretKey, among }: Asked): Promise<void> =>
  call.write(async (tx) => {
    const { id, tenant } = call.user
    await holdPeople(tx, tenant, [id])
    const digest = numberDigest(secretKey, tenant, phone)
    if (await isCounted(tx, call, kind, digest)) return
    const lately = await looksSince(tx, call, ['asked', 'search'], `:now - interval '1 minute'`)
    if (lately >= MOST_A_MINUTE) throw new Refused(`一分钟内查找了 ${lately} 个电话，请过一会儿再查`)
    const n = await looksSince(tx, call, [kind], today)
    if (n >= MOST_A_DAY[kind]) throw new Refused(`您今天查找的电话太多（${n} 个），请明天再试`)
    await count(tx, call, kind, { digest })
    await call.log(tx, {
      action: kind === 'asked' ? '查电话是否登记过' : SEARCHED[among ?? 'customer'],
      object: 'customer',
      objectId: id,
      after: { phone: maskPhone(phone) },
    })
  })

/** Words that are somebody's whole number find that one person: that is a look as well, in whichever list. */
export async function countSearch(
  call: Call,
  secretKey: Buffer,
  words: string | undefined,
  among?: Asked['among'],
): Promise<void> {
  const phone = plainPhone(words ?? '')
  if (isPhone(phone)) await countAsking(call, { kind: 'search', phone, secretKey, ...(among && { among }) })
}

/** What an import is told of numbers that are known already. */
export async function countImported(tx: Tx, call: Call, n: number): Promise<void> {
  if (n === 0) return
  const { id, tenant } = call.user
  await holdPeople(tx, tenant, [id])
  const before = await looksSince(tx, call, ['import'], today)
  if (before + n > MOST_IMPORTED)
    throw new Refused(`您今天导入时查出的已登记电话太多（${before} 个），请明天再试`)
  await count(tx, call, 'import', { n })
  await call.log(tx, {
    action: '导入核对电话',
    object: 'customer',
    objectId: id,
    after: { known: n },
  })
}

/** A look is counted so long; what was read and why stays in the log. */
export const forgetLooks = (tx: Tx, tenant: string) =>
  tx.run(
    'customers.forgetlooks',
    `DELETE FROM customer_looks WHERE tenant_id = $1 AND at < :now - interval '${KEPT_DAYS.customerLooks} days'`,
    [tenant],
  )
