import { defineActions } from '../../kit/actions.ts'
import { siteStatus } from '../sites/sites.record.ts'
import { changeStatus } from './changes.record.ts'
import {
  contractState,
  type ContractRefund,
  type ContractRow,
  refundStatus,
  signingProgress,
} from './contracts.record.ts'

const { begun, deposit, signed } = signingProgress.code
const { live, ending, finishing, settled } = contractState.code
export type ContractStanding = Pick<
  ContractRow,
  'signingProgress' | 'state' | 'voidAsked' | 'refunding' | 'siteStatus' | 'paid' | 'billed' | 'billSigned'
>
/** What has ended is nobody's to go on with; what is owed at the end is still paid. */
const isOver = (c: ContractStanding) =>
  c.state === live ? undefined : `合同${contractState.label(c.state)}，不能再办理`
const PAYING: readonly string[] = [ending, finishing, settled]
const isSettled = (c: ContractStanding) => (PAYING.includes(c.state) ? undefined : isOver(c))
const isFinishing = (c: ContractStanding) =>
  c.state === finishing ? undefined : '工地完工以后才办理竣工结算'
const unlessAsked = (c: ContractStanding) => (c.voidAsked ? '作废正在审核，不能再办理' : undefined)
const isNothing = (amount: string) => /^0(\.0+)?$/.test(amount)
const unlessPaid = (c: ContractStanding) => {
  if (c.refunding) return '已有一张退款单在审核'
  return isNothing(c.paid) ? '没有可退的收款' : undefined
}

/** docs/states.md, contractActions. */
export const contractActions = defineActions<ContractStanding>()('signingProgress', signingProgress, {
  deposit: {
    label: '收定金',
    from: [begun, deposit],
    to: deposit,
    permission: 'contract:pay',
    asks: true,
    absent: isOver,
    unless: (c) => (c.refunding ? '退定正在审核，不能收款' : undefined),
  },
  pay: {
    label: '收款',
    from: [signed],
    to: signed,
    permission: 'contract:pay',
    asks: true,
    absent: isSettled,
    unless: unlessAsked,
  },
  giveBack: {
    label: '退定',
    from: [deposit],
    to: deposit,
    permission: 'contract:refund',
    asks: true,
    absent: isOver,
    unless: unlessPaid,
  },
  /** A void contract gives its money back, or moves it to the right one. */
  refund: {
    label: '退款',
    from: [signed],
    to: signed,
    permission: 'contract:refund',
    asks: true,
    absent: (c) =>
      c.state === contractState.code.ended || c.state === settled ? '合同已经结清，不能再退款' : undefined,
    unless: (c) => unlessAsked(c) ?? unlessPaid(c),
  },
  sign: {
    label: '签约',
    from: [begun, deposit],
    to: signed,
    permission: 'contract:sign',
    asks: true,
    absent: isOver,
    unless: (c) => (c.refunding ? '退定正在审核，不能签约' : undefined),
  },
  change: {
    label: '增减项变更',
    from: [signed],
    to: signed,
    permission: 'contract:change',
    asks: true,
    absent: (c) => (c.state === finishing ? undefined : isOver(c)),
    unless: (c) => (c.billSigned ? '竣工结算单已经签字，不能再变更' : unlessAsked(c)),
  },
  plan: {
    label: '付款计划',
    from: [begun, deposit, signed],
    to: { [begun]: begun, [deposit]: deposit, [signed]: signed },
    permission: { [begun]: 'contract:add', [deposit]: 'contract:add', [signed]: 'contract:sign' },
    asks: true,
    absent: isOver,
    unless: unlessAsked,
  },
  attach: {
    label: '附件',
    from: [begun, deposit, signed],
    to: { [begun]: begun, [deposit]: deposit, [signed]: signed },
    permission: 'contract:add',
    asks: true,
  },
  void: {
    label: '作废',
    from: [begun, signed],
    to: { [begun]: begun, [signed]: signed },
    permission: 'contract:void',
    reason: true,
    absent: isOver,
    unless(c) {
      if (c.signingProgress === signed && c.siteStatus !== siteStatus.code.notStarted)
        return '工地已经开工或结束，误签的合同只能终止'
      return unlessAsked(c)
    },
  },
  keep: {
    label: '撤回作废',
    from: [signed],
    to: signed,
    permission: 'contract:void',
    absent: (c) => (c.voidAsked ? undefined : '没有在审核的作废'),
  },
  terminate: {
    label: '终止',
    from: [signed],
    to: signed,
    permission: 'contract:void',
    asks: true,
    absent: isOver,
    unless: (c) =>
      unlessAsked(c) ??
      (c.siteStatus === siteStatus.code.finished ? '工地已经完工，合同不能终止' : undefined),
  },
  bill: {
    label: '竣工结算',
    from: [signed],
    to: signed,
    permission: 'contract:settle',
    asks: true,
    absent: isFinishing,
    unless: (c) => (c.billSigned ? '竣工结算单已经签字' : undefined),
  },
  signBill: {
    label: '结算签字',
    from: [signed],
    to: signed,
    permission: 'contract:settle',
    asks: true,
    absent: isFinishing,
    unless(c) {
      if (!c.billed) return '还没有竣工结算单，先办理竣工结算'
      return c.billSigned ? '竣工结算单已经签字' : undefined
    },
  },
  close: {
    label: '结清',
    from: [signed],
    to: signed,
    permission: 'contract:void',
    absent: (c) => (c.state === ending || c.state === finishing ? undefined : '没有在终止，也没有在竣工结算'),
    unless(c) {
      if (c.refunding) return '退款正在审核，审核后才能结清'
      return c.state === finishing && !c.billSigned ? '竣工结算单双方签字后才能结清' : undefined
    },
  },
})

const { draft, dropped, rejected, waiting } = changeStatus.code
interface ChangeStanding {
  status: (typeof changeStatus.values)[number]
  by_id: string
}
const unlessOwn = (c: ChangeStanding, actor: { id: string }) =>
  c.by_id === actor.id ? undefined : '这是别人提交的，只能由本人撤回'
/** docs/states.md, changeActions. */
export const changeActions = defineActions<ChangeStanding>()('status', changeStatus, {
  edit: {
    label: '编辑',
    from: [draft, rejected],
    to: draft,
    permission: 'contract:change',
    asks: true,
  },
  submit: { label: '提交审核', from: [draft], to: waiting, permission: 'contract:change' },
  withdraw: { label: '撤回', from: [waiting], to: draft, permission: 'contract:change', unless: unlessOwn },
  drop: { label: '作废', from: [draft, rejected], to: dropped, permission: 'contract:change', reason: true },
})

const refund = refundStatus.code
/** docs/states.md, refundActions. */
export const refundActions = defineActions<Pick<ContractRefund, 'status' | 'by_id'>>()(
  'status',
  refundStatus,
  {
    withdraw: {
      label: '撤回',
      from: [refund.waiting],
      to: refund.withdrawn,
      permission: 'contract:refund',
      unless: (r, actor) => (r.by_id === actor.id ? undefined : '这是别人提交的，只能由本人撤回'),
    },
  },
)
