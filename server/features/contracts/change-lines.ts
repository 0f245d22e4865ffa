import type { ChangeLineFacts } from '@zhuguan/contract/features/contracts/changes.record.ts'
import {
  type ProductRow,
  productStatus,
  wordsOfProduct,
} from '@zhuguan/contract/features/products/products.record.ts'
import { contractAttribute } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { attribute, belowOf } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import * as money from '@zhuguan/contract/kit/money.ts'

import { invalid, outside, Refused, withinDigits } from '../../kit/refuse.ts'
import type { Giving } from '../quotations/giving.service.ts'
import type { Item, Line } from './changes.queries.ts'

const { added, adjusted, package: standing, removed } = attribute.code
const at = (i: number, field: string) => ['lines', i, field].join('.')
const nth = (i: number) => `第 ${i + 1} 行`

/** The goods of a line: those of the catalogue, or words of its own. */
function goodsOf(facts: ChangeLineFacts, i: number, products: ReadonlyMap<string, ProductRow>) {
  if (facts.product_id === null) {
    if (facts.name === '') throw invalid(at(i, 'name'), `${nth(i)}没有选商品，请写明名称`)
    if (facts.unit === '') throw invalid(at(i, 'unit'), `${nth(i)}没有选商品，请写明单位`)
    const { name, detail, unit, kind, stage } = facts
    return {
      name,
      detail,
      unit,
      kind,
      stage,
      product_id: null,
      code: '',
      receiver_id: null,
      receiverName: '',
      pack: null,
      cost: null,
      listPrice: null,
      contractAttribute: contractAttribute.code.special,
    }
  }
  const p = products.get(facts.product_id)
  if (!p) throw outside()
  if (p.status !== productStatus.code.on || p.price === null)
    throw invalid(at(i, 'product_id'), `${nth(i)}：“${p.name}”已下架或没有定价`)
  const { code, name, unit, kind, receiver_id, receiverName, pack, cost } = p
  return {
    code,
    name,
    unit,
    kind,
    receiver_id,
    receiverName,
    pack,
    cost,
    product_id: p.id,
    listPrice: p.price,
    stage: facts.stage ?? p.stage,
    detail: wordsOfProduct(p),
    contractAttribute: contractAttribute.code.standard,
  }
}

function itemOf(facts: ChangeLineFacts, i: number, items: ReadonlyMap<string, Item>): Item {
  if (facts.item_id === null) throw invalid(at(i, 'item_id'), `${nth(i)}要指明是合同里的哪一项`)
  const item = items.get(facts.item_id)
  if (!item) throw outside()
  if (item.attribute === removed)
    throw invalid(at(i, 'item_id'), `${nth(i)}：“${item.name}”已经是减项，不能再变更；要加回来请用增项`)
  return item
}

/** A unit of an item as it stands in the contract. */
export const priceOf = (item: Pick<Item, 'attribute' | 'price' | 'packagePrice'>): string =>
  item.attribute === standing ? (item.packagePrice ?? item.price) : item.price

