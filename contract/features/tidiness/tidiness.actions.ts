import { tidinessResult } from '../sites/sites.record.ts'
import type { TidinessRow } from './tidiness.record.ts'

/** Why a check cannot be given this result; nothing where it can. `skewed`: its camera has an open alarm for that. */
export function judgeRefusal(
  check: Pick<TidinessRow, 'result'>,
  to: number,
  skewed: boolean,
): string | undefined {
  if (to === check.result) return `现在的结果就是“${tidinessResult.label(to)}”，没有需要改判的`
  if (skewed && to !== tidinessResult.code.skewed)
    return '这台摄像头的偏移报警还没有办结，画面不能作为整洁度的依据；请先处理报警，再改判'
  return undefined
}
