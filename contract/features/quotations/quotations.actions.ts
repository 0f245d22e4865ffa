import { defineActions } from '../../kit/actions.ts'
import { type QuotationRow, quotationStatus } from './quotations.record.ts'

const { draft, waiting, approved, rejected, contracted, void: voided } = quotationStatus.code
type State = Pick<QuotationRow, 'status' | 'expired' | 'contract_id' | 'signed'>
const isLate = (q: State) => (q.expired ? '已经过了有效期，请先改有效期' : undefined)

/** docs/states.md */
export const quotationActions = defineActions<State>()('status', quotationStatus, {
  edit: { label: '编辑', from: [draft], to: draft, permission: 'quotation:edit', asks: true },
  submit: {
    label: '提交审核',
    from: [draft],
    to: waiting,
    permission: 'quotation:edit',
    unless: isLate,
  },
  /** Nobody has judged it yet; what was submitted stays readable. */
  withdraw: { label: '撤回', from: [waiting], to: draft, permission: 'quotation:edit' },
  /** The next version, with what this one holds. */
  revise: {
    label: '修改为新版本',
    from: [approved, rejected, contracted],
    to: draft,
    permission: 'quotation:edit',
    unless: (q) => (q.signed ? '合同已经签约，改动请在合同里做增减项变更' : undefined),
  },
  contract: {
    label: '生成合同',
    from: [approved],
    to: contracted,
    permission: 'contract:add',
    asks: true,
    unless(q) {
      if (q.contract_id !== null) return '已经生成过合同，签约时按最新审核通过的版本'
      return q.expired ? '报价已经过了有效期，请先修改为新版本' : undefined
    },
  },
  void: {
    label: '作废',
    from: [draft, approved, rejected],
    to: voided,
    permission: 'quotation:edit',
    reason: true,
    unless: (q) => (q.contract_id === null ? undefined : '已经生成合同，请先作废合同'),
  },
})
