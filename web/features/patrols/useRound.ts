import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import type { WallCamera, WallSite } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import type { AddressOf, DataOf } from '@zhuguan/contract/kit/api.ts'
import { useEffect, useRef, useState } from 'react'

import { call, callAddressed } from '../../kit/api.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { openOf } from './waiting.ts'

const PAGE = 50
const REFRESH_MS = 1_000

export type RoundFilter = Pick<
  AddressOf<typeof patrolsApi.wall>,
  'bc_id' | 'site_id' | 'stage' | 'due' | 'before'
>
export type Judged = DataOf<typeof patrolsApi.remote> & { tidiness: number }
export interface Round {
  sites: WallSite[]
  /** Cameras that are online have a live picture. */
  live: boolean
  progress: DataOf<typeof patrolsApi.wall>['progress']
}

/**
 * The sites of one round, first what nobody has looked at for the longest. The order stays while it is walked; what is
 * judged goes to the end of the next one, so that a round goes on where it was left, on whatever machine.
 */
export function useRound(filter: RoundFilter) {
  const asked = JSON.stringify(filter)
  const [round, setRound] = useState<Round | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const next = useRef<string | null>(null)
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    setRound(null)
    callAddressed(patrolsApi.wall, { ...filter, pageSize: PAGE }, stop.signal).then(
      (first) => {
        next.current = first.next
        setError(null)
        setRound({ sites: first.list, live: first.live, progress: first.progress })
      },
      (failure: Error) => !stop.signal.aborted && setError(failure),
    )
    return () => stop.abort()
  }, [asked, turn])
  const more = useRef(false)
  /** The page after the last, asked for before it is needed. */
  async function ahead() {
    if (!next.current || more.current) return
    more.current = true
    try {
      const page = await callAddressed(patrolsApi.wall, { ...filter, pageSize: PAGE, after: next.current })
      next.current = page.next
      setRound(
        (old) =>
          old && {
            ...old,
            // What was judged meanwhile comes again at the end of the list: it has its place already.
            sites: [...old.sites, ...page.list.filter((s) => !old.sites.some((o) => o.id === s.id))],
          },
      )
    } catch {
      // The next step asks again.
    } finally {
      more.current = false
    }
  }
  /** One more was looked at today, and with it one of its tasks is done. */
  function seen(site: WallSite, task: string | undefined) {
    const tasks = site.tasks.filter((t) => t.id !== task)
    const [before, after] = [openOf(site), openOf({ ...site, tasks })]
    const overs = [before, after].map((open) => open.some((t) => t.closesAt < nowSeconds()))
    setRound(
      (old) =>
        old && {
          ...old,
          progress: {
            ...old.progress,
            seen: Math.min(old.progress.sites, old.progress.seen + (seenToday(site) ? 0 : 1)),
            due: Math.max(0, old.progress.due - (before.length > 0 && after.length === 0 ? 1 : 0)),
            over: Math.max(0, old.progress.over - (overs[0] && !overs[1] ? 1 : 0)),
          },
          sites: old.sites.map((s) =>
            s.id === site.id ? { ...s, tasks, lastRemote: Date.now() / 1000 } : s,
          ),
        },
    )
  }
  return { round, error, ahead, seen, again: () => setTurn((n) => n + 1) }
}
export const seenToday = (site: Pick<WallSite, 'lastRemote'>): boolean =>
  site.lastRemote !== null && dayOf(site.lastRemote) === dayOf(nowSeconds())

/** The pictures of these cameras, asked for again and again while somebody looks. */
export function useStills(cameras: readonly WallCamera[]): (camera: WallCamera) => WallCamera {
  const ids = cameras.map((c) => c.id).join(',')
  const [stills, setStills] = useState<ReadonlyMap<string, WallCamera>>(new Map())
  useEffect(() => {
    if (!ids) return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const look = async () => {
      if (document.visibilityState === 'visible')
        try {
          const list = await call(patrolsApi.stills, { query: { ids: ids.split(',') } }, stop.signal)
          setStills((old) =>
            list.every((c) => isSame(old.get(c.id), c))
              ? old
              : new Map(list.map((c) => [c.id, isSame(old.get(c.id), c) ? old.get(c.id)! : c])),
          )
        } catch {
          // The age of what is shown says that nothing newer has come.
        }
      if (!stop.signal.aborted) timer = setTimeout(() => void look(), REFRESH_MS)
    }
    void look()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [ids])
  return (camera) => stills.get(camera.id) ?? camera
}
const isSame = (a: WallCamera | undefined, b: WallCamera): boolean =>
  a?.picture === b.picture && a.pictureAt === b.pictureAt && a.deviceStatus === b.deviceStatus
