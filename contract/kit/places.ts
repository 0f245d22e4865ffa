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
/** Metres of a degree of latitude, everywhere alike. */
export const DEGREE_M = 111_320
/** Metres to the east and the north from one place to another that is not far away. */
export const offset = (from: Place, to: Place): { east: number; north: number } => ({
  east: Math.round((to.lng - from.lng) * DEGREE_M * Math.cos(radians(from.lat))),
  north: Math.round((to.lat - from.lat) * DEGREE_M),
})
const AXIS = 6_378_245
const FLATTENING = 0.006_693_421_622_965_943
const waves = (of: number, twelfth: number, thirtieth: number) =>
  20 * Math.sin(of * Math.PI) +
  40 * Math.sin((of / 3) * Math.PI) +
  twelfth * Math.sin((of / 12) * Math.PI) +
  thirtieth * Math.sin((of / 30) * Math.PI)
/** What a phone measures (WGS-84) as Chinese maps have it (GCJ-02): some hundred metres apart. */
export function fromPhone({ lng, lat }: Place): Place {
  const [x, y] = [lng - 105, lat - 35]
  const ripple = 20 * Math.sin(6 * x * Math.PI) + 20 * Math.sin(2 * x * Math.PI)
  const far = Math.sqrt(Math.abs(x))
  const north =
    2 * x - 100 + 3 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * far + ((ripple + waves(y, 160, 320)) * 2) / 3
  const east =
    x + 300 + 2 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * far + ((ripple + waves(x, 150, 300)) * 2) / 3
  const angle = radians(lat)
  const bulge = 1 - FLATTENING * Math.sin(angle) ** 2
  return {
    lng: lng + east / radians((AXIS / Math.sqrt(bulge)) * Math.cos(angle)),
    lat: lat + north / radians((AXIS * (1 - FLATTENING)) / (bulge * Math.sqrt(bulge))),
  }
}
/** 350 米, 1.2 公里, with the space that stands before a number in a sentence. */
export const distanceText = (m: number): string =>
  m < 1_000 ? ` ${Math.round(m)} 米` : ` ${(m / 1_000).toFixed(m < 10_000 ? 1 : 0)} 公里`
