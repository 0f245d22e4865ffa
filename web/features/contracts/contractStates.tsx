import { changeStatus } from '@zhuguan/contract/features/contracts/changes.record.ts'
import {
  type ContractRow,
  contractState,
  refundStatus,
  signingProgress,
} from '@zhuguan/contract/features/contracts/contracts.record.ts'
import { grouped } from '@zhuguan/contract/kit/digits.ts'

import { State, type Tone } from '../../kit/State.tsx'

const { begun, deposit, signed } = signingProgress.code
const TONE: Record<number, Tone> = { [begun]: 'grey', [deposit]: 'wait', [signed]: 'ok' }
type Standing = Pick<ContractRow, 'signingProgress' | 'state' | 'voidAsked' | 'warrantyOpen'>
/** The progress of the signature, or its fate; warranty money that stands out is said beside it. */
export const StandingOf = ({ of: c }: { of: Standing }) => (
  <>
    <StateOf of={c} />
    {c.warrantyOpen !== null && !isNothing(c.warrantyOpen) && (
      <small title={`质保金未付 ${grouped(c.warrantyOpen)} 元`}> 质保金未付</small>
    )}
  </>
)
function StateOf({ of: c }: { of: Standing }) {
  if (c.voidAsked) return <State tone="wait">作废待审核</State>
  if (c.state === contractState.code.ending) return <State tone="wait">终止中</State>
  if (c.state === contractState.code.finishing) return <State tone="wait">竣工结算中</State>
  if (c.state === contractState.code.settled) return <State tone="ok">已结清</State>
  if (c.state !== contractState.code.live) return <State tone="grey">{contractState.label(c.state)}</State>
  const { signingProgress: at } = c
  return <State tone={TONE[at] ?? 'grey'}>{signingProgress.label(at)}</State>
}
const CHANGE: Record<number, Tone> = { 2: 'wait', 3: 'ok', 4: 'bad' }
export const ChangeState = ({ status }: { status: number }) => (
  <State tone={CHANGE[status] ?? 'grey'}>{changeStatus.label(status)}</State>
)
const REFUND: Record<number, Tone> = { 1: 'wait', 2: 'ok', 3: 'bad' }
export const RefundState = ({ status }: { status: number }) => (
  <State tone={REFUND[status] ?? 'grey'}>{refundStatus.label(status)}</State>
)
export const isNothing = (amount: string): boolean => /^-?0(\.0+)?$/.test(amount)
/** An address often begins with its community. */
export const placeOf = ({ community, address }: { community: string; address: string }): string =>
  address.startsWith(community) ? address : [community, address].filter(Boolean).join(' ')
/** Nothing is a dash: what is there stands out. */
export const moneyOr = (amount: string): string => (isNothing(amount) ? '--' : grouped(amount))
/** With its sign, as a step of a sum. */
export const signedMoney = (amount: string): string => (amount.startsWith('-') ? '' : '+') + grouped(amount)
