import { discountKind } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { compare, isZero, minus, share, sum } from '@zhuguan/contract/kit/money.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import type { Tx } from '../../database/connect.ts'
import { actorAt } from '../../kit/reach.ts'
import { refuse } from '../../kit/refuse.ts'
import type { Call } from '../../kit/serve.ts'
import { givingOf } from '../roles/roles.reads.ts'
import type { Priced } from './pricing.service.ts'

const RIGHT = 'quotation:discount'
/** The part of a document's discount that somebody with the right to gave away. */
export interface Allowed {
  rounding: string
  given: string
}
export const NOTHING_ALLOWED: Allowed = { rounding: '0', given: '0' }
export const allowedOf = (one: { allowedRounding: string; allowedGiven: string }): Allowed => ({
  rounding: one.allowedRounding,
  given: one.allowedGiven,
})
/**
 * The amount that is given away: rounded off, offered, and under the list; `list` is what stands on the list in
 * all.
 */
export interface Giving {
  rounding: string
  offers: string
  below: string
  belowLines: number
  list: string
}
type Place = { bc_id: string; store_id: string | null }
const more = (a: string, b: string) => (compare(a, b) > 0 ? a : b)

/**
 * A price under the list is the same right as a discount: without it both together keep within what the role allows,
 * or within what was given before by who has the right.
 */
export async function refuseBeyond(
  tx: Tx,
  call: Call,
  place: Place,
  g: Giving,
  allowed: Allowed,
): Promise<Allowed> {
  const given = sum([g.offers, g.below])
  if (hasPermission(actorAt(call.user, place), RIGHT)) return { rounding: g.rounding, given }
  if (compare(g.rounding, allowed.rounding) <= 0 && compare(given, allowed.given) <= 0) return allowed
  const { givePercent, roundOff, who } = await givingOf(tx, call.user.tenant, call.user.id, {
    ...place,
    label: RIGHT,
  })
  const ask = `请减少，或请有“优惠/抹零”权限的人办理${who && `（${who}）`}`
  if (compare(g.rounding, more(roundOff, allowed.rounding)) > 0)
    refuse(`抹零共 ${grouped(g.rounding)} 元，超过您的上限 ${grouped(roundOff)} 元；${ask}`)
  const most = share(g.list, givePercent)
  if (compare(given, more(most, allowed.given)) <= 0) return allowed
  const parts = [
    !isZero(g.offers) && `优惠 ${grouped(g.offers)} 元`,
    g.belowLines > 0 && `${g.belowLines} 行低于售价共 ${grouped(g.below)} 元`,
  ].filter(Boolean)
  refuse(
    `让利共 ${grouped(given)} 元（${parts.join('，')}），超过您的上限 ${givePercent}%（${grouped(most)} 元）；${ask}`,
  )
  return allowed
}

/** Told to whoever judges it. */
export const belowText = (lines: number, below: string): string =>
  `低于售价 ${lines} 行，共 −${grouped(below)} 元`
const offered = ({ content }: Priced, kind: (typeof discountKind.values)[number]) =>
  sum(content.discounts.filter((d) => d.kind === kind).map((d) => d.amount))
export async function refuseGiving(
  tx: Tx,
  call: Call,
  place: Place,
  worked: Priced,
  allowed: Allowed,
): Promise<Allowed> {
  const { below, belowLines, discount, total } = worked.sum
  const before = minus(total, discount)
  refuse(
    compare(total, '0') < 0 && compare(before, '0') >= 0
      ? `优惠 ${grouped(minus('0', discount))} 元超过了报价 ${grouped(before)} 元，总价不能小于 0`
      : undefined,
    400,
  )
  const giving = {
    below,
    belowLines,
    rounding: offered(worked, discountKind.code.rounding),
    offers: offered(worked, discountKind.code.offer),
    list: sum([before, below]),
  }
  return refuseBeyond(tx, call, place, giving, allowed)
}
