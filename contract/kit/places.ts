export interface Place {
  lng: number
  lat: number
}
const EARTH_METRES = 6_371_000
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Along the ground between two places. */
export function metres(a: Place, b: Place): number {
  const h =
    Math.sin(radians(b.lat - a.lat) / 2) ** 2 +
    Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(radians(b.lng - a.lng) / 2) ** 2
  return 2 * EARTH_METRES * Math.asin(Math.sqrt(h))
}
/** 350 米, 1.2 公里, with the space that stands before a number in a sentence. */
export const distanceText = (m: number): string =>
  m < 1_000 ? ` ${Math.round(m)} 米` : ` ${(m / 1_000).toFixed(m < 10_000 ? 1 : 0)} 公里`
