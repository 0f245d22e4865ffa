import type { RecordingDay } from '@zhuguan/contract/features/recordings/recordings.record.ts'
import { useEffect, useRef, useState } from 'react'

import { shownAt } from '../../parts/video/film.ts'
import type { Player } from './usePlayer.ts'

/** So far apart two pictures may be, at the pace of the clock. */
const APART_S = 0.4
/** Between two corrections: a seek takes its time. */
const AGAIN_MS = 700
/** How long a seek takes, about: the clock goes on meanwhile. */
const SEEK_S = 0.12

/** One clock for two cameras: the second goes where the first is, at its pace, and says its own gaps. */
export function useTogether(first: Player, second: Player, day: RecordingDay | undefined): void {
  const asked = useRef({ to: 0, at: 0 })
  const [, lookAgain] = useState(0)
  useEffect(() => {
    const to = first.second()
    if (!day || to === null || second.busy || second.said?.failed) return undefined
    if (second.speed !== first.speed) second.hasten(first.speed)
    const [isThere, apart] = [shownAt(day.pieces, to), Math.abs((second.second() ?? -1) - to)]
    const isSaid = !!second.said
    const near = APART_S * (first.playing ? first.speed : 1)
    const isRight = isThere
      ? !isSaid && apart <= near && second.playing === first.playing
      : isSaid && apart <= near
    if (isRight) return undefined
    const now = performance.now()
    // Somebody who seeks is followed at once, a drift now and then.
    if (now - asked.current.at < AGAIN_MS && Math.abs(asked.current.to - to) < first.speed) {
      const timer = setTimeout(() => lookAgain(now), AGAIN_MS)
      return () => clearTimeout(timer)
    }
    asked.current = { to, at: now }
    const goesOn = first.playing && !!isThere
    void second.seek(goesOn ? to + SEEK_S * first.speed : to, goesOn)
    return undefined
  })
}
