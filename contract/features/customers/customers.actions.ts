import { defineActions } from '../../kit/actions.ts'
import { type Actor, hasPermission, waitsFor } from '../../kit/permits.ts'
import { customerHeld, customerStep, type CustomerRow } from './customers.record.ts'

const { assigned, lost, merged, pool } = customerHeld.code
export const LEAD = 'customer:assign'
export type CustomerStanding = Pick<
  CustomerRow,
  'held' | 'consultant_id' | 'consultantName' | 'step' | 'refuses'
>

/** The consultant alone, or who leads the store. */
export function unlessConsultant(customer: CustomerStanding, actor: Actor): string | undefined {
  if (waitsFor(actor, customer.consultant_id) || hasPermission(actor, LEAD)) return undefined
  return customer.consultant_id
    ? `顾问是${customer.consultantName || '别人'}，只有顾问或能分配客户的人能办`
    : '还在公海里，请先认领'
}
/** Money or a contract binds both sides: that is ended there, not by a word here. */
const unlessBound = (customer: CustomerStanding) =>
  customer.step >= customerStep.code.deposit
    ? `已到“${customerStep.label(customer.step)}”，请先在合同里退定或终止`
    : undefined

/** docs/states.md */
export const customerActions = defineActions<CustomerStanding>()('held', customerHeld, {
  claim: { label: '认领', from: [pool], to: assigned, permission: 'customer:claim' },
  assign: { label: '分配', from: [pool], to: assigned, permission: LEAD, asks: true },
  hand: { label: '转交', from: [assigned], to: assigned, permission: LEAD, reason: true, asks: true },
  lose: {
    label: '流失',
    from: [pool, assigned],
    to: lost,
    permission: 'customer:follow',
    reason: true,
    asks: true,
    absent: unlessConsultant,
    unless: unlessBound,
  },
  revive: {
    label: '恢复跟进',
    from: [lost],
    to: assigned,
    permission: 'customer:follow',
    absent: (customer, actor) => (customer.consultant_id ? unlessConsultant(customer, actor) : undefined),
  },
  refuse: {
    label: '拒绝联系',
    from: [pool, assigned, lost],
    to: { pool, assigned, lost },
    permission: 'customer:follow',
    reason: true,
    absent: (customer, actor) =>
      customer.refuses ? '已经登记过拒绝联系' : unlessConsultant(customer, actor),
  },
  accept: {
    label: '可以联系',
    from: [pool, assigned, lost],
    to: { pool, assigned, lost },
    permission: 'customer:follow',
    reason: true,
    absent: (customer, actor) => (customer.refuses ? unlessConsultant(customer, actor) : '没有拒绝联系'),
  },
  merge: {
    label: '合并',
    from: [pool, assigned, lost],
    to: merged,
    permission: LEAD,
    reason: true,
    asks: true,
  },
})
export type CustomerAction = (typeof customerActions.names)[number]
