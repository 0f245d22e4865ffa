import type { PaintedScene } from '@zhuguan/contract/features/screens/walls-content.record.ts'
import { useEffect, useState } from 'react'

import { isReady, type Pictures } from './usePictures.ts'

const LEAST_MS = 5_000

/** The next scene that can be painted whole, from `from` on in the direction `by`; none: nothing can. */
export function nextOf(
  scenes: readonly PaintedScene[],
  pictures: Pictures,
  from: number,
  by: 1 | -1 = 1,
): number | undefined {
  const n = scenes.length
  for (let step = 0; step < n; step += 1) {
    const place = (((from + by * step) % n) + n) % n
    if (isReady(scenes[place]!, pictures)) return place
  }
  return undefined
}

/**
 * One scene after the other. What is shown no more is gone with the same drawing, and what comes in its place is whole;
 * where nothing is left, nothing is answered, and the house has its own scene.
 */
export function useRotation(
  scenes: readonly PaintedScene[],
  pictures: Pictures,
  { paused = false, onTurn }: { paused?: boolean; onTurn?: () => void } = {},
): { scene: PaintedScene | undefined; place: number; go: (by: 1 | -1) => void } {
  const [now, setNow] = useState<{ key: string; place: number; turn: number }>({ key: '', place: 0, turn: 0 })
  const found = scenes.findIndex((s) => s.key === now.key)
  const stays = found >= 0 && isReady(scenes[found]!, pictures)
  const place = (stays ? found : nextOf(scenes, pictures, now.place)) ?? -1
  const scene = scenes[place]
  const go = (by: 1 | -1) => {
    const next = nextOf(scenes, pictures, place + by, by)
    if (next !== undefined) setNow((old) => ({ key: scenes[next]!.key, place: next, turn: old.turn + 1 }))
  }
  useEffect(() => {
    if (paused || !scene) return
    const timer = setTimeout(
      () => {
        onTurn?.()
        go(1)
      },
      Math.max(LEAST_MS, scene.seconds * 1_000),
    )
    return () => clearTimeout(timer)
  }, [scene?.key, now.turn, paused, scenes.length])
  return { scene, place, go }
}
