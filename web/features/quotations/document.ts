import type { PackageDetail } from '@zhuguan/contract/features/packages/packages.record.ts'
import { type ProductRow, wordsOfProduct } from '@zhuguan/contract/features/products/products.record.ts'
import type { ComparedLine } from '@zhuguan/contract/features/quotations/quotations.compare.ts'
import { documentOf, inputOf } from '@zhuguan/contract/features/quotations/quotations.content.ts'
import {
  contractAttribute,
  type DiscountFacts,
  type LineFacts,
  type LineFixed,
  type QuotationContent,
  type QuotationDetail,
  type QuotationLine,
  type RoomFacts,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { attribute, sumDocument, sumLine } from '@zhuguan/contract/features/quotations/quotations.sum.ts'

import { once } from '../../kit/once.ts'

/** A line as it is written: what the clerk says, and what the server knows of it. */
export type Line = Omit<QuotationLine, 'priced' | 'ordered' | 'amount'>
export type Sold = Pick<PackageDetail, 'id' | 'name' | 'number' | 'perSquareMetre' | 'leastArea'>
/** All that stands on the page and can be undone. */
export interface Written {
  customer_id: string
  sold: Sold | null
  area: string
  taxPercent: string
  validUntil: string
  remark: string
  rooms: readonly RoomFacts[]
  lines: readonly Line[]
  discounts: readonly DiscountFacts[]
}

export const writtenOf = (detail: QuotationDetail): Written => ({
  customer_id: detail.customer_id,
  sold: detail.package,
  area: detail.area,
  taxPercent: detail.taxPercent,
  validUntil: detail.validUntil,
  remark: detail.remark,
  rooms: detail.rooms,
  lines: detail.lines,
  discounts: detail.discounts,
})

/** Nothing has been written into it yet: it is not sent. */
const isBlank = (line: Line) => line.product_id === null && line.name.trim() === ''
export const isSpecial = (line: Line): boolean => line.contractAttribute === contractAttribute.code.special
/** A line's own words; of a cost only who may read it sees something. */
function factsOf(line: Line, seesCosts: boolean): LineFacts {
  const { id, room_id, attribute: kind, contractAttribute: standard, item_id, product_id, name } = line
  const { detail, unit, kind: goods, stage, receiver_id, quantity, waste, price, counts, remark } = line
  return {
    id,
    room_id,
    attribute: kind,
    contractAttribute: standard,
    item_id,
    product_id,
    name,
    detail,
    unit,
    kind: goods,
    stage,
    receiver_id,
    quantity,
    waste,
    price,
    counts,
    remark,
    ...(seesCosts && isSpecial(line) ? { cost: line.cost } : {}),
  }
}
/** Lines are never changed, only replaced: of five hundred one is worked out anew when one is written. */
const facts = {
  open: once((line: Line) => factsOf(line, false)),
  costs: once((line: Line) => factsOf(line, true)),
}
export const contentOf = (w: Written, seesCosts: boolean): QuotationContent => ({
  package_id: w.sold?.id ?? null,
  area: w.area,
  taxPercent: w.taxPercent,
  validUntil: w.validUntil,
  remark: w.remark,
  rooms: w.rooms.filter((room) => room.name !== ''),
  lines: w.lines.filter((line) => !isBlank(line)).map(seesCosts ? facts.costs : facts.open),
  discounts: w.discounts.filter((d) => d.reason !== '' || d.amount !== '0'),
})

/** The values of a line that nobody knows yet. */
const UNKNOWN: Omit<LineFixed, 'id' | 'name' | 'detail' | 'unit' | 'kind' | 'stage' | 'receiver_id'> = {
  code: '',
  receiverName: '',
  pack: null,
  listPrice: null,
  packagePrice: null,
  removalPrice: null,
  cost: null,
  sold: true,
}
export const lineOf = (facts: LineFacts, known?: Line): Line => ({
  ...UNKNOWN,
  ...known,
  ...facts,
  cost: facts.cost ?? known?.cost ?? null,
})

/** The content again as it stands on the page; `known` are lines that the server or the page has said more of. */
export function fromContent(
  content: QuotationContent,
  customer_id: string,
  known: readonly Line[],
  sold: readonly (Sold | null)[],
): Written {
  const byId = new Map(known.map((line) => [line.id, line]))
  return {
    customer_id,
    sold: sold.find((s) => s?.id === content.package_id) ?? null,
    area: content.area,
    taxPercent: content.taxPercent,
    validUntil: content.validUntil,
    remark: content.remark,
    rooms: content.rooms,
    lines: content.lines.map((facts) => lineOf(facts, byId.get(facts.id))),
    discounts: content.discounts,
  }
}
const says = (line: Line, more: Partial<Line>) =>
  Object.entries(more).every(([key, value]) => line[key as keyof Line] === value)
/** With what the server answered of the lines that it was sent; one that has another product since is left alone. */
export function withFixed(w: Written, fixed: readonly LineFixed[], sent: QuotationContent): Written {
  const byId = new Map(fixed.map((f) => [f.id, f]))
  const asked = new Map(sent.lines.map((l) => [l.id, l]))
  const lines = w.lines.map((line) => {
    const [f, was] = [byId.get(line.id), asked.get(line.id)]
    if (!f || was?.product_id !== line.product_id || was.item_id !== line.item_id) return line
    const own = isSpecial(line)
      ? { ...f, name: line.name, detail: line.detail, unit: line.unit, kind: line.kind, stage: line.stage }
      : f
    const next = { ...own, ...(isSpecial(line) && { cost: line.cost, receiver_id: line.receiver_id }) }
    return says(line, next) ? line : { ...line, ...next }
  })
  return lines.every((line, i) => line === w.lines[i]) ? w : { ...w, lines }
}

/** A line as a product of the catalogue says it, beside the package or in the place of what stood there. */
export const withProduct = (line: Line, p: ProductRow): Line => ({
  ...line,
  contractAttribute: contractAttribute.code.standard,
  product_id: p.id,
  code: p.code,
  name: p.name,
  detail: wordsOfProduct(p),
  unit: p.unit,
  kind: p.kind,
  stage: p.stage,
  receiver_id: p.receiver_id,
  receiverName: p.receiverName,
  pack: p.pack,
  listPrice: p.price,
  price: p.price ?? '0',
  cost: p.cost,
  sold: true,
})
/** What the catalogue does not have, by its name. */
export const asSpecial = (line: Line, name: string): Line => ({
  ...line,
  ...UNKNOWN,
  cost: line.cost,
  contractAttribute: contractAttribute.code.special,
  product_id: null,
  name,
})
export const newId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = [...bytes].map((b) => b.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
export const blankLine = (after: Line | undefined): Line => ({
  ...UNKNOWN,
  id: newId(),
  room_id: after?.room_id ?? null,
  attribute: attribute.code.added,
  contractAttribute: contractAttribute.code.special,
  item_id: null,
  product_id: null,
  name: '',
  detail: '',
  unit: '',
  kind: 'main',
  stage: null,
  receiver_id: null,
  quantity: '1',
  waste: '0',
  price: '0',
  counts: true,
  remark: '',
})

const inputOfLine = once((line: Line) => inputOf(line, line))
const sumOfLine = once(sumLine)
export const summed = (w: Written) =>
  sumDocument(
    documentOf(
      { area: w.area, discounts: [...w.discounts], taxPercent: w.taxPercent },
      w.sold,
      w.lines.map(inputOfLine),
    ),
    sumOfLine,
  )
export type Summed = ReturnType<typeof summed>

const WHOLE = '全屋'
export const roomName = (rooms: readonly RoomFacts[], id: string | null): string =>
  id === null ? WHOLE : (rooms.find((r) => r.id === id)?.name ?? '（已删的房间）')
/** The lines as the bridge and a comparison tell them. */
export const comparedOf = (w: Written, sum: Summed): ComparedLine[] =>
  w.lines.map((line, i) => ({
    ...line,
    priced: sum.lines[i]!.priced,
    amount: sum.lines[i]!.amount,
    room: roomName(w.rooms, line.room_id),
  }))
