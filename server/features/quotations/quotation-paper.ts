import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'
import {
  discountKind,
  type QuotationDetail,
  type QuotationLine,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { attribute } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { grouped, priceText } from '@zhuguan/contract/kit/digits.ts'

import { saidAmount } from '../../kit/amount-words.ts'
import { byRoom } from '../../kit/paper-room.ts'
import type { Paper, PaperColumn, PaperPart, PaperTable } from '../../kit/paper.ts'
import { packageWords } from './quotation-sheet.ts'

const COLUMNS: readonly PaperColumn[] = [
  { title: '序', width: 22 },
  { title: '房间', width: 46 },
  { title: '属性', width: 40 },
  { title: '名称、规格' },
  { title: '单位', width: 24 },
  { title: '数量', width: 50, right: true },
  { title: '单价', width: 58, right: true },
  { title: '金额', width: 72, right: true },
]
/** A figure of this many points fits on the paper beside the name; a longer one breaks. */
const WIDEST = 104
const POINTS_PER_SIGN = 5
const PADDING = 10
/** Numbers stand on one line: their columns are as wide as the longest of them needs. */
const columnsFor = (rows: PaperTable['rows']): PaperColumn[] =>
  COLUMNS.map((column, i) => {
    if (!column.right || column.width === undefined) return column
    const figures = rows.flatMap((row) => ('subtotal' in row ? [] : row[i]!.split('\n')))
    const longest = Math.max(0, ...figures.map((text) => text.length))
    const wanted = Math.min(WIDEST, longest * POINTS_PER_SIGN + PADDING)
    return { ...column, width: Math.max(column.width, wanted) }
  })
const { adjusted, package: ofPackage, removed } = attribute.code

/** The quantity that a line's amount is worked out with; the customer reads it beside its own. */
export function priceOf(line: Omit<QuotationLine, 'sold'>): string {
  if (line.attribute === ofPackage) return '套餐内'
  if (line.attribute === removed) return priceText(line.removalPrice ?? line.price)
  const price = priceText(line.price)
  return line.attribute === adjusted ? `${price}\n原 ${priceText(line.packagePrice ?? '0')}` : price
}
const rowOf = (line: QuotationLine, room: string, at: number): string[] => [
  `${at + 1}`,
  room,
  attribute.label(line.attribute),
  [line.name, line.detail, line.remark].filter((words) => words !== '').join('\n'),
  line.unit,
  grouped(line.priced),
  priceOf(line),
  line.attribute === ofPackage ? '--' : grouped(line.amount),
]

/** Where nobody has approved what it says, it says so itself. */
function titleOf(q: QuotationDetail): string {
  const isApproved = q.versions.some(
    (v) => v.number === q.shown && v.examineState === examineState.code.approved,
  )
  return isApproved ? '报价单' : '报价单（未审核）'
}

/** One version for the customer: how its total comes about, and its lines. Costs and margin are in none. */
export function quotationPaper(q: QuotationDetail, head: Paper['head'], foot: string): Paper {
  const rooms = new Map(q.rooms.map((room) => [room.id, room.name]))
  const roomOf = (line: QuotationLine) => rooms.get(line.room_id ?? '') ?? '全屋'
  const rowsOf = (lines: readonly QuotationLine[]) =>
    byRoom(
      lines.map((line) => ({ ...line, room: roomOf(line), included: line.attribute === ofPackage })),
      (line, at) => rowOf(line, line.room, at),
      grouped,
    )
  const counted = rowsOf(q.lines.filter((line) => line.counts))
  const others = rowsOf(q.lines.filter((line) => !line.counts))
  const { sum } = q
  const perMetre = sum.perSquareMetre === null ? [] : [['每平米', grouped(sum.perSquareMetre)] as const]
  const parts: (PaperPart | false)[] = [
    {
      kind: 'steps',
      steps: [
        ['套餐价', grouped(sum.package)],
        ['减项', grouped(sum.removed)],
        ['部分调整', grouped(sum.adjusted)],
        ['增项', grouped(sum.added)],
        ['优惠', grouped(sum.discount)],
        ['总价（元）', grouped(sum.total)],
      ],
    },
    {
      kind: 'table',
      title: '报价明细',
      columns: columnsFor(counted),
      rows: counted,
      sums: [
        ['套餐价', grouped(sum.package)],
        ...q.discounts.map(
          (d) => [`${discountKind.label(d.kind)}：${d.reason}`, `-${priceText(d.amount)}`] as const,
        ),
        ['总价', grouped(sum.total)],
        [`其中税额（${q.taxPercent}%）`, grouped(sum.tax)],
        ...perMetre,
      ],
    },
    others.length > 0 && {
      kind: 'table',
      title: '备选，不计入总价',
      columns: columnsFor(others),
      rows: others,
    },
    q.remark !== '' && { kind: 'words', title: '说明', text: q.remark },
    {
      kind: 'signs',
      text: saidAmount('总价', sum.total),
      signs: ['客户签字', '报价员签字'],
    },
  ]
  return {
    head,
    title: titleOf(q),
    number: `${q.code} 第 ${q.shown} 版`,
    facts: [
      ['客户', `${q.customerName} ${q.phone}`.trim()],
      ['小区', q.community],
      ['地址', q.address],
      ['面积', `${grouped(q.area)} ㎡`],
      ['套餐', packageWords(q)],
      ['有效期至', q.validUntil],
      ['报价员', q.quoterName],
      ['门店', q.storeName],
    ],
    parts: parts.filter((part) => part !== false),
    foot,
  }
}
