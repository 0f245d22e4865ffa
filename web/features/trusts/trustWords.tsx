import { alarmVerdict } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import {
  ENOUGH_VERDICTS,
  type TrustState,
  trustState,
} from '@zhuguan/contract/features/trusts/trusts.record.ts'

import { NOTHING } from '../../kit/list/columnsOf.tsx'
import { State, type Tone } from '../../kit/State.tsx'

const { alwaysNotify, alwaysReview, notify, review } = trustState.code
const TONE: Readonly<Record<TrustState, Tone>> = {
  [notify]: 'ok',
  [review]: 'wait',
  [alwaysNotify]: 'ok',
  [alwaysReview]: 'wait',
}
export const StateOf = ({ state }: { state: TrustState }) => (
  <State tone={TONE[state]}>{trustState.label(state)}</State>
)

/** A share of few is not told as one: so many of so many. */
export function ShareOf({ n, wrong }: { n: number; wrong: number }) {
  if (n === 0) return <>{NOTHING}</>
  if (n < ENOUGH_VERDICTS)
    return (
      <span title={`判定不足 ${ENOUGH_VERDICTS} 条，不算误报率`}>
        <small>
          {wrong}/{n}，样本少
        </small>
      </span>
    )
  return (
    <span title={`${n} 条判定中误报 ${wrong} 条`}>
      {Math.round((wrong / n) * 100)}%{' '}
      <small>
        {wrong}/{n}
      </small>
    </span>
  )
}

const { real, wrong } = alarmVerdict.code
const SIGN: Readonly<Record<string, string>> = { [real]: '✓', [wrong]: '×' }
/** The last verdicts as small signs, the newest at the right. */
export function Last({ verdicts }: { verdicts: readonly string[] }) {
  if (verdicts.length === 0) return <>{NOTHING}</>
  const said = verdicts.map((v) => alarmVerdict.label(v)).join('、')
  return (
    <span className="last-verdicts" role="img" aria-label={`最近判定：${said}`} title={`从早到晚：${said}`}>
      {verdicts.map((v, i) => (
        <i key={i} className={v}>
          {SIGN[v]}
        </i>
      ))}
    </span>
  )
}
const VERDICT_TONE: Readonly<Record<string, Tone>> = { [real]: 'ok', [wrong]: 'bad' }
export const VerdictOf = ({ verdict }: { verdict: string }) => (
  <State tone={VERDICT_TONE[verdict] ?? 'grey'}>{alarmVerdict.label(verdict)}</State>
)
