import type { PackageDetail } from '@zhuguan/contract/features/packages/packages.record.ts'
import { productsApi } from '@zhuguan/contract/features/products/products.api.ts'
import {
  productKind,
  type ProductRow,
  wordsOfProduct,
} from '@zhuguan/contract/features/products/products.record.ts'
import { lineFacts, type RoomFacts } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { attribute, type LineSum } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { price } from '@zhuguan/contract/kit/decimals.ts'
import { grouped, priceText } from '@zhuguan/contract/kit/digits.ts'

import { call } from '../../kit/api.ts'
import { shapeOf } from '../../kit/no-schemas.ts'
import { checked } from '../../kit/sheet/checked.ts'
import type { Offer, Refused, SheetColumn } from '../../kit/sheet/column.ts'
import { UnitPrice } from '../../parts/UnitPrice.tsx'
import { asSpecial, isSpecial, type Line, roomName, withProduct } from './document.ts'
import { leftOut, restored } from './packageFit.ts'

export interface LineContext {
  rooms: readonly RoomFacts[]
  items: PackageDetail['items']
  bc: string
  sumOf: (line: Line) => LineSum | undefined
  seesCosts: boolean
}
const { package: inside, adjusted, added, removed } = attribute.code
const shape = shapeOf(lineFacts)
const TONES: Readonly<Record<number, string>> = {
  [inside]: 'attribute-package',
  [adjusted]: 'attribute-adjusted',
  [added]: 'attribute-added',
  [removed]: 'attribute-removed',
}
const has = (label: string, text: string) => label.includes(text.trim())
const listed =
  (labels: readonly string[]) =>
  (_row: Line, text: string): Offer[] =>
    labels.filter((l) => has(l, text)).map((l) => ({ key: l, text: l }))

/** A field of the line that is text or a number, checked as the contract says. */
function field(key: 'detail' | 'unit' | 'quantity' | 'waste' | 'price' | 'remark', empty?: string) {
  const check = checked(shape[key], empty)
  return {
    text: (line: Line) => line[key],
    put: (line: Line, text: string): Line | Refused => {
      const answer = check(text)
      return 'refused' in answer ? answer : { ...line, [key]: answer.value }
    },
  }
}
const ofCatalogue = (line: Line) =>
  isSpecial(line) ? undefined : '标准项按商品库，不能改；要另写请在名称里输入，变成非标项'
const checkName = checked(shape.name)
const checkCost = checked(price('成本单价'))

function withAttribute(line: Line, code: number, items: PackageDetail['items']): Line | Refused {
  const item = items.find((i) => i.id === line.item_id)
  if (line.item_id === null)
    return code === added ? { ...line, attribute: added } : { refused: '不是套餐里的项，只能是增项' }
  if (code === added) return { refused: '套餐里的项不能改成增项，请另加一行' }
  if (!item) return { refused: '还没有读到套餐内容，请稍候' }
  if (code === inside) return restored(line, item)
  if (code === removed) return leftOut(line)
  return {
    ...line,
    attribute: adjusted,
    price: line.attribute === adjusted ? line.price : (line.packagePrice ?? '0'),
  }
}

const ROOM_NEEDED = '没有这个房间；先在“房间”里加上'
const MOST_OFFERS = 12
const SPECIAL = 'special'
/** The branch's products of that name or code, and the same words as a line of its own. */
async function productOffers(text: string, bc: string, found: Map<string, ProductRow>): Promise<Offer[]> {
  const words = text.trim()
  if (words === '') return []
  const rows = await call(productsApi.pick, { query: { keyword: words, bc_id: bc } })
  for (const row of rows) found.set(row.id, row)
  const offers = rows.slice(0, MOST_OFFERS).map((p) => ({
    key: p.id,
    text: `${p.code} ${p.name}`,
    isExact: p.code === words.toUpperCase(),
    note: `${wordsOfProduct(p)}  ${priceText(p.price ?? '0')}/${p.unit}`,
  }))
  return [...offers, { key: SPECIAL, text: words, note: '作为非标项' }]
}

/** The person who takes orders of the branch. */
async function receiverOffers(text: string): Promise<Offer[]> {
  const found = await call(productsApi.receivers, { query: { keyword: text.trim() } })
  return found.slice(0, MOST_OFFERS).map((r) => ({ key: r.id, text: r.name, note: r.bc_name }))
}

