import { dispatchState, type NoteRow } from '@zhuguan/contract/features/dispatch/dispatch.record.ts'

import { State, type Tone } from '../../kit/State.tsx'

const { checked, delivered, returned, shipped, waiting } = dispatchState.code
const TONE: Record<number, Tone> = {
  [waiting]: 'wait',
  [shipped]: 'wait',
  [delivered]: 'ok',
  [checked]: 'ok',
  [returned]: 'bad',
}
type Standing = Pick<NoteRow, 'late' | 'state'> & Partial<Pick<NoteRow, 'afterSale'>>
export const toneOf = (n: Standing): Tone => (n.late ? 'bad' : (TONE[n.state] ?? 'grey'))
export const NoteState = ({ of: n }: { of: Standing }) => (
  <State tone={toneOf(n)}>
    {dispatchState.label(n.state) + (n.late ? ' · 逾期' : '') + (n.afterSale ? ' · 售后' : '')}
  </State>
)
