import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'

import { State, type Tone } from '../kit/State.tsx'

/** 优 and 良 ask nothing of anybody; 差 is somebody's work; a camera that sees something else has judged nothing. */
const TONE: Readonly<Record<number, Tone>> = {
  [tidinessResult.code.excellent]: 'ok',
  [tidinessResult.code.good]: 'ok',
  [tidinessResult.code.poor]: 'bad',
}
/** How tidy a site was found to be, in the same colour and word wherever it stands. */
export const Tidy = ({ result }: { result: number | null }) =>
  result ? <State tone={TONE[result] ?? 'grey'}>{tidinessResult.label(result)}</State> : <>--</>
