import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { threadPageApi } from '@zhuguan/contract/features/threads/thread-page.api.ts'
import type { OwnMessage } from '@zhuguan/contract/features/threads/thread-page.record.ts'
import { useEffect, useRef, useState } from 'react'

import { ApiError, call, callForBytes, randomUuid, upload } from '../kit/api.ts'
import { shelf } from '../kit/shelf.ts'
import { nowSeconds } from '../kit/time.ts'

/** The values that go along with every call behind a link. */
export interface HomeBearer {
  token: string
  pass: string
  device: string
}
/** What was written and is not sent; its own number makes it one message however often it is sent. */
export interface Unsent {
  act: string
  token: string
  at: number
  words: string
  photos: Blob[]
  /** What the server calls the pictures, as far as it has them. */
  keys: string[]
  /** The reason why the server refused it. */
  why?: string
}
const unsent = shelf<Unsent>('word')
const drafts = shelf<string>('wording')
const keyOf = (u: Unsent) => `${u.token}/${String(u.at).padStart(12, '0')}/${u.act}`
const unsentOf = async (token: string) => (await unsent.all()).filter((u) => u.token === token)

const EVERY_MS = 15_000
/** It may be different the next time. */
const mayGo = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.code === 0 || error.code === 429 || error.code >= 500

/** A picture of the thread. */
export const ownPicture = (bearer: HomeBearer, key: string, signal: AbortSignal): Promise<Blob> =>
  callForBytes(linksApi.picture, { body: { ...bearer, key, size: 'medium' } }, signal)

async function send(bearer: HomeBearer, u: Unsent): Promise<void> {
  const headers = { 'x-link': bearer.token, 'x-link-pass': bearer.pass, 'x-link-device': bearer.device }
  for (const photo of u.photos.slice(u.keys.length)) {
    const { key } = await upload<{ key: string }>(threadPageApi.photo, photo, {}, undefined, headers)
    u.keys.push(key)
    await unsent.put(keyOf(u), u)
  }
  const { act, keys: pictures, words } = u
  await call(threadPageApi.say, { body: { ...bearer, act, words, pictures } })
}

/** The thread behind an owner's link: read every quarter of a minute, and what is written is kept until it is sent. */
export function useOwnerThread(bearer: HomeBearer) {
  const { token } = bearer
  const [messages, setMessages] = useState<OwnMessage[] | null>(null)
  const [more, setMore] = useState(false)
  const [waiting, setWaiting] = useState<Unsent[]>([])
  const [why, setWhy] = useState('')
  /** The time that the server's clock is ahead of this one. */
  const [ahead, setAhead] = useState(0)
  const busy = useRef(false)
  const seen = useRef(0)

  async function read(before: number | null = null): Promise<void> {
    try {
      const page = await call(threadPageApi.thread, { body: { ...bearer, before } })
      setAhead(page.now - nowSeconds())
      setWhy('')
      setMessages((old) => {
        const known = new Map((old ?? []).map((m) => [m.id, m]))
        for (const m of page.messages) known.set(m.id, m)
        return [...known.values()].sort((a, b) => a.seq - b.seq)
      })
      setMore((old) =>
        before !== null || page.messages.length === 0 || seen.current === 0 ? page.more : old,
      )
      const newest = page.messages.at(-1)?.seq ?? 0
      if (before !== null || newest <= seen.current || document.hidden) return
      await call(threadPageApi.saw, { body: { ...bearer, seq: newest } })
      seen.current = newest
    } catch (error) {
      setWhy((error as Error).message)
    }
  }
  async function sendAll(): Promise<void> {
    if (busy.current) return
    busy.current = true
    try {
      for (const u of await unsentOf(token)) {
        if (u.why) continue
        try {
          await send(bearer, u)
          await unsent.remove(keyOf(u))
        } catch (error) {
          if (mayGo(error)) return setWhy((error as Error).message)
          await unsent.put(keyOf(u), { ...u, why: (error as Error).message })
        }
        await read()
        setWaiting(await unsentOf(token))
      }
    } finally {
      busy.current = false
    }
  }
  useEffect(() => {
    const go = () => {
      if (!document.hidden) void sendAll().then(() => read())
    }
    void unsentOf(token).then(setWaiting, () => {})
    go()
    const again = setInterval(go, EVERY_MS)
    addEventListener('online', go)
    document.addEventListener('visibilitychange', go)
    return () => {
      clearInterval(again)
      removeEventListener('online', go)
      document.removeEventListener('visibilitychange', go)
    }
  }, [token])
  return {
    messages,
    more,
    waiting,
    why,
    now: () => nowSeconds() + ahead,
    read,
    draft: () => drafts.get(token).catch(() => undefined),
    keep: (words: string) => void (words ? drafts.put(token, words) : drafts.remove(token)).catch(() => {}),
    /** Kept first, then sent: nothing is lost with the network. */
    async say(words: string, photos: Blob[]): Promise<void> {
      const u: Unsent = { act: randomUuid(), token, at: nowSeconds(), words, photos, keys: [] }
      await unsent.put(keyOf(u), u)
      setWaiting(await unsentOf(token))
      void sendAll()
    },
    async drop(u: Unsent): Promise<void> {
      await unsent.remove(keyOf(u))
      setWaiting(await unsentOf(token))
    },
    async takeBack(id: string): Promise<void> {
      await call(threadPageApi.takeBack, { body: { ...bearer, id } })
      await read()
    },
  }
}
export type OwnerThreadState = ReturnType<typeof useOwnerThread>
