import { defineActions } from '../../kit/actions.ts'
import { statementState, type StatementRow } from './statements.record.ts'

const { agreed, disputed, draft, dropped, sent } = statementState.code
export type StatementStanding = Pick<StatementRow, 'state' | 'buyer' | 'receiver' | 'sent_by' | 'open'>
const byBuyer = (s: StatementStanding) => (s.buyer ? undefined : '这是下单方办理的')
const byReceiver = (s: StatementStanding) => (s.receiver ? undefined : '这是商家办理的')
/** The person who stands on both sides does not answer what they sent themselves. */
const byOther = (s: StatementStanding, actor: { id: string }) =>
  byReceiver(s) ?? (s.sent_by === actor.id ? '对账单是您发出的，要由对方另一个人答复' : undefined)

/** docs/states.md, statementActions. */
export const statementActions = defineActions<StatementStanding>()('state', statementState, {
  send: {
    label: '发给对方确认',
    from: [draft],
    to: sent,
    permission: 'statement:edit',
    absent: byBuyer,
  },
  drop: {
    label: '作废',
    from: [draft],
    to: dropped,
    permission: 'statement:edit',
    reason: true,
    absent: byBuyer,
  },
  recall: {
    label: '撤回',
    from: [sent],
    to: draft,
    permission: 'statement:edit',
    reason: true,
    absent: byBuyer,
  },
  agree: {
    label: '确认',
    from: [sent],
    to: agreed,
    permission: 'statement:confirm',
    absent: byReceiver,
    unless: byOther,
  },
  dispute: {
    label: '提出异议',
    from: [sent],
    to: disputed,
    permission: 'statement:confirm',
    asks: true,
    absent: byReceiver,
    unless: byOther,
  },
  revise: {
    label: '修改后重发',
    from: [disputed],
    to: draft,
    permission: 'statement:edit',
    absent: byBuyer,
  },
  pay: {
    label: '登记付款',
    from: [agreed],
    to: agreed,
    permission: 'statement:pay',
    asks: true,
    absent: byBuyer,
    unless: (s) => (/^-?0(\.0+)?$/.test(s.open) ? '已经付清' : undefined),
  },
})
