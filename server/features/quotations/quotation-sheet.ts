import { Readable } from 'node:stream'

import { productKind } from '@zhuguan/contract/features/products/products.record.ts'
import {
  contractAttribute,
  discountKind,
  type QuotationDetail,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { attribute, unitPriceOf } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { priceText } from '@zhuguan/contract/kit/digits.ts'
import { compare } from '@zhuguan/contract/kit/money.ts'

import type { Call } from '../../kit/serve.ts'
import { type CellKind, type SheetOf, workbookOf } from '../../kit/workbook.ts'

type Line = QuotationDetail['lines'][number]
type Cell = readonly [title: string, kind: CellKind, of: (line: Line, room: string) => string]
const LINES: readonly Cell[] = [
  ['房间', 'text', (_, room) => room],
  ['属性', 'text', (l) => attribute.label(l.attribute)],
  ['合同属性', 'text', (l) => contractAttribute.label(l.contractAttribute)],
  ['编码', 'text', (l) => l.code],
  ['名称', 'text', (l) => l.name],
  ['规格', 'text', (l) => l.detail],
  ['类别', 'text', (l) => productKind.label(l.kind)],
  ['单位', 'text', (l) => l.unit],
  ['数量', 'number', (l) => l.quantity],
  ['损耗 %', 'number', (l) => l.waste],
  ['计价数量', 'number', (l) => l.priced],
  ['单价', 'number', (l) => unitPriceOf(l)?.price ?? ''],
  ['金额', 'money', (l) => l.amount],
  ['套餐内单价', 'number', (l) => l.packagePrice ?? ''],
  ['减项单价', 'number', (l) => l.removalPrice ?? ''],
  ['计入合计', 'text', (l) => (l.counts ? '是' : '备选')],
  ['施工阶段', 'text', (l) => (l.stage === null ? '' : siteStage.label(l.stage))],
  ['备注', 'text', (l) => l.remark],
]

/** The package, its price and the way to what is paid for it. */
export function packageWords({ package: p, area }: Pick<QuotationDetail, 'package' | 'area'>): string {
  if (!p) return '不用套餐'
  const least = compare(area, p.leastArea) < 0 ? `，不足 ${p.leastArea} ㎡按 ${p.leastArea} ㎡计` : ''
  return `${p.name} 第 ${p.number} 版，${priceText(p.perSquareMetre)} 元/㎡${least}`
}
function sheetsOf(q: QuotationDetail): SheetOf[] {
  const rooms = new Map(q.rooms.map((room) => [room.id, room.name]))
  const roomOf = (line: Line) => rooms.get(line.room_id ?? '') ?? '全屋'
  return [
    {
      name: '报价',
      titles: ['项目', '内容'],
      kinds: ['text', 'money'],
      rows: [
        ['编号', `${q.code} 第 ${q.shown} 版`],
        ['客户', q.customerName],
        ['小区', q.community],
        ['面积', q.area],
        ['套餐', packageWords(q)],
        ['套餐价', q.sum.package],
        ['减项', q.sum.removed],
        ['部分调整', q.sum.adjusted],
        ['增项', q.sum.added],
        ...q.discounts.map((d) => [`${discountKind.label(d.kind)}：${d.reason}`, `-${d.amount}`]),
        ['优惠合计', q.sum.discount],
        ['总价', q.sum.total],
        [`其中税额（${q.taxPercent}%）`, q.sum.tax],
        ['每平米', q.sum.perSquareMetre ?? ''],
        ['有效期至', q.validUntil],
        ['报价员', q.quoterName],
      ],
    },
    {
      name: '明细',
      titles: LINES.map(([title]) => title),
      kinds: LINES.map(([, kind]) => kind),
      rows: q.lines.map((line) => LINES.map(([, , of]) => of(line, roomOf(line)))),
    },
  ]
}

/** One version as an xlsx: how its total comes about, and its lines. Costs are in neither. */
export async function sendQuotation(call: Call, quotation: QuotationDetail): Promise<void> {
  await call.write((tx) =>
    call.log(tx, {
      action: '导出报价单 Excel',
      object: 'quotation',
      objectId: quotation.id,
      after: { code: quotation.code, number: quotation.shown },
    }),
  )
  const name = encodeURIComponent(`${quotation.code}-${quotation.shown}`)
  await call.reply
    .header('content-type', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .header('content-disposition', `attachment; filename*=UTF-8''${name}.xlsx`)
    .send(Readable.from(workbookOf(sheetsOf(quotation))))
}
