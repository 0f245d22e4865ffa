/** A picture of a site with its camera and its time in seconds. */
export interface Shot {
  camera: string | null
  at: number | null
}
type Timed<T extends Shot> = T & { camera: string; at: number }

/** Of fewer days nothing is seen to move. */
export const LEAST_FILM_DAYS = 3
/** What is taken further from the hour than this is in another light. */
const SAME_HOUR = 3_600
const A_DAY = 86_400
const SHANGHAI = 8 * 3_600
const dayOf = (at: number) => Math.floor((at + SHANGHAI) / A_DAY)
const timeOf = (at: number) => (at + SHANGHAI) % A_DAY

const isTimed = <T extends Shot>(shot: T): shot is Timed<T> => shot.camera !== null && shot.at !== null
/** The picture of each day that is nearest to that time of day, the earliest day first. */
function atTime<T extends Shot>(shots: readonly Timed<T>[], time: number): T[] {
  const off = ({ at }: Shot) => Math.abs(timeOf(at!) - time)
  const days = new Map<number, Timed<T>>()
  for (const shot of shots) {
    const before = days.get(dayOf(shot.at))
    if (off(shot) <= SAME_HOUR && (!before || off(shot) < off(before))) days.set(dayOf(shot.at), shot)
  }
  return [...days.values()].toSorted((a, b) => a.at - b.at)
}

/**
 * One picture a day of one camera at one hour, as a film is made of them: of the camera and the hour that have most
 * days. Empty where they are too few.
 */
export function filmOf<T extends Shot>(shots: readonly T[]): T[] {
  let best: T[] = []
  for (const same of Map.groupBy(shots.filter(isTimed), (s) => s.camera).values())
    for (const time of new Set(same.map((s) => timeOf(s.at)))) {
      const film = atTime(same, time)
      if (film.length > best.length) best = film
    }
  return best.length < LEAST_FILM_DAYS ? [] : best
}
