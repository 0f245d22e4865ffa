import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { sharePageApi } from '@zhuguan/contract/features/shares/share-page.api.ts'
import type { SharePage } from '@zhuguan/contract/features/shares/share-page.record.ts'
import { SEEN_EVERY_SECONDS, type shareSection } from '@zhuguan/contract/features/shares/shares.record.ts'
import type { Code } from '@zhuguan/contract/kit/codes.ts'
import { useEffect, useRef, useState } from 'react'

import { call } from '../../kit/api.ts'
import { isAway } from './away.ts'
import type { Bearer } from './bearer.ts'

type Section = Code<typeof shareSection>
const SECOND_MS = 1_000

/**
 * What a customer's link shows. While it is in sight it says so every ten seconds, and asks with that whether it still
 * may be shown: what is taken back goes dark.
 */
export function useShare(bearer: Bearer) {
  const [page, setPage] = useState<SharePage | null>(null)
  const [dead, setDead] = useState(false)
  const [away, setAway] = useState(false)
  const seconds = useRef(0)
  const looked = useRef(new Set<Section>())

  async function guard<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await work()
      setAway(false)
      return answer
    } catch (error) {
      if (isAway(error)) setAway(true)
      else {
        setPage(null)
        setDead(true)
      }
      return undefined
    }
  }
  const read = async () => {
    const answer = await guard(() => call(sharePageApi.state, { body: bearer }))
    if (answer) setPage(answer)
  }
  const tell = async () => {
    const said = Math.min(seconds.current, SEEN_EVERY_SECONDS)
    seconds.current = 0
    await guard(() =>
      call(sharePageApi.seen, { body: { ...bearer, seconds: said, looked: [...looked.current] } }),
    )
  }
  useEffect(() => {
    void read()
  }, [])
  const isOpen = page !== null
  useEffect(() => {
    if (!isOpen) return
    // A page that lies behind another one draws nothing: its opening counts when it is there to be seen. What is lost
    // on the way, the next word of the page says.
    const draws = [requestAnimationFrame(() => draws.push(requestAnimationFrame(said)))]
    const said = () => void call(linksApi.painted, { body: bearer }).catch(() => {})
    return () => draws.forEach(cancelAnimationFrame)
  }, [isOpen])
  useEffect(() => {
    if (!isOpen) return
    let beats = 0
    const timer = setInterval(() => {
      if (document.hidden) return
      seconds.current += 1
      if (seconds.current < SEEN_EVERY_SECONDS) return
      beats += 1
      // Now and then all of it: what fell out of it is gone, what was added is there.
      void tell().then(() => (beats % 3 === 0 ? read() : undefined))
    }, SECOND_MS)
    const turned = () => void tell()
    document.addEventListener('visibilitychange', turned)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', turned)
    }
  }, [isOpen])
  return { page, dead, away, read, look: (section: Section) => looked.current.add(section) }
}
