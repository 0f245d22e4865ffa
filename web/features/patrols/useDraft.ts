import { patrolsApi } from '@zhuguan/contract/features/patrols/patrols.api.ts'
import { patrolStatus } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { usersApi } from '@zhuguan/contract/features/users/users.api.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { useEffect, useRef, useState } from 'react'

import { ApiError, call } from '../../kit/api.ts'
import { useOnline } from '../../kit/live.ts'
import { locate } from '../../kit/locate.ts'
import { nowSeconds } from '../../kit/time.ts'
import { dropPhotos, keepPhoto, sendPhoto } from '../../parts/photoStore.ts'
import { useActor } from '../../parts/session.ts'
import {
  bodyOf,
  type Draft,
  type DraftItem,
  dropDraft,
  itemOf,
  keepDraft,
  nothingYet,
  photosOf,
  readDraft,
} from './draftStore.ts'

const AGAIN_MS = 15_000
/** The patrol as this browser has it, or as the server has it where it was begun somewhere else. */
async function open(id: string, user: string): Promise<Draft | null> {
  const kept = await readDraft(id, user)
  if (kept) return kept
  const patrol = await call(patrolsApi.details, { query: { id } })
  if (patrol.status !== patrolStatus.code.begun || patrol.inspector_id !== user) return null
  const people = await call(usersApi.pick, { query: { site_id: patrol.site_id, correct: 'correction' } })
  const draft: Draft = {
    id,
    user,
    patrol,
    people: people.map((p) => ({ id: p.id, nickname: p.nickname })),
    remark: '',
    items: {},
    savedAt: nowSeconds(),
    sending: null,
  }
  await keepDraft(draft)
  return draft
}

/** Where it was begun without a place, the phone is asked once more. */
const placeOf = async ({ patrol }: Draft) => (patrol.lng === null ? await locate() : {})

type Handing = { done: DataOf<typeof patrolsApi.submit> } | { error: string }

/** A patrol that is being done: kept in this browser with its pictures, which are sent once there is a network. */
export function useDraft(id: string) {
  const { id: user } = useActor()
  const [draft, setDraft] = useState<Draft | null | undefined>(undefined)
  const [failure, setFailure] = useState<Error | null>(null)
  const [busy, setBusy] = useState(false)
  const now = useRef<Draft | null>(null)
  const online = useOnline()

  function put(next: Draft) {
    now.current = { ...next, savedAt: nowSeconds() }
    setDraft(now.current)
    return keepDraft(now.current)
  }
  const read = () =>
    open(id, user).then(
      (found) => {
        now.current = found
        setDraft(found)
        setFailure(null)
      },
      (error: Error) => setFailure(error),
    )
  useEffect(() => void read(), [id, user])
  // Another tab of this browser may have gone on with it.
  useEffect(() => {
    const on = () => {
      if (document.visibilityState !== 'visible' || !now.current) return
      void readDraft(id, user).then((kept) => {
        if (!kept || !now.current || kept.savedAt <= now.current.savedAt) return
        now.current = kept
        setDraft(kept)
      })
    }
    document.addEventListener('visibilitychange', on)
    return () => document.removeEventListener('visibilitychange', on)
  }, [id, user])

  function change(item: string, to: Partial<DraftItem>) {
    const at = now.current!
    return put({ ...at, items: { ...at.items, [item]: { ...(at.items[item] ?? nothingYet), ...to } } })
  }
  async function addPhotos(item: string, files: Iterable<File>) {
    for (const file of files) {
      const photo = await keepPhoto(file)
      await change(item, { photos: [...itemOf(now.current!, item).photos, photo] })
    }
  }
  async function removePhoto(item: string, photo: string) {
    await change(item, { photos: itemOf(now.current!, item).photos.filter((p) => p.id !== photo) })
    await dropPhotos([photo])
  }

  /** Sends what has not been sent; answers whether nothing is left. */
  const sending = useRef<Promise<boolean> | null>(null)
  const nextUnsent = () =>
    Object.entries(now.current?.items ?? {})
      .flatMap(([item, { photos }]) => photos.map((photo) => ({ item, photo })))
      .find(({ photo }) => photo.key === null && !photo.why)
  async function sendPhotos(): Promise<boolean> {
    // Pictures are taken while others are sent.
    for (let next = nextUnsent(); next; next = nextUnsent()) {
      const { item, photo } = next
      const sent = await sendPhoto(photo)
      // A browser that ran out of room has thrown it away.
      if (!sent) await removePhoto(item, photo.id)
      else
        await change(item, {
          photos: itemOf(now.current!, item).photos.map((p) => (p.id === photo.id ? sent : p)),
        })
    }
    return photosOf(now.current!).every((p) => p.key !== null)
  }
  const sendAll = () =>
    (sending.current ??= sendPhotos()
      .catch(() => false)
      .finally(() => (sending.current = null)))
  const unsent = draft ? photosOf(draft).filter((p) => p.key === null && !p.why).length : 0
  useEffect(() => {
    if (!online || unsent === 0) return
    void sendAll()
    const again = setInterval(() => void sendAll(), AGAIN_MS)
    return () => clearInterval(again)
  }, [online, unsent])

  async function handIn(): Promise<Handing> {
    setBusy(true)
    try {
      if (!(await sendAll())) return { error: '还有照片没有传上去，请检查网络后再提交' }
      // What was sent and not answered goes again as it was: handed in twice it counts once.
      const body = now.current!.sending ?? { ...bodyOf(now.current!), ...(await placeOf(now.current!)) }
      await put({ ...now.current!, sending: body })
      const done = await call(patrolsApi.submit, { body })
      await dropDraft(now.current!)
      return { done }
    } catch (error) {
      const refused = error instanceof ApiError && error.code !== 0
      if (refused) await put({ ...now.current!, sending: null })
      return { error: (error as Error).message }
    } finally {
      setBusy(false)
    }
  }
  return {
    draft,
    failure,
    online,
    unsent,
    busy,
    again: read,
    change,
    remark: (text: string) => put({ ...now.current!, remark: text }),
    addPhotos,
    removePhoto,
    handIn,
    forget: () => dropDraft(now.current!),
  }
}
export type DraftInHand = ReturnType<typeof useDraft>
