import { FEW_JUDGED, type Supervised } from '@zhuguan/contract/features/supervision/supervision.record.ts'

import { lasting } from '../../kit/time.ts'

const HOUR = 3_600
const DAY = 86_400
/** 40 分、19 小时、1.7 天: narrow, the exact time is in the hint. */
function roughly(seconds: number): string {
  if (seconds < HOUR) return `${Math.round(seconds / 60)} 分`
  if (seconds < DAY) return `${Math.round(seconds / HOUR)} 小时`
  return `${Math.round((seconds / DAY) * 10) / 10} 天`
}
/** Half were as fast, nine of ten were; of how many stands before it. */
export const Pace = ({ n, p50, p90 }: { n: number | null; p50: number | null; p90: number | null }) =>
  n && p50 !== null && p90 !== null ? (
    <small title={`一半在 ${lasting(p50)} 以内，九成在 ${lasting(p90)} 以内，共 ${n} 条；按自然时间算`}>
      {roughly(p50)} / {roughly(p90)}
    </small>
  ) : null

/** 比预期少 1.2 条, of judged records. */
export function againstExpected({ bad, expected }: Pick<Supervised, 'bad' | 'expected'>): string {
  const off = Math.round((bad - expected) * 10) / 10
  if (off === 0) return '和同类工地的预期一样'
  return `比同类工地的预期${off > 0 ? '多' : '少'} ${Math.abs(off)} 条没做好`
}
export const RankOf = ({ person: p }: { person: Supervised }) =>
  p.rank === null ? (
    <span title={`计入 ${p.judged} 条，少于 ${FEW_JUDGED} 条不排名`}>
      样本不足 <small>{p.judged} 条</small>
    </span>
  ) : (
    <span title={`${againstExpected(p)}，计入 ${p.judged} 条`}>
      {p.rank}/{p.ranked} <small>{p.judged} 条</small>
    </span>
  )
