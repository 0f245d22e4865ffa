import { liveApi, type LiveEvent, type LiveTopic } from '@zhuguan/contract/features/live/live.api.ts'
import { useEffect, useRef, useSyncExternalStore } from 'react'

import { noteSeen, sessionHeaders, token, unwrap } from './api.ts'
import { gather } from './gather.ts'
import { usePage } from './page.tsx'

type Handler = (event: LiveEvent | null) => void
const handlers = new Set<Handler>()
const watchers = new Set<() => void>()
/** When something was last told of a topic: a page that was out of sight has heard nothing of it. */
const told = new Map<string, number>()
let connected = false
let started = false
const setConnected = (on: boolean) => {
  if (on === connected) return
  connected = on
  for (const w of watchers) w()
}

const WAIT_MS = [500, 1_000, 2_000, 5_000, 10_000]
const BEAT_MS = 25_000
const EVERY_MS = 1_000
/** For pages of figures: each asks for sums over many rows. */
export const FIGURES_MS = 5_000
/** For so long, or until the network is back. */
const pause = (ms: number) =>
  new Promise<void>((done) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      done()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
  })

/** Reads the server's stream with headers (EventSource cannot send them) and comes back where it stopped. */
async function run(): Promise<void> {
  let last = ''
  for (let tries = 0; token(); tries += 1) {
    const silence = new AbortController()
    const isGone = () => silence.abort()
    addEventListener('offline', isGone)
    let timer = setTimeout(() => silence.abort(), BEAT_MS * 2)
    try {
      const response = await fetch(liveApi.stream.path, {
        headers: { ...sessionHeaders(), ...(last ? { 'last-event-id': last } : {}) },
        signal: silence.signal,
        cache: 'no-store',
      })
      // A session that ended while nothing was clicked says so now, not at the next click.
      if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
        throw await unwrap(response)
      setConnected(true)
      tries = 0
      let buffer = ''
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (;;) {
        const { value, done } = await reader.read()
        if (done) break
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), BEAT_MS * 2)
        buffer += value
        const blocks = buffer.split('\n\n')
        buffer = blocks.pop()!
        for (const block of blocks) {
          const field = (name: string) =>
            block
              .split('\n')
              .find((line) => line.startsWith(`${name}: `))
              ?.slice(name.length + 2)
          last = field('id') ?? last
          noteSeen(field('seen'))
          const kind = field('event')
          if (kind === 'change') {
            const change = JSON.parse(field('data')!) as LiveEvent
            told.set(change.topic, performance.now())
            for (const h of handlers) h(change)
          }
          // Too much was missed: whoever listens fetches anew.
          else if (kind === 'reset') for (const h of handlers) h(null)
        }
      }
    } catch {
      // The next round connects again.
    } finally {
      clearTimeout(timer)
      removeEventListener('offline', isGone)
      setConnected(false)
    }
    await pause(WAIT_MS[Math.min(tries, WAIT_MS.length - 1)]!)
  }
}

export interface LiveOptions {
  /** Milliseconds between two calls of the handler; figures of many rows ask seldomer than one list. */
  every?: number
  /** The changes that concern the page; without it all of the topics do. */
  only?: (event: LiveEvent) => boolean
}
/** The events since the last call; null after a gap that was too long to tell. */
export type Bundle = readonly LiveEvent[] | null

/**
 * Calls the handler with what changed under these topics: at once for the first change, then a bundle at most every
 * `every` milliseconds, never while its last promise is still pending, and not while nobody looks at the page.
 */
export function useLive(
  topics: readonly LiveTopic[],
  handler: (bundle: Bundle) => unknown,
  { every = EVERY_MS, only }: LiveOptions = {},
): void {
  const page = usePage()
  const latest = useRef({ handler, only, active: page.active, every })
  latest.current = { handler, only, active: page.active, every }
  const wake = useRef(() => {})
  const wanted = topics.join(',')
  const left = useRef(Infinity)
  useEffect(() => {
    if (!started) {
      started = true
      void run()
    }
    const gathered = gather<LiveEvent>(
      (bundle) => latest.current.handler(bundle),
      () => latest.current.active && !document.hidden,
      () => latest.current.every,
    )
    wake.current = gathered.wake
    const mine: Handler = (e) => {
      const concerns =
        e === null || (wanted.split(',').includes(e.topic) && (latest.current.only?.(e) ?? true))
      if (concerns) gathered.add(e)
    }
    handlers.add(mine)
    if (wanted.split(',').some((topic) => told.get(topic)! >= left.current)) mine(null)
    document.addEventListener('visibilitychange', gathered.wake)
    return () => {
      left.current = performance.now()
      handlers.delete(mine)
      document.removeEventListener('visibilitychange', gathered.wake)
      gathered.close()
    }
  }, [wanted])
  useEffect(() => {
    if (page.active) wake.current()
  }, [page.active])
}

/** Whether the browser has a network at all. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    (fn) => {
      addEventListener('online', fn)
      addEventListener('offline', fn)
      return () => {
        removeEventListener('online', fn)
        removeEventListener('offline', fn)
      }
    },
    () => navigator.onLine,
  )

export const useConnected = (): boolean =>
  useSyncExternalStore(
    (fn) => {
      watchers.add(fn)
      return () => watchers.delete(fn)
    },
    () => connected,
  )
