import { useEffect, useState } from 'react'

import { nowSeconds } from './time.ts'

const TICK_MS = 5_000
/** The time of day in seconds, anew each `every` ms, for pages that nobody touches. */
export function useNow(every = TICK_MS): number {
  const [now, setNow] = useState(nowSeconds)
  useEffect(() => {
    const timer = setInterval(() => setNow(nowSeconds()), every)
    return () => clearInterval(timer)
  }, [every])
  return now
}
