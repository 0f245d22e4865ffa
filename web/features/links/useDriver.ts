import { driverApi } from '@zhuguan/contract/features/dispatch/driver.api.ts'
import type { DriverState } from '@zhuguan/contract/features/dispatch/driver.record.ts'
import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { useEffect, useRef, useState } from 'react'

import { call } from '../../kit/api.ts'
import { shelf } from '../../kit/shelf.ts'
import { nowSeconds } from '../../kit/time.ts'
import { isAway } from './away.ts'
import type { Bearer } from './bearer.ts'
import { type Act, actsOf, dropAct, keepAct, sendAct } from './outbox.ts'

const states = shelf<DriverState>('driver')
const AGAIN_MS = 5_000
const FRESH_MS = 60_000

/** What a driver's link shows and what was done behind it: kept here until the server has it. */
export function useDriver(bearer: Bearer) {
  const { token } = bearer
  const [state, setState] = useState<DriverState | null>(null)
  const [acts, setActs] = useState<Act[]>([])
  const [away, setAway] = useState(false)
  const [dead, setDead] = useState('')
  const busy = useRef(false)
  const painted = useRef(false)

  /** Nothing of where somebody lives stays on the telephone. */
  async function over(why: string): Promise<void> {
    setDead(why)
    await states.remove(token).catch(() => {})
  }
  async function read(): Promise<void> {
    try {
      const fresh = await call(driverApi.state, { body: bearer })
      setState(fresh)
      setAway(false)
      await states.put(token, fresh).catch(() => {})
    } catch (error) {
      if (!isAway(error)) return over((error as Error).message)
      setAway(true)
      const before = await states.get(token).catch(() => undefined)
      if (before && before.expiresAt <= nowSeconds()) return over('这个链接已经过期')
      setState((now) => now ?? before ?? null)
    }
  }
  /** One after the other, in their order; the first that finds no network leaves the rest for later. */
  async function send(): Promise<void> {
    if (busy.current) return
    busy.current = true
    try {
      for (const a of await actsOf(token)) {
        if (a.why) continue
        try {
          await sendAct(bearer, a)
          await dropAct(a)
          setAway(false)
        } catch (error) {
          if (isAway(error)) return setAway(true)
          await keepAct({ ...a, why: (error as Error).message })
        }
        // The stop first: between the two nobody is asked to hand over again.
        await read()
        setActs(await actsOf(token))
      }
    } finally {
      busy.current = false
    }
  }
  useEffect(() => {
    const go = () => void send().then(read)
    void actsOf(token).then(setActs, () => {})
    go()
    const again = setInterval(() => void send(), AGAIN_MS)
    const fresh = setInterval(() => !document.hidden && go(), FRESH_MS)
    const leave = () => setAway(true)
    addEventListener('online', go)
    addEventListener('offline', leave)
    return () => {
      clearInterval(again)
      clearInterval(fresh)
      removeEventListener('online', go)
      removeEventListener('offline', leave)
    }
  }, [token])
  // The page is there: now it has been opened, and not before.
  useEffect(() => {
    if (!state || away || painted.current) return
    painted.current = true
    call(linksApi.painted, { body: bearer }).catch(async (error: Error) => {
      if (!isAway(error)) await over(error.message)
    })
  }, [state, away])

  return {
    state,
    acts,
    away,
    dead,
    read,
    /** Kept first, then sent: what was done is never lost with the network. */
    async do(act: Act): Promise<void> {
      await keepAct(act)
      setActs(await actsOf(token))
      void send()
    },
    async drop(act: Act): Promise<void> {
      await dropAct(act)
      setActs(await actsOf(token))
    },
  }
}
export type Driver = ReturnType<typeof useDriver>
