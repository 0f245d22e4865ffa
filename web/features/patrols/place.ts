import type { PatrolRow } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { distanceText } from '@zhuguan/contract/kit/places.ts'

const WAIT_MS = 10_000
interface Where {
  lng?: number
  lat?: number
  accuracy?: number
}
/** Where the phone is; nothing where it does not say, or where the page may not ask (plain HTTP). */
export function locate(): Promise<Where> {
  const geo = window.isSecureContext ? navigator.geolocation : undefined
  if (!geo) return Promise.resolve({})
  return new Promise((done) =>
    geo.getCurrentPosition(
      ({ coords }) => done({ lng: coords.longitude, lat: coords.latitude, accuracy: coords.accuracy }),
      () => done({}),
      { enableHighAccuracy: true, timeout: WAIT_MS, maximumAge: 60_000 },
    ),
  )
}

/** Where the inspector stood, in words. */
export function placeText({ place, distance }: Pick<PatrolRow, 'place' | 'distance'>): string {
  if (place === 'unknown' || distance === null) return '签到没有定位'
  return place === 'far'
    ? `签到地点离工地${distanceText(distance)}，已标记`
    : `已在工地签到，相距${distanceText(distance)}`
}
