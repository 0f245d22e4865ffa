import type { CardPlace } from '@zhuguan/contract/features/home/home.record.ts'

export const PER_ROW = 12
/** Narrower or lower a card says nothing; saved places of before may be. */
export const LEAST = { w: 3, h: 2 }
export const MOST = { w: PER_ROW, h: 8 }
/** The height of a card that is put on the page. */
const NEW = { w: 4, h: 2 }

type Place = CardPlace
const hits = (a: Place, b: Place) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
/** Top to bottom, left to right, as they are read. */
export const ordered = (places: readonly Place[]): Place[] =>
  [...places].sort((a, b) => a.y - b.y || a.x - b.x)

/** No two over each other and no hole above any; of two at one place the `first` stays. */
export function packed(places: readonly Place[], first?: Place['card']): Place[] {
  const done: Place[] = []
  const queue = [...places].sort(
    (a, b) => a.y - b.y || Number(b.card === first) - Number(a.card === first) || a.x - b.x,
  )
  for (const place of queue) {
    const put = { ...place, x: Math.max(0, Math.min(place.x, PER_ROW - place.w)) }
    const isFree = (y: number) => !done.some((d) => hits({ ...put, y }, d))
    while (put.y > 0 && isFree(put.y - 1)) put.y -= 1
    while (!isFree(put.y)) put.y += 1
    done.push(put)
  }
  return ordered(done)
}

/** Changes places with the one before or after it. */
export function moved(places: readonly Place[], card: Place['card'], by: 1 | -1): Place[] {
  const row = ordered(places)
  const from = row.findIndex((p) => p.card === card)
  const [one, other] = [row[from], row[from + by]]
  if (!one || !other) return row
  return packed(
    row.map((p) => {
      if (p === one) return { ...p, x: other.x, y: other.y }
      return p === other ? { ...p, x: one.x, y: one.y } : p
    }),
    by < 0 ? card : other.card,
  )
}

export const resized = (
  places: readonly Place[],
  card: Place['card'],
  by: { w?: number; h?: number },
): Place[] =>
  packed(
    places.map((p) =>
      p.card === card
        ? {
            ...p,
            w: Math.max(LEAST.w, Math.min(MOST.w, p.w + (by.w ?? 0))),
            h: Math.max(LEAST.h, Math.min(MOST.h, p.h + (by.h ?? 0))),
          }
        : p,
    ),
    card,
  )

/** A card that was not there comes last. */
export const added = (places: readonly Place[], card: Place['card']): Place[] =>
  packed([...places, { card, x: 0, y: Math.max(0, ...places.map((p) => p.y + p.h)), ...NEW }])
