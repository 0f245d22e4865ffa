import { changeStatus } from '@zhuguan/contract/features/contracts/changes.record.ts'
import type {
  ContractDetail,
  ContractInstalment,
  ContractItem,
} from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { attribute, unitPriceText } from '@zhuguan/contract/features/quotations/quotations.sum.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'
import { isZero, sum } from '@zhuguan/contract/kit/money.ts'

import { saidAmount } from '../../kit/amount-words.ts'
import { byRoom, roomColumns } from '../../kit/paper-room.ts'
import type { Paper, PaperColumn, PaperPart } from '../../kit/paper.ts'

const PLAN: readonly PaperColumn[] = [
  { title: '期次' },
  { title: '到期', width: 200 },
  { title: '比例', width: 60, right: true },
  { title: '金额', width: 90, right: true },
]
const CHANGES: readonly PaperColumn[] = [
  { title: '变更单', width: 110 },
  { title: '原因' },
  { title: '金额', width: 90, right: true },
]
const { package: included } = attribute.code

const itemCells = (i: ContractItem, at: number): string[] => [
  `${at + 1}`,
  i.room,
  attribute.label(i.attribute),
  [i.name, i.detail, i.remark].filter((words) => words !== '').join('\n'),
  i.unit,
  grouped(i.quantity),
  unitPriceText(i),
  i.attribute === included ? '--' : grouped(i.amount),
]
/** When it is to be paid, as far as it is known. */
function whenOf(i: ContractInstalment): string {
  if (i.dueOn !== null) return i.dueOn
  return i.stage === null ? '签约时' : `${siteStage.label(i.stage)}阶段开始时`
}

/** Nothing of what only the house reads: costs, margin, merchants, what was ordered. */
const factsOf = (c: ContractDetail): Paper['facts'] => [
  ['客户', `${c.customerName} ${c.phone}`.trim()],
  ['小区', c.community],
  ['地址', c.address],
  ['面积', `${grouped(c.area)} ㎡`],
  ['套餐', c.packageName],
  ['工地', c.ws_name],
  ['报价单', `${c.quotationCode}${c.signedNumber === null ? '' : ` 第 ${c.signedNumber} 版`}`],
  ['签约', c.signedOn === null ? '' : `${c.signedOn} ${c.signer}`.trim()],
]
const approvedOf = (c: ContractDetail) => c.changeList.filter((h) => h.status === changeStatus.code.approved)
function stepsOf(c: ContractDetail): PaperPart | false {
  if (c.bridge === null) return false
  const { package: base, removed: less, adjusted, added, discount, total } = c.bridge
  const between = (
    [
      ['减项', less],
      ['部分调整', adjusted],
      ['增项', added],
      ['优惠', discount],
    ] as const
  ).filter(([, amount]) => !isZero(amount))
  return {
    kind: 'steps',
    steps: [
      ['套餐价', grouped(base)],
      ...between.map(([name, amount]) => [name, grouped(amount)] as const),
      ['签约金额（元）', grouped(total)],
    ],
  }
}

/** The paper that both sign when the work is agreed: rooms, sums, and when they are paid. */
export function contractPaper(c: ContractDetail, head: Paper['head'], foot: string): Paper {
  const items = c.items
    .filter((i) => i.change_id === null)
    .map((i) => ({ ...i, room: i.room || '全屋', included: i.attribute === included }))
  const rows = byRoom(items, itemCells, grouped)
  const changes = approvedOf(c)
  const plan = c.instalments
  const parts: (PaperPart | false)[] = [
    stepsOf(c),
    items.length > 0 && {
      kind: 'table',
      title: '合同内容',
      columns: roomColumns(rows),
      rows,
      sums: [
        ...(c.bridge === null ? [] : [['签约金额', grouped(c.bridge.total)] as const]),
        [`其中税额（${c.taxPercent}%）`, grouped(c.tax)],
      ],
    },
    changes.length > 0 && {
      kind: 'table',
      title: '已批准的变更',
      columns: CHANGES,
      rows: changes.map((h) => [h.code, h.reason, grouped(h.amount)]),
      sums: [['变更以后的合同额', grouped(c.total)]],
    },
    plan.length > 0 && {
      kind: 'table',
      title: '付款计划',
      columns: PLAN,
      rows: plan.map((i) => [
        i.name,
        whenOf(i),
        i.percent === null ? '--' : `${i.percent}%`,
        grouped(i.amount),
      ]),
      sums: [['合计', grouped(sum(plan.map((i) => i.amount)))]],
    },
    {
      kind: 'signs',
      text: saidAmount('合同额', c.total),
      signs: ['甲方（客户签字）', '乙方（签字盖章）'],
    },
  ]
  return {
    head,
    title: c.signedOn === null ? '合同（未签约）' : '合同',
    number: c.code,
    facts: factsOf(c),
    parts: parts.filter((part) => part !== false),
    foot,
  }
}

/** The paper that both sign when the home is finished: from what was signed to what is still to be paid. */
export function billPaper(c: ContractDetail, head: Paper['head'], foot: string): Paper {
  const bill = c.bill!
  const signed = sum(c.instalments.filter((i) => i.change_id === null).map((i) => i.amount))
  const isBack = bill.balance.startsWith('-')
  const balance = bill.balance.replace('-', '')
  const rows = [
    ['签约金额', '', grouped(signed)],
    ...approvedOf(c).map((h) => [`变更 ${h.code}`, h.reason, grouped(h.amount)]),
    ['结算金额', '', grouped(c.total)],
    ['已收', '收款减退款', grouped(c.paid)],
    ...(bill.warrantyOn === null
      ? []
      : [
          [
            '质保金未付',
            `留 ${grouped(bill.warranty)} 元，${bill.warrantyOn} 到期`,
            grouped(c.warrantyOpen ?? '0'),
          ],
        ]),
  ]
  const due = isBack ? '应退客户' : '客户应补'
  const parts: (PaperPart | false)[] = [
    {
      kind: 'table',
      title: '结算',
      columns: [{ title: '事项', width: 130 }, { title: '说明' }, { title: '金额', width: 110, right: true }],
      rows,
      sums: [[bill.warrantyOn === null ? due : `质保金以外，${due}`, grouped(balance)]],
    },
    bill.remark !== '' && { kind: 'words', title: '说明', text: bill.remark },
    {
      kind: 'signs',
      text: `${saidAmount('结算金额', c.total)}；${saidAmount(due, balance)}`,
      signs: ['客户（签字）', '我方（签字盖章）'],
    },
  ]
  return {
    head,
    title: bill.billedAt === null ? '竣工结算单（未结算）' : '竣工结算单',
    number: c.code,
    facts: [
      ...factsOf(c),
      ['完工', bill.finishedOn ?? ''],
      ['签字', bill.signedOn === null ? '' : `${bill.signedOn} 客户 ${bill.signer}，我方 ${bill.ours}`],
    ],
    parts: parts.filter((part) => part !== false),
    foot,
  }
}
