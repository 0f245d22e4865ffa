import type { Piece } from './gateway.ts'

interface Kept {
  piece: Promise<Piece>
  /** Until when it is good; while it is on its way, for all who ask. */
  until: number
  bytes: number
}

/** Pieces that many look at are fetched once: by name, good for a moment, all together bounded. */
export function keptPieces(mostBytes: number) {
  const kept = new Map<string, Kept>()
  let bytes = 0
  function drop(key: string, one: Kept): void {
    if (kept.get(key) !== one) return
    kept.delete(key)
    bytes -= one.bytes
  }
  function makeRoom(): void {
    for (const [key, one] of kept) {
      if (bytes <= mostBytes && one.until > performance.now()) break
      if (one.bytes > 0) drop(key, one)
    }
  }
  return {
    get(key: string, goodMs: number, fetchIt: () => Promise<Piece>): Promise<Piece> {
      const had = kept.get(key)
      if (had && had.until > performance.now()) return had.piece
      if (had) drop(key, had)
      const one: Kept = { piece: fetchIt(), until: Infinity, bytes: 0 }
      kept.set(key, one)
      one.piece.then(
        (piece) => {
          if (kept.get(key) !== one) return
          one.until = performance.now() + goodMs
          one.bytes = Math.max(1, piece.bytes.length)
          bytes += one.bytes
          makeRoom()
        },
        () => drop(key, one),
      )
      return one.piece
    },
    bytes: () => bytes,
  }
}
