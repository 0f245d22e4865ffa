import { discountKind } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { attribute, unitPriceText } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import type {
  SharedLine,
  SharedQuotation,
} from '@zhuguan/contract/features/quotations/shared-quotation.record.ts'
import { grouped, priceText } from '@zhuguan/contract/kit/digits.ts'

import type { Tx } from '../../database/connect.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'
import { type Content, contentOf, type KeptLine } from './content.queries.ts'
import { quotationAt, quotationOfVersion, type ShownQuotation } from './quotations.queries.ts'

const lineOf = (line: KeptLine, rooms: ReadonlyMap<string, string>): SharedLine => ({
  room: rooms.get(line.room_id ?? '') ?? '全屋',
  attribute: attribute.label(line.attribute),
  name: line.name,
  detail: line.detail,
  remark: line.remark,
  unit: line.unit,
  quantity: grouped(line.priced),
  price: unitPriceText(line),
  // Lines of the package say their quantity and no amount.
  amount: line.attribute === attribute.code.package ? '' : grouped(line.amount),
})
const sum = (title: string, amount: string) => ({ title, amount: grouped(amount) })

/** The paper's words to the customer about its prices. */
function prices(q: ShownQuotation, { discounts, lines, rooms }: Content) {
  const names = new Map(rooms.map((room) => [room.id, room.name]))
  const of = (counts: boolean) =>
    lines.filter((line) => line.counts === counts).map((line) => lineOf(line, names))
  return {
    total: grouped(q.total),
    steps: [
      sum('套餐价', q.package),
      sum('减项', q.removed),
      sum('部分调整', q.adjusted),
      sum('增项', q.added),
      sum('优惠', q.discount),
    ],
    lines: of(true),
    others: of(false),
    sums: [
      ...discounts.map((d) => ({
        title: `${discountKind.label(d.kind)}：${d.reason}`,
        amount: `-${priceText(d.amount)}`,
      })),
      sum(`其中税额（${q.taxPercent}%）`, q.tax),
      ...(q.perSquareMetre === null ? [] : [sum('每平米', q.perSquareMetre)]),
    ],
  }
}
const NO_PRICES = { total: '', steps: [], lines: [], others: [], sums: [] }

/**
 * One version for whoever has its link: as its paper says it to the customer, without costs and without names of ours;
 * past its last day no price at all.
 */
export async function sharedQuotation(
  tx: Tx,
  tenant: string,
  version_id: string,
  now: Date,
): Promise<SharedQuotation | undefined> {
  const id = await quotationOfVersion(tx, tenant, version_id)
  const q = id && (await quotationAt(tx, wholeGroup(tenant), { id, version_id }))
  if (!q) return undefined
  const expired = q.validUntil < shanghaiDay(now)
  return {
    code: q.code,
    number: q.shown,
    community: q.community,
    area: grouped(q.area),
    packageName: q.packageName,
    validUntil: q.validUntil,
    expired,
    remark: expired ? '' : q.remark,
    ...(expired ? NO_PRICES : prices(q, await contentOf(tx, tenant, version_id))),
  }
}