interface Known {
  items: ReadonlyMap<string, Item>
  products: ReadonlyMap<string, ProductRow>
}
/** The quantity and the amount that lines before this one take of an item. */
type Used = Map<string, { quantity: string; amount: string }>
/** Given back at the price that it was sold for, it never comes to more than was asked for it. */
const isAtItsPrice = (item: Item): boolean => item.attribute === added && item.removalPrice === null
/** The last of it takes what is left of its amount: cents that were rounded away come back, and no others. */
function backOf(item: Item, quantity: string, used: Used): string {
  const amount = money.amountOf(quantity, item.removalPrice ?? priceOf(item))
  if (!isAtItsPrice(item)) return amount
  const before = used.get(item.id) ?? { quantity: '0', amount: '0' }
  const taken = money.total([before.quantity, quantity])
  const rest = money.minus(item.leftAmount, before.amount)
  const isLast = money.compare(taken, item.left) === 0
  const back = isLast || money.compare(amount, rest) > 0 ? rest : amount
  used.set(item.id, { quantity: taken, amount: money.sum([before.amount, back]) })
  return back
}
/** One line worked out: what it says, what it comes to, and what is ordered for it. */
function lineOf(facts: ChangeLineFacts, i: number, id: string, known: Known & { used: Used }): Line {
  if (money.isZero(facts.quantity)) throw invalid(at(i, 'quantity'), `${nth(i)}的数量应大于 0`)
  const common = { id, attribute: facts.attribute, quantity: facts.quantity, remark: facts.remark }
  if (facts.attribute === added) {
    const goods = goodsOf(facts, i, known.products)
    const priced = money.withWaste(facts.quantity, facts.waste)
    const ordered = money.inPacks(priced, goods.pack)
    const amount = money.amountOf(priced, facts.price)
    return {
      ...common,
      ...goods,
      item_id: null,
      waste: facts.waste,
      priced,
      ordered,
      price: facts.price,
      before: null,
      amount,
    }
  }
  const item = itemOf(facts, i, known.items)
  if (facts.attribute === adjusted) {
    const goods = goodsOf(facts, i, known.products)
    if (goods.unit !== item.unit)
      throw invalid(
        at(i, 'product_id'),
        `${nth(i)}：“${goods.name}”按${goods.unit}计，原项按${item.unit}计，不能直接替换`,
      )
    const before = priceOf(item)
    return {
      ...common,
      ...goods,
      item_id: item.id,
      waste: '0',
      priced: facts.quantity,
      price: facts.price,
      before,
      ordered: money.inPacks(facts.quantity, goods.pack),
      amount: money.differenceOf(facts.quantity, facts.price, before),
    }
  }
  const price = item.removalPrice ?? priceOf(item)
  const amount = backOf(item, facts.quantity, known.used)
  const { code, name, detail, unit, kind, stage, receiver_id, receiverName, pack, product_id } = item
  return {
    ...common,
    code,
    name,
    detail,
    unit,
    kind,
    stage,
    receiver_id,
    receiverName,
    pack,
    product_id,
    price,
    contractAttribute: item.contractAttribute,
    item_id: item.id,
    waste: '0',
    priced: facts.quantity,
    ordered: money.inPacks(facts.quantity, pack),
    before: null,
    cost: null,
    listPrice: null,
    amount: money.negated(amount),
  }
}

/** Every line worked out; a number that is too long is refused. */
export function linesFrom(facts: readonly ChangeLineFacts[], newId: () => string, known: Known): Line[] {
  const used: Used = new Map()
  return withinDigits(() => facts.map((f, i) => lineOf(f, i, newId(), { ...known, used })))
}

/** What lines take of each item, and what is left to be ordered of it then. */
export interface Taken {
  item: Item
  quantity: string
  orderedLeft: string
}
/** More than is left of an item, or than deliveries leave free, cannot be taken. */
export function takenBy(
  lines: readonly Line[],
  items: ReadonlyMap<string, Item>,
  committed: ReadonlyMap<string, string>,
): Taken[] {
  const ids = [...new Set(lines.flatMap((l) => l.item_id ?? []))]
  return ids.map((id) => {
    const item = items.get(id)!
    const quantity = money.total(lines.filter((l) => l.item_id === id).map((l) => l.priced))
    if (money.compare(quantity, item.left) > 0)
      throw new Refused(
        `“${item.name}”只剩 ${item.left} ${item.unit}，不能变更 ${quantity} ${item.unit}`,
        400,
      )
    const back = lines.filter((l) => l.item_id === id && l.attribute === removed).map((l) => l.amount)
    if (isAtItsPrice(item) && money.compare(money.negated(money.sum(back)), item.leftAmount) > 0)
      throw new Refused(
        `“${item.name}”的金额只剩 ${grouped(item.leftAmount)} 元（别的变更已经减过），请重新编辑变更单再提交`,
      )
    const left = money.less(item.left, quantity)
    const held = committed.get(id) ?? '0'
    // What deliveries hold is paid for but for what the last pack holds beyond the quantity that was sold.
    const spare = money.less(item.orderedLeft, item.left)
    const least = money.isZero(held) ? '0' : money.less(held, spare)
    if (money.compare(left, least) < 0)
      throw new Refused(
        `“${item.name}”已下单 ${held} ${item.unit}，变更后只剩 ${left} ${item.unit}；请先撤回、结束剩余或退货`,
      )
    const packs = money.compare(left, least) === 0 ? held : money.inPacks(left, item.pack)
    const orderedLeft = money.compare(packs, item.orderedLeft) < 0 ? packs : item.orderedLeft
    return { item, quantity, orderedLeft }
  })
}

/** What lines give away, and what they would come to by the list. */
export function givingOf(lines: readonly Line[]): Giving {
  const sold = lines.filter((l) => l.attribute !== removed)
  const under = sold.map((l) => belowOf(l, l.priced))
  const below = money.sum(under)
  return {
    below,
    belowLines: under.filter((b) => !money.isZero(b)).length,
    rounding: '0',
    offers: '0',
    list: money.sum([...sold.map((l) => money.amountOf(l.priced, l.price)), below]),
  }
}
