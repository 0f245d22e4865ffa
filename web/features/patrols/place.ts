import type { PatrolRow } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { distanceText } from '@zhuguan/contract/kit/places.ts'

/** The inspector's place, in words. */
export function placeText({ place, distance }: Pick<PatrolRow, 'place' | 'distance'>): string {
  if (place === 'unknown' || distance === null) return '签到没有定位'
  return place === 'far'
    ? `签到地点离工地${distanceText(distance)}，已标记`
    : `已在工地签到，相距${distanceText(distance)}`
}
