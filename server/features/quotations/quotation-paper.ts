import { examineState } from '@zhuguan/contract/features/examine/examine.record.ts'
import {
  discountKind,
  type QuotationDetail,
  type QuotationLine,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { attribute, unitPriceText } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { grouped, priceText } from '@zhuguan/contract/kit/digits.ts'

import { saidAmount } from '../../kit/amount-words.ts'
import { byRoom, roomColumns } from '../../kit/paper-room.ts'
import type { Paper, PaperPart } from '../../kit/paper.ts'
import { packageWords } from './quotation-sheet.ts'

const { package: ofPackage } = attribute.code

const rowOf = (line: QuotationLine, room: string, at: number): string[] => [
  `${at + 1}`,
  room,
  attribute.label(line.attribute),
  [line.name, line.detail, line.remark].filter((words) => words !== '').join('\n'),
  line.unit,
  grouped(line.priced),
  unitPriceText(line),
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
      columns: roomColumns(counted),
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
      columns: roomColumns(others),
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
