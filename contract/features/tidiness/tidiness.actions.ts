import { tidinessResult } from '../sites/sites.record.ts'
import type { TidinessRow } from './tidiness.record.ts'

export const SKEWED = '这台摄像头的偏移报警还没有办结，画面不能作为整洁度的依据；请先处理报警'

/** Why a check cannot be given this result; nothing where it can. `skewed`: its camera has an open alarm for that. */
export function judgeRefusal(
  check: Pick<TidinessRow, 'result'>,
  to: number,
  skewed: boolean,
): string | undefined {
  if (to === check.result) return `现在的结果就是“${tidinessResult.label(to)}”，没有需要改判的`
  if (skewed && to !== tidinessResult.code.skewed) return SKEWED
  return undefined
}

/** The reason why nobody can be asked to tidy up what this check shows; nothing where somebody can. */
export function correctRefusal(check: Pick<TidinessRow, 'result' | 'correction_id'>): string | undefined {
  if (check.correction_id !== null) return '这次检查已经生成整改单'
  if (check.result !== tidinessResult.code.poor)
    return `只有“差”的检查才生成整改单，这次是“${tidinessResult.label(check.result)}”`
  return undefined
}
