import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { homePageApi } from '@zhuguan/contract/features/owners/home-page.api.ts'
import type { HomeState } from '@zhuguan/contract/features/owners/home-page.record.ts'
import { useEffect, useRef, useState } from 'react'

import { call } from '../../kit/api.ts'
import { isAway } from './away.ts'
import type { Bearer } from './bearer.ts'

const ALIVE_MS = 10_000
const ASKING_MS = 5_000
const FRESH_MS = 60_000

/** The page of an owner's link; nothing of it stays in the browser, and it goes dark when the link does. */
export function useHome(bearer: Bearer) {
  const [state, setState] = useState<HomeState | null>(null)
  const [dead, setDead] = useState('')
  const [away, setAway] = useState(false)
  const painted = useRef(false)

  const failed = (error: unknown) => {
    if (isAway(error)) return setAway(true)
    setState(null)
    setDead((error as Error).message)
  }
  const read = async () => {
    try {
      setState(await call(homePageApi.state, { body: bearer }))
      setAway(false)
    } catch (error) {
      failed(error)
    }
  }
  const ask = async () => {
    try {
      await call(homePageApi.alive, { body: bearer })
      setAway(false)
    } catch (error) {
      failed(error)
    }
  }
  useEffect(() => {
    void read()
  }, [])
  const asking = state?.state === 'asking'
  const bound = state?.state === 'bound'
  useEffect(() => {
    if (!asking && !bound) return
    const seen = (work: () => Promise<void>) => () => void (document.hidden || work())
    const soon = setInterval(seen(asking ? read : ask), asking ? ASKING_MS : ALIVE_MS)
    const fresh = setInterval(seen(read), FRESH_MS)
    const back = seen(read)
    document.addEventListener('visibilitychange', back)
    return () => {
      clearInterval(soon)
      clearInterval(fresh)
      document.removeEventListener('visibilitychange', back)
    }
  }, [asking, bound])
  useEffect(() => {
    if (!state || painted.current) return
    painted.current = true
    call(linksApi.painted, { body: bearer }).catch(() => {})
  }, [state])
  return { state, dead, away, read }
}