function placeColumns({ rooms, items, bc }: LineContext): SheetColumn<Line>[] {
  const found = new Map<string, ProductRow>()
  const places = ['全屋', ...rooms.map((r) => r.name)]
  return [
    {
      key: 'room',
      title: '房间',
      width: 84,
      frozen: true,
      text: (line) => roomName(rooms, line.room_id),
      put: (line, text) => {
        if (text.trim() === '' || text.trim() === '全屋') return { ...line, room_id: null }
        const room = rooms.find((r) => r.name === text.trim())
        return room ? { ...line, room_id: room.id } : { refused: ROOM_NEEDED }
      },
      offers: listed(places),
    },
    {
      key: 'attribute',
      title: '属性',
      width: 86,
      text: (line) => attribute.label(line.attribute),
      tone: (line) => TONES[line.attribute],
      put: (line, text) => {
        const option = attribute.options.find((o) => o.label === text.trim())
        if (!option) return { refused: '属性应是套餐、部分调整、增项或减项' }
        return withAttribute(line, option.value, items)
      },
      offers: listed(attribute.options.map((o) => o.label)),
    },
    {
      key: 'name',
      title: '名称',
      width: 190,
      text: (line) => line.name,
      show: (line) => (
        <>
          {isSpecial(line) && line.name !== '' && <small className="special">非标</small>}
          {!line.sold && <small className="special bad">已下架</small>}
          {line.name}
        </>
      ),
      locked: (line) => (line.item_id === null ? undefined : '套餐里的项：用“换可选”换，用“减掉”去掉'),
      put: (line, text) => {
        const answer = checkName(text)
        return 'refused' in answer ? answer : asSpecial(line, answer.value)
      },
      offers: (_line, text) => productOffers(text, bc, found),
      take: (line, offer) => {
        const product = found.get(offer.key)
        return product ? withProduct(line, product) : asSpecial(line, offer.text)
      },
    },
  ]
}

/** The big sheet of a quotation, as the rooms, the package and the rights make it. */
export function lineColumns(context: LineContext): SheetColumn<Line>[] {
  const { sumOf, seesCosts } = context
  const costColumn: SheetColumn<Line> = {
    key: 'cost',
    title: '成本单价',
    width: 88,
    right: true,
    text: (line) => line.cost ?? '',
    show: (line) => (line.cost === null ? '--' : priceText(line.cost)),
    locked: (line) => (isSpecial(line) ? undefined : '标准项的成本按商品库'),
    put: (line, text) => {
      if (text.trim() === '') return { ...line, cost: null }
      const answer = checkCost(text)
      return 'refused' in answer ? answer : { ...line, cost: answer.value }
    },
  }
  return [
    ...placeColumns(context),
    { key: 'detail', title: '规格', width: 130, ...field('detail'), locked: ofCatalogue },
    { key: 'unit', title: '单位', width: 52, ...field('unit'), locked: ofCatalogue },
    { key: 'quantity', title: '数量', width: 76, right: true, ...field('quantity', '0') },
    { key: 'waste', title: '损耗 %', width: 64, right: true, ...field('waste', '0') },
    {
      key: 'priced',
      title: '计价量',
      width: 80,
      right: true,
      text: (line) => sumOf(line)?.priced ?? '',
    },
    {
      key: 'price',
      title: '单价',
      width: 140,
      right: true,
      ...field('price', '0'),
      show: (line) => priceShown(line),
      locked: (line) => {
        if (line.attribute === inside) return '套餐里的项不单独计价'
        return line.attribute === removed ? '减项按套餐规定的减项单价' : undefined
      },
    },
    {
      key: 'amount',
      title: '金额',
      width: 108,
      right: true,
      text: (line) => (line.attribute === inside ? '' : (sumOf(line)?.amount ?? '')),
      show: (line) => amountShown(line, sumOf(line)),
    },
    {
      key: 'counts',
      title: '备选',
      width: 52,
      text: (line) => (line.counts ? '' : '备选'),
      put: (line, text) => {
        if (text.trim() !== '' && text.trim() !== '备选') return { refused: '填“备选”，或留空' }
        return { ...line, counts: text.trim() === '' }
      },
      offers: listed(['备选']),
    },
    { key: 'remark', title: '备注', width: 140, isWide: true, ...field('remark') },
    ...specialColumns(),
    ...(seesCosts ? [costColumn] : []),
  ]
}
const priceShown = (line: Line) =>
  line.attribute === removed && line.removalPrice === null ? '按套餐' : <UnitPrice of={line} />
const amountShown = (line: Line, sum: LineSum | undefined): string => {
  if (line.attribute === inside || !sum) return '--'
  return grouped(sum.amount)
}
/** What a special line must say before it can be ordered. */
function specialColumns(): SheetColumn<Line>[] {
  return [
    {
      key: 'kind',
      title: '类别',
      width: 64,
      text: (line) => productKind.label(line.kind),
      locked: ofCatalogue,
      put: (line, text) => {
        const option = productKind.options.find((o) => o.label === text.trim())
        return option
          ? { ...line, kind: option.value }
          : { refused: `类别应是${productKind.options.map((o) => o.label).join('、')}` }
      },
      offers: listed(productKind.options.map((o) => o.label)),
    },
    {
      key: 'stage',
      title: '施工阶段',
      width: 84,
      text: (line) => (line.stage === null ? '' : siteStage.label(line.stage)),
      locked: ofCatalogue,
      put: (line, text) => {
        if (text.trim() === '') return { ...line, stage: null }
        const option = siteStage.options.find((o) => o.label === text.trim())
        return option ? { ...line, stage: option.value } : { refused: '没有这个施工阶段' }
      },
      offers: listed(siteStage.options.map((o) => o.label)),
    },
    {
      key: 'receiver',
      title: '商家',
      width: 110,
      text: (line) => line.receiverName,
      locked: ofCatalogue,
      put: (line, text) =>
        text.trim() === ''
          ? { ...line, receiver_id: null, receiverName: '' }
          : { refused: '请从列出的商家里选一个' },
      offers: (_line, text) => receiverOffers(text),
      take: (line, { key, text }) => ({ ...line, receiver_id: key, receiverName: text }),
    },
  ]
}
