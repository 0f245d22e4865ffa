import { wallsApi } from '@zhuguan/contract/features/walls/walls.api.ts'
import type { PlacedCamera, WallSize } from '@zhuguan/contract/features/walls/walls.record.ts'
import { useEffect, useRef, useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { useKeep } from '../../kit/kept.ts'
import { PAGE, ring, type TurnFilter } from './ring.ts'
import { freeOf, type Pins, pinsOf, type Tile, tilesOf, turned } from './tiles.ts'

export const SECONDS = [10, 15, 20, 30, 60] as const
export const KEPT_WALL = 'cameraWall'
/** The states of the cameras on the wall, while nobody turns it. */
const REFRESH_MS = 15_000

/** The records that stay with the account. */
export interface Shape {
  size: WallSize
  bc: string
  sites: readonly { id: string; name: string }[]
  seconds: number
  pins: Pins
}
export const FIRST: Shape = { size: 6, bc: '', sites: [], seconds: 20, pins: [] }

const filterOf = ({ bc, sites }: Shape): TurnFilter => ({
  ...(bc ? { bc_id: [bc] } : {}),
  ...(sites.length ? { site_id: sites.map((s) => s.id) } : {}),
})
interface Known {
  cameras: ReadonlyMap<string, PlacedCamera>
  /** The values of the filter. */
  total: number
  /** On some of their sites nobody works now. */
  asks: boolean
}

/** The wall: which camera stands where, the turn through all others, and what is known of those that are shown. */
export function useWall(first: Shape) {
  const [shape, setShape] = useState(first)
  const [tiles, setTiles] = useState<readonly Tile[]>(() => tilesOf(first.pins))
  const [known, setKnown] = useState<Known>()
  const [error, setError] = useState<Error | null>(null)
  const keep = useKeep()
  const asked = JSON.stringify(filterOf(shape))
  const turn = useRef<{ asked: string; ring: ReturnType<typeof ring> }>(undefined)
  const stop = useRef(new AbortController())

  const visible = tiles.slice(0, shape.size)
  const ids = visible.flatMap((t) => t.id ?? [])
  const shown = useRef(ids)
  shown.current = ids
  /** What is shown no longer is forgotten. */
  const note = (cameras: readonly PlacedCamera[], told: Partial<Omit<Known, 'cameras'>>) =>
    setKnown((old) => ({
      total: old?.total ?? 0,
      asks: old?.asks ?? false,
      ...told,
      cameras: new Map([
        ...[...(old?.cameras ?? [])].filter(([id]) => shown.current.includes(id)),
        ...cameras.map((c) => [c.id, c] as const),
      ]),
    }))

  /** The next cameras come to the places that turn. */
  async function advance(): Promise<void> {
    stop.current.abort()
    const { signal } = (stop.current = new AbortController())
    if (turn.current?.asked !== asked) turn.current = { asked, ring: ring(filterOf(shape)) }
    const through = turn.current.ring
    const pins = new Set(tiles.slice(0, shape.size).flatMap((t) => (t.pinned && t.id ? [t.id] : [])))
    try {
      const cameras = await through.take(freeOf(tiles, shape.size).length, pins, signal)
      if (signal.aborted) return
      setError(null)
      note(cameras, { ...through.told })
      setTiles((old) =>
        turned(
          old,
          shape.size,
          cameras.map((c) => c.id),
        ),
      )
    } catch (failure) {
      if (!signal.aborted) setError(failure as Error)
    }
  }
  useEffect(() => {
    void advance()
    return () => stop.current.abort()
  }, [asked, shape.size])

  const looked = ids.join(',')
  useEffect(() => {
    if (!looked) return
    const end = new AbortController()
    const look = () => {
      if (document.visibilityState === 'visible')
        callAddressed(wallsApi.cameras, { ids: looked.split(','), pageSize: PAGE }, end.signal).then(
          ({ list, asks }) => note(list, { asks }),
          // How old what is shown is says that nothing newer has come.
          () => {},
        )
    }
    look()
    const timer = setInterval(look, REFRESH_MS)
    return () => {
      end.abort()
      clearInterval(timer)
    }
  }, [looked])

  function save(to: Partial<Shape>): void {
    const next = { ...shape, ...to }
    setShape(next)
    void keep(KEPT_WALL, { ...next }).catch(() => {})
  }
  return {
    shape,
    tiles: visible,
    known,
    error,
    advance,
    reshape: save,
    /** Another order of the places, or other pins. */
    arrange(change: (tiles: readonly Tile[]) => readonly Tile[]): void {
      const next = change(tiles)
      setTiles(next)
      save({ pins: pinsOf(next) })
    },
  }
}
