import { productStatus } from '@zhuguan/contract/features/products/products.record.ts'
import type { QuotationDetail } from '@zhuguan/contract/features/quotations/quotations.record.ts'

import type { Tx } from '../../database/connect.ts'
import type { Call } from '../../kit/serve.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { endedBecause, packageOf } from '../packages/packages.reads.ts'
import { productsById } from '../products/products.reads.ts'
import { contentOf, type KeptLine } from './content.queries.ts'
import { type ShownQuotation, quotationAt, versionsOf } from './quotations.queries.ts'
import { readsCosts } from './quotations.service.ts'

async function packageIn(tx: Tx, call: Call, id: string | null): Promise<QuotationDetail['package']> {
  const one =
    id === null ? undefined : await packageOf(tx, { ...call.user.scope, bcs: null, sites: null }, id)
  if (!one) return null
  const { name, number, perSquareMetre, leastArea, newer, newerNumber } = one
  return {
    id: one.id,
    name,
    number,
    perSquareMetre,
    leastArea,
    ended: endedBecause(one, shanghaiDay(call.now())),
    newer:
      newer === null
        ? null
        : {
            id: newer,
            number: newerNumber!,
          },
  }
}
/** The products of these lines that can be sold today. */
async function soldNow(
  tx: Tx,
  call: Call,
  one: ShownQuotation,
  lines: readonly KeptLine[],
): Promise<Set<string>> {
  const ids = [...new Set(lines.flatMap((line) => line.product_id ?? []))]
  const reader = { scope: call.user.scope, costs: false, bc: one.bc_id, today: shanghaiDay(call.now()) }
  const products = await productsById(tx, reader, ids)
  const isSold = (p: (typeof products)[number]) => p.status === productStatus.code.on && p.price !== null
  return new Set(products.filter(isSold).map((p) => p.id))
}

/** A quotation as this person may read it, at one of its versions. */
export async function quotationDetail(
  tx: Tx,
  call: Call,
  asked: { id: string; number?: number | undefined },
): Promise<QuotationDetail | undefined> {
  const one = await quotationAt(tx, call.user.scope, asked)
  if (!one) return undefined
  const { tenant } = call.user
  const costs = readsCosts(call, one)
  const { rooms, lines, discounts } = await contentOf(tx, tenant, one.version_id)
  const sold = await soldNow(tx, call, one, lines)
  const open = ({ costAmount: _cost, ...line }: KeptLine) => ({
    ...line,
    cost: costs ? line.cost : null,
    sold: line.product_id === null || sold.has(line.product_id),
  })
  const { removed, adjusted, added, discount, tax, perSquareMetre, cost, uncosted, package_id, ...rest } = one
  const { allowedRounding: _rounding, allowedGiven: _given, ...head } = rest
  const sum = {
    package: one.package,
    removed,
    adjusted,
    added,
    discount,
    total: one.total,
    tax,
    perSquareMetre,
    below: one.below,
    belowLines: one.belowLines,
  }
  return {
    ...head,
    margin: costs ? one.margin : null,
    package: await packageIn(tx, call, package_id),
    rooms,
    lines: lines.map(open),
    discounts,
    sum: {
      ...sum,
      ...(costs ? { cost, uncosted, margin: one.margin } : { cost: null, uncosted: null, margin: null }),
    },
    versions: await versionsOf(tx, tenant, one.id),
  }
}
