import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import { tidinessChange, type TidinessRow } from '@zhuguan/contract/features/tidiness/tidiness.record.ts'

import { NOTHING } from '../../kit/list/columnsOf.tsx'
import { full, short } from '../../kit/time.ts'

/** The camera that saw it; a patrol's own verdict has none. */
export const seenBy = (check: Pick<TidinessRow, 'deviceSn'>): string => check.deviceSn || '巡检'

const { better, worse } = tidinessChange.code
const ARROW: Readonly<Record<string, string>> = { [better]: '↑ ', [worse]: '↓ ' }
/** Beside the verdict before of the same camera. */
export function Change({ check }: { check: TidinessRow }) {
  if (check.replaced)
    return <small title="同一张画面已有人判定，以人的判定为准，这一条不计入统计">不计，以人判为准</small>
  if (!check.change) return <>{NOTHING}</>
  return (
    <span
      className={check.change === worse ? 'worse' : undefined}
      title={check.lastResult ? `同一摄像头上次为“${tidinessResult.label(check.lastResult)}”` : undefined}
    >
      {ARROW[check.change]}
      {tidinessChange.label(check.change)}
    </span>
  )
}

/** The person who judged it anew, and what it was at first. */
export const Judged = ({ check }: { check: TidinessRow }) =>
  check.judgedAt === null || check.given === null ? (
    <>{NOTHING}</>
  ) : (
    <span
      title={`${full(check.judgedAt)} ${check.judgedBy} 改判，原为“${tidinessResult.label(check.given)}”`}
    >
      {check.judgedBy}{' '}
      <small>
        原为{tidinessResult.label(check.given)} · {short(check.judgedAt)}
      </small>
    </span>
  )
