import { wallsApi } from '@zhuguan/contract/features/walls/walls.api.ts'
import { MOST_TILES, type PlacedCamera } from '@zhuguan/contract/features/walls/walls.record.ts'
import type { AddressOf } from '@zhuguan/contract/kit/api.ts'

import { callAddressed } from '../../kit/api.ts'

/** As many as a wall shows and pins, twice: of several pages there are always enough for the next turn. */
export const PAGE = 2 * MOST_TILES

export type TurnFilter = Pick<AddressOf<typeof wallsApi.cameras>, 'bc_id' | 'site_id'>

/** All cameras of a filter one after the other, from the beginning again after the last. */
export function ring(filter: TurnFilter) {
  let ahead: PlacedCamera[] = []
  let next: string | null = null
  const told = { total: 0, asks: false }
  return {
    /** How many there are, and whether on some of their sites nobody works now. */
    told,
    /** The next `count` that are not among `without`; fewer where there are no more. */
    async take(count: number, without: ReadonlySet<string>, signal: AbortSignal): Promise<PlacedCamera[]> {
      const taken: PlacedCamera[] = []
      let isWhole = false
      while (taken.length < count) {
        const one = ahead.shift()
        if (one) {
          if (!without.has(one.id) && !taken.some((t) => t.id === one.id)) taken.push(one)
          continue
        }
        if (isWhole) break
        const query = { ...filter, pageSize: PAGE, ...(next ? { after: next } : {}) }
        const page = await callAddressed(wallsApi.cameras, query, signal)
        // All of them are on one page: there are no others to look for.
        isWhole = !next && !page.next
        if (!next || page.list.length > 0) Object.assign(told, { total: page.total, asks: page.asks })
        ahead = page.list
        next = page.next
      }
      return taken
    },
  }
}
