import { type HandoverSheet, handoverState } from '@zhuguan/contract/features/handovers/handovers.record.ts'

import { State } from '../kit/State.tsx'

export const HandoverState = ({ sheet: { state } }: { sheet: HandoverSheet }) => (
  <State tone={state === handoverState.code.confirmed ? 'ok' : 'wait'}>{handoverState.label(state)}</State>
)
