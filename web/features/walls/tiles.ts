import { MOST_TILES } from '@zhuguan/contract/features/walls/walls.record.ts'

/** A place of the wall: which camera it shows, and whether that stays when the others turn. */
export interface Tile {
  id: string | null
  pinned: boolean
}
export type Pins = readonly (string | null)[]

/** Places beyond the wall's size keep what is pinned to them. */
export const tilesOf = (pins: Pins): Tile[] =>
  Array.from({ length: MOST_TILES }, (_, i) => ({ id: pins[i] ?? null, pinned: !!pins[i] }))
export const pinsOf = (tiles: readonly Tile[]): Pins => tiles.map((t) => (t.pinned ? t.id : null))
/** Those that turn, among the first `size`. */
export const freeOf = (tiles: readonly Tile[], size: number): number[] =>
  tiles.slice(0, size).flatMap((t, i) => (t.pinned ? [] : [i]))

/** The next cameras in the places that turn, in their order; a place that none is left for is empty. */
export function turned(tiles: readonly Tile[], size: number, ids: readonly string[]): Tile[] {
  const free = freeOf(tiles, size)
  return tiles.map((t, i) => (t.pinned ? t : { id: ids[free.indexOf(i)] ?? null, pinned: false }))
}
/** Pinned where it stands, or turning again from the next turn on. */
export const pinned = (tiles: readonly Tile[], at: number, on: boolean): Tile[] =>
  tiles.map((t, i) => (i === at && t.id ? { ...t, pinned: on } : t))
/** A camera goes to another place, and what was there to its own; who puts a camera somewhere wants it to stay. */
export function moved(tiles: readonly Tile[], from: number, to: number): Tile[] {
  const [a, b] = [tiles[from], tiles[to]]
  if (!a?.id || !b || from === to) return [...tiles]
  return tiles.map((t, i) => {
    if (i === to) return { id: a.id, pinned: true }
    return i === from ? b : t
  })
}
/** A camera that is chosen by name: in the first place that turns; none is left when all are pinned. */
export function placed(tiles: readonly Tile[], size: number, id: string): Tile[] | undefined {
  const at = tiles.findIndex((t, i) => i < size && t.id === id)
  if (at >= 0) return pinned(tiles, at, true)
  const [first] = freeOf(tiles, size)
  return first === undefined ? undefined : tiles.map((t, i) => (i === first ? { id, pinned: true } : t))
}
