import type { PackageItem } from '@zhuguan/contract/features/packages/packages.record.ts'
import {
  type ProductRow,
  productStatus,
  wordsOfProduct,
} from '@zhuguan/contract/features/products/products.record.ts'
import { documentOf, inputOf } from '@zhuguan/contract/features/quotations/quotations.content.ts'
import {
  contractAttribute,
  type LineFacts,
  type LineFixed,
  type QuotationContent,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import {
  attribute,
  type DocumentSum,
  sumDocument,
} from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { compare } from '@zhuguan/contract/kit/money.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { found, invalid, outside, Refused, withinDigits } from '../../kit/refuse.ts'
import { packageItems, packageOf, type SoldPackage } from '../packages/packages.reads.ts'
import { productsById, receiversOf } from '../products/products.reads.ts'
import type { Content, KeptLine } from './content.queries.ts'

/** The person who writes what for which branch, and what stands there already. */
export interface Writing {
  scope: Scope
  bc: string
  today: string
  /** Reads and writes costs. */
  costs: boolean
  kept: readonly KeptLine[]
  keptPackage: string | null
}
export interface Priced {
  content: Content
  fixed: LineFixed[]
  sum: DocumentSum
  package: SoldPackage | undefined
  items: PackageItem[]
}
const { added, adjusted, removed } = attribute.code
const at = (i: number, field: string) => ['lines', i, field].join('.')

async function soldPackage(tx: Tx, w: Writing, id: string | null): Promise<SoldPackage | undefined> {
  if (id === null) return undefined
  const one = found(await packageOf(tx, w.scope, id))
  // What stood there before stays, wherever the branch may have gone since.
  if (id !== w.keptPackage && one.bc_id !== null && one.bc_id !== w.bc) throw outside()
  return one
}
function refuseTwice(list: readonly { id: string }[], what: string): void {
  if (new Set(list.map((one) => one.id)).size < list.length)
    throw new Refused(`${what}的行号有重复，请刷新页面后再试`, 400)
}
function checkShape({ rooms, lines, discounts }: QuotationContent): void {
  refuseTwice(rooms, '房间')
  refuseTwice(lines, '报价项')
  refuseTwice(discounts, '优惠')
  const known = new Set(rooms.map((r) => r.id))
  lines.forEach((line, i) => {
    if (line.room_id !== null && !known.has(line.room_id))
      throw invalid(at(i, 'room_id'), `第 ${i + 1} 行的房间不在这张报价单里`)
  })
}

interface Known {
  products: ReadonlyMap<string, ProductRow>
  items: ReadonlyMap<string, PackageItem>
  kept: ReadonlyMap<string, KeptLine>
  receivers: ReadonlyMap<string, string>
}
async function known(tx: Tx, w: Writing, content: QuotationContent, items: PackageItem[]): Promise<Known> {
  const ids = [...content.lines, ...items].flatMap((one) => one.product_id ?? [])
  const reader = { scope: w.scope, costs: true, bc: w.bc, today: w.today }
  const products = await productsById(tx, reader, [...new Set(ids)])
  const kept = new Map(w.kept.map((line) => [line.id, line]))
  const receivers = new Map<string, string>()
  for (const line of content.lines) {
    const id = line.contractAttribute === contractAttribute.code.special ? line.receiver_id : null
    if (id === null || receivers.has(id)) continue
    const one = (await receiversOf(tx, w.scope, { id }))[0]
    const before = kept.get(line.id)
    if (!one && before?.receiver_id !== id) throw outside()
    receivers.set(id, one?.name ?? before?.receiverName ?? '')
  }
  return {
    products: new Map(products.map((p) => [p.id, p])),
    items: new Map(items.map((item) => [item.id, item])),
    kept,
    receivers,
  }
}

/** The package's values for a line that stands in it. */
function ofPackage(line: LineFacts, i: number, k: Known): Pick<LineFixed, 'packagePrice' | 'removalPrice'> {
  if (line.attribute === added) return { packagePrice: null, removalPrice: null }
  const item = line.item_id === null ? undefined : k.items.get(line.item_id)
  if (!item) throw invalid(at(i, 'item_id'), `第 ${i + 1} 行要指明是套餐里的哪一项；不在套餐里的请选“增项”`)
  if (line.attribute !== adjusted && line.product_id !== item.product_id)
    throw invalid(at(i, 'product_id'), `第 ${i + 1} 行换了商品，请把属性改为“部分调整”`)
  // What is left out is paid back as the package has it: no more of it is cut off than there.
  if (line.attribute === removed && compare(line.waste, item.waste) > 0)
    throw invalid(at(i, 'waste'), `第 ${i + 1} 行是减项，损耗不能大于套餐里的 ${item.waste}%`)
  const product = k.products.get(item.product_id)
  const packagePrice = product?.price ?? null
  return { packagePrice, removalPrice: item.removalPrice ?? product?.removalPrice ?? packagePrice }
}

function standardLine(line: LineFacts, i: number, w: Writing, k: Known): LineFixed {
  if (line.product_id === null) throw invalid(at(i, 'product_id'), `第 ${i + 1} 行是标准项，请选择商品`)
  const relation = ofPackage(line, i, k)
  const p = k.products.get(line.product_id)
  const before = k.kept.get(line.id)
  const isHere = p !== undefined && (p.bc_id === null || p.bc_id === w.bc)
  if (!isHere) {
    // It was there when it was chosen; nobody who may not see it can choose it now.
    if (before?.product_id !== line.product_id) throw outside()
    return { ...before, ...relation, sold: false }
  }
  const { id } = line
  const { code, name, unit, kind, stage, receiver_id, receiverName, pack, cost } = p
  return {
    id,
    code,
    name,
    unit,
    kind,
    stage,
    receiver_id,
    receiverName,
    pack,
    cost,
    detail: wordsOfProduct(p),
    listPrice: p.price,
    ...relation,
    sold: p.status === productStatus.code.on && p.price !== null,
  }
}

function specialLine(line: LineFacts, i: number, w: Writing, k: Known): LineFixed {
  if (line.attribute !== added && line.attribute !== adjusted)
    throw invalid(at(i, 'attribute'), `第 ${i + 1} 行是非标项，属性只能是“部分调整”或“增项”`)
  if (line.product_id !== null) throw invalid(at(i, 'product_id'), `第 ${i + 1} 行是非标项，不能选商品`)
  if (line.name === '') throw invalid(at(i, 'name'), `第 ${i + 1} 行的名称不能为空`)
  if (line.unit === '') throw invalid(at(i, 'unit'), `第 ${i + 1} 行的单位不能为空`)
  const keptCost = k.kept.get(line.id)?.cost ?? null
  const cost = w.costs && line.cost !== undefined ? line.cost : keptCost
  const { id, name, detail, unit, kind, stage, receiver_id } = line
  return {
    id,
    name,
    detail,
    unit,
    kind,
    stage,
    receiver_id,
    cost,
    code: '',
    receiverName: receiver_id === null ? '' : (k.receivers.get(receiver_id) ?? ''),
    pack: null,
    listPrice: null,
    ...ofPackage(line, i, k),
    sold: true,
  }
}

/** A clerk's lines, with what the catalogue and the package say of them today, worked out. */
export async function priced(tx: Tx, w: Writing, content: QuotationContent): Promise<Priced> {
  checkShape(content)
  const sold = await soldPackage(tx, w, content.package_id)
  const items = sold ? await packageItems(tx, w.scope.tenant, sold.id) : []
  const k = await known(tx, w, content, items)
  const isStandard = (line: LineFacts) => line.contractAttribute === contractAttribute.code.standard
  const fixed = content.lines.map((line, i) => (isStandard(line) ? standardLine : specialLine)(line, i, w, k))
  const lines = content.lines.map((line, i) => inputOf(line, fixed[i]!))
  const sum = withinDigits(() => sumDocument(documentOf(content, sold ?? null, lines)))
  return {
    sum,
    fixed,
    package: sold,
    items,
    content: {
      rooms: content.rooms,
      discounts: content.discounts,
      lines: content.lines.map((line, i) => {
        const { sold: _, ...known } = fixed[i]!
        const { priced, ordered, amount, cost: costAmount } = sum.lines[i]!
        const item_id = line.attribute === added ? null : line.item_id
        return { ...line, ...known, item_id, priced, ordered, amount, costAmount }
      }),
    },
  }
}
