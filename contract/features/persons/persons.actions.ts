import { defineActions } from '../../kit/actions.ts'
import type { Actor } from '../../kit/permits.ts'
import { type PersonRow, personAsk, personState } from './persons.record.ts'

const { executed, received, refused, restricted, verified } = personState.code
export type PersonStanding = Pick<PersonRow, 'ask' | 'state' | 'verified_id'>

/** The person who looked at who asks does not act on it as well. */
const unlessVerifier = (r: PersonStanding, actor: Actor): string | undefined =>
  r.verified_id === actor.id ? '核实的人不能自己执行，请另一位管理员执行' : undefined

/** docs/states.md */
export const personActions = defineActions<PersonStanding>()('state', personState, {
  verify: { label: '核实', from: [received], to: verified, permission: 'person:verify', asks: true },
  execute: {
    label: '删除',
    from: [verified],
    /** `restricted` where something stands in the way: the service says which. */
    to: executed,
    permission: 'person:execute',
    absent: (r) => (r.ask === personAsk.code.erase ? undefined : '这是查阅复制请求'),
    unless: unlessVerifier,
  },
  collect: {
    label: '汇总给本人',
    from: [verified, executed],
    to: executed,
    permission: 'person:execute',
    absent: (r) => (r.ask === personAsk.code.collect ? undefined : '这是删除请求'),
    unless: unlessVerifier,
  },
  refuse: {
    label: '驳回',
    from: [received, verified],
    to: refused,
    permission: 'person:verify',
    reason: true,
  },
  reveal: {
    label: '查看受限的联系方式',
    from: [restricted],
    to: restricted,
    permission: 'person:verify',
    reason: true,
  },
})
export type PersonAction = (typeof personActions.names)[number]
