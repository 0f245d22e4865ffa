import { payMethod } from '@zhuguan/contract/features/contracts/contracts.record.ts'
import {
  owedKind,
  type StatementDetail,
  type StatementLine,
  statementState,
} from '@zhuguan/contract/features/statements/statements.record.ts'
import { grouped, priceText } from '@zhuguan/contract/kit/digits.ts'
import { isZero } from '@zhuguan/contract/kit/money.ts'

import { saidAmount } from '../../kit/amount-words.ts'
import type { Paper, PaperColumn, PaperPart } from '../../kit/paper.ts'
import { shanghaiDay } from '../../kit/shanghai.ts'

const LINES: readonly PaperColumn[] = [
  { title: '日期', width: 52 },
  { title: '订单号', width: 84 },
  { title: '事项、商品' },
  { title: '数量', width: 60, right: true },
  { title: '单价', width: 60, right: true },
  { title: '金额（元）', width: 72, right: true },
]
const PAYMENTS: readonly PaperColumn[] = [
  { title: '付款单', width: 110 },
  { title: '日期', width: 60 },
  { title: '方式', width: 50 },
  { title: '收款方' },
  { title: '金额（元）', width: 80, right: true },
]
const dayOf = (at: number) => shanghaiDay(new Date(at * 1_000))

const cellsOf = (l: StatementLine): string[] => [
  dayOf(l.at),
  [l.orderCode, l.sheetCode].filter(Boolean).join('\n') || '--',
  [`${owedKind.label(l.kind)} ${l.name}`.trim(), l.detail, l.words, l.objection && `异议：${l.objection}`]
    .filter(Boolean)
    .join('\n'),
  l.quantity ? `${grouped(l.quantity)} ${l.unit}` : '--',
  l.price ? priceText(l.price) : '--',
  grouped(l.amount),
]
/** A sum of a kind that there is none of is not printed. */
const someOf = (sums: readonly (readonly [string, string])[]) =>
  sums.filter(([, amount]) => !isZero(amount)).map(([name, amount]) => [name, grouped(amount)] as const)

/** The month that a merchant and a branch agree on, for both to stamp. */
export function statementPaper(s: StatementDetail, head: Paper['head'], foot: string): Paper {
  const isAgreed = s.state === statementState.code.agreed
  const paid = s.payments.filter((p) => p.reversedAt === null)
  const parts: (PaperPart | false)[] = [
    s.lines.length === 0
      ? { kind: 'words', title: '往来', text: '没有验收，没有退货，也没有手工行。' }
      : {
          kind: 'table',
          title: `往来（${s.lines.length} 行）`,
          columns: LINES,
          rows: s.lines.map(cellsOf),
          sums: [
            ...someOf([
              ['验收金额', s.acceptedAmount],
              ['退货金额', s.returnedAmount],
              ['手工行', s.handAmount],
            ]),
            ['应付合计', grouped(s.due)],
          ],
        },
    paid.length > 0 && {
      kind: 'table',
      title: '付款',
      columns: PAYMENTS,
      rows: paid.map((p) => [p.code, p.paidOn, payMethod.label(p.method), p.payee, grouped(p.amount)]),
      sums: [
        ['已付', grouped(s.paid)],
        ['未付', grouped(s.open)],
      ],
    },
    {
      kind: 'signs',
      text: saidAmount('应付合计', s.due),
      signs: ['下单方（盖章）', '接单方（盖章）'],
    },
  ]
  return {
    head,
    title: isAgreed ? '对账单' : `对账单（${statementState.label(s.state)}）`,
    number: s.code,
    facts: [
      ['接单方', s.receiverName],
      ['下单方', s.bc_name],
      ['月份', s.month.replace('-', ' 年 ') + ' 月'],
      ['发出', s.sentAt === null ? '' : `${dayOf(s.sentAt)} ${s.sentBy}`],
      ['确认', isAgreed && s.answeredAt !== null ? `${dayOf(s.answeredAt)} ${s.answeredBy}` : ''],
    ],
    parts: parts.filter((part) => part !== false),
    foot,
  }
}
