import { faceState, type WorkerRow } from '@zhuguan/contract/features/workers/workers.record.ts'

import { State, type Tone } from '../../kit/State.tsx'

const TONE: Partial<Record<number, Tone>> = {
  [faceState.code.kept]: 'ok',
  [faceState.code.pending]: 'wait',
}
export const FaceState = ({ worker }: { worker: Pick<WorkerRow, 'face'> }) => (
  <State tone={TONE[worker.face] ?? 'grey'}>{faceState.label(worker.face)}</State>
)
