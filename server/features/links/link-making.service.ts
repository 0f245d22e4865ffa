import type { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { LINK_HOURS, linkKind } from '@zhuguan/contract/features/links/links.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import type { LinkKind, LinkTarget } from '../../kit/link-kind.ts'
import { invalid, Refused } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { unlessRefusing } from '../customers/customers.reads.ts'
import { tellShared } from './link-secrets.service.ts'
import { addLink, countAlive, revokeAll } from './links.queries.ts'
import { derivedToken, newToken } from './links.service.ts'

type Body = BodyOf<typeof linksApi.create>
const HOUR_MS = 3_600_000
/** Of one record; who needs more has lost sight of them. A case is shown to many. */
const MOST_ALIVE = { staff: 20, customers: 200 }
const NOT_GOODS = '这张单已经取消或退回，不能再发链接'

interface Chosen {
  id: string
  name: string
}
interface Making {
  kind: LinkKind
  of: LinkTarget
  password: string | null
  /** A customer in the caller's reach. */
  chosen: Chosen | undefined
}

/** When it ends: after the hours that were asked for, or the usual ones of its kind, or with what it leads to. */
async function endOf(tx: Tx, call: Call, kind: LinkKind, body: Body): Promise<Date> {
  const { tenant } = call.user
  const { most, usual } = LINK_HOURS[body.kind]
  const now = call.now().getTime()
  const latest = await kind.until?.(tx, tenant, body.target_id)
  const begins = body.hours ? null : await kind.begins?.(tx, tenant, body.target_id)
  const usually = Math.min(Math.max(now, begins?.getTime() ?? now) + usual * HOUR_MS, now + most * HOUR_MS)
  const asked = body.hours ? now + body.hours * HOUR_MS : usually
  const end = new Date(Math.min(asked, latest?.getTime() ?? asked))
  if (end <= call.now())
    throw new Refused(kind.over ?? '保修期已经结束，或者合同终止已满 30 天，不能再发链接')
  return end
}

/** The person whom it is for: the customer of what it shows, or the one who is chosen. */
const forWhom = (of: LinkTarget, body: Body, chosen: Chosen | undefined) => ({
  customer: of.customer_id === undefined ? (chosen?.id ?? null) : of.customer_id,
  person: of.person ?? (body.person || chosen?.name || ''),
})

/** A new link to what the caller may send; `own` is the call in the reach of the target. */
export async function makeLink(
  tx: Tx,
  { call, own, secretKey }: { call: Call; own: Call; secretKey: Buffer },
  { chosen, kind, of, password }: Making,
  body: Body,
): Promise<{ id: string; token: string; expiresAt: number }> {
  const { tenant } = call.user
  const { kind: name, most, target_id: target } = body
  const id = call.newId()
  const isOver =
    !(await kind.lives(tx, tenant, target)) || (await kind.mayBegin?.(tx, tenant, target)) === false
  if (isOver) throw new Refused(kind.over ?? NOT_GOODS)
  if (!password && (await kind.needsPassword?.(tx, tenant, target)))
    throw invalid('password', '看得到报价的链接必须设密码（4-20 位字母或数字）')
  if (kind.held && (await kind.held(tx, tenant, target)) !== of.bc_id)
    throw new Refused('刚刚转到了另一个分公司，请刷新后再发链接')
  const end = await endOf(tx, call, kind, body)
  const { customer, person } = forWhom(of, body, chosen)
  await unlessRefusing(tx, tenant, customer)
  const alive = await countAlive(tx, tenant, name, target)
  await kind.madeBy?.(tx, own, target)
  const many = kind.visits ? MOST_ALIVE.customers : MOST_ALIVE.staff
  if (kind.alone) await revokeAll(tx, tenant, name, [target])
  else if (alive >= many)
    throw new Refused(
      kind.visits
        ? `这个${linkKind.label(name)}已有 ${many} 个能打开的链接，请先收回不用的`
        : `这张单已有 ${many} 个能打开的链接，请先收回不用的`,
    )
  const generation = kind.visits ? 1 : null
  const { hash, token } = generation ? derivedToken(secretKey, { tenant, id, generation }) : newToken(tenant)
  await addLink(tx, {
    tenant,
    id,
    bc: of.bc_id,
    kind: name,
    target,
    hash,
    expiresAt: end,
    most,
    password,
    person,
    generation,
    store: of.store_id ?? null,
    customer,
    title: of.title ?? '',
    by: call.user,
  })
  const expiresAt = Math.floor(end.getTime() / 1_000)
  await own.log(tx, {
    action: '新建链接',
    object: 'link',
    objectId: id,
    after: { kind: name, of: of.code, person, expiresAt, most, password: password ? '有' : '无' },
  })
  tellShared(tx, tenant, { bc: of.bc_id, id, kind: name })
  return { id, token, expiresAt }
}
