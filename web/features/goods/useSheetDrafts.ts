import { goodsApi } from '@zhuguan/contract/features/goods/goods.api.ts'
import type { SheetDetail } from '@zhuguan/contract/features/goods/goods.record.ts'
import { useEffect, useRef, useState } from 'react'

import { ApiError, call, callOnce, randomKey } from '../../kit/api.ts'
import { useOnline } from '../../kit/live.ts'
import { nowSeconds } from '../../kit/time.ts'
import { type DraftPhoto, dropPhotos, isUnanswered, keepPhoto, sendPhoto } from '../../parts/photoStore.ts'
import { useActor } from '../../parts/session.ts'
import {
  begin,
  bodyOf,
  type DraftFinding,
  draftsOf,
  dropDraft,
  keepDraft,
  photosOf,
  rebased,
  type SheetDraft,
} from './sheetDraft.ts'

const AGAIN_MS = 15_000
/** The message that has just been sent. */
export interface Sent {
  id: string
  sheetCode: string
  changes: readonly { id: string; code: string }[]
}

/** Sheets that this person judges in this browser: kept with their pictures, and sent once there is a network. */
export function useSheetDrafts(onSent: () => void) {
  const { id: user } = useActor()
  const online = useOnline()
  const [drafts, setDrafts] = useState<readonly SheetDraft[]>([])
  const [sent, setSent] = useState<Sent | null>(null)
  const now = useRef<readonly SheetDraft[]>([])
  const of = (id: string) => now.current.find((d) => d.id === id)
  const show = (all: readonly SheetDraft[]) => setDrafts((now.current = all))
  async function put(draft: SheetDraft): Promise<void> {
    const kept = { ...draft, savedAt: nowSeconds() }
    show([...now.current.filter((d) => d.id !== draft.id), kept])
    await keepDraft(kept)
  }
  async function drop(id: string): Promise<void> {
    const draft = of(id)
    if (!draft) return
    show(now.current.filter((d) => d.id !== id))
    await dropDraft(draft)
  }
  // Another tab of this browser may have gone on with one of them.
  useEffect(() => {
    const read = () => void draftsOf(user).then(show)
    read()
    const on = () => document.visibilityState === 'visible' && !busy.current.size && read()
    document.addEventListener('visibilitychange', on)
    return () => document.removeEventListener('visibilitychange', on)
  }, [user])

  const mapped = (draft: SheetDraft, line: string, map: (list: DraftFinding[]) => DraftFinding[]) => ({
    ...draft,
    fault: '',
    findings: { ...draft.findings, [line]: map(draft.findings[line] ?? []) },
  })
  /** A draft begins with the first thing that is said of its sheet. */
  const started = (sheet: SheetDetail) => of(sheet.id) ?? begin(sheet, user)
  const change = (sheet: SheetDetail, line: string, map: (list: DraftFinding[]) => DraftFinding[]) =>
    put(mapped(started(sheet), line, map))
  const setPhotos = (sheet: SheetDetail, line: string, id: string, to: (old: DraftPhoto[]) => DraftPhoto[]) =>
    change(sheet, line, (list) => list.map((f) => (f.id === id ? { ...f, photos: to(f.photos) } : f)))
  async function addPhotos(sheet: SheetDetail, line: string, id: string, files: Iterable<File>) {
    for (const file of files) {
      const photo = await keepPhoto(file)
      await setPhotos(sheet, line, id, (old) => [...old, photo])
    }
  }
  async function removePhoto(sheet: SheetDetail, line: string, id: string, photo: string) {
    await setPhotos(sheet, line, id, (old) => old.filter((p) => p.id !== photo))
    await dropPhotos([photo])
  }

  async function sendPictures(id: string): Promise<void> {
    for (const [line, list] of Object.entries(of(id)!.findings))
      for (const { id: at, photos } of list)
        for (const photo of photos.filter((p) => p.key === null && !p.why)) {
          const after = await sendPhoto(photo)
          const draft = of(id)!
          const next = draft.findings[line]!.map((f) =>
            f.id === at
              ? { ...f, photos: f.photos.flatMap((p) => (p.id === photo.id ? (after ?? []) : p)) }
              : f,
          )
          await put({ ...draft, findings: { ...draft.findings, [line]: next } })
        }
  }
  async function sendOne(id: string): Promise<void> {
    try {
      await sendPictures(id)
      const draft = of(id)!
      const bad = photosOf(draft).find((p) => p.why)
      if (bad) return await put({ ...draft, sending: null, fault: `有照片不能用：${bad.why}，请换一张` })
      const body = draft.sending!.body ?? bodyOf(draft)
      const { key } = draft.sending!
      await put({ ...draft, sending: { key, body } })
      const { changes } = await callOnce(goodsApi.judge, { body }, key)
      setSent({ id, sheetCode: draft.sheet.sheetCode, changes })
      await drop(id)
      onSent()
    } catch (error) {
      // Without an answer it is sent again, as it was.
      if (isUnanswered(error) || !(error instanceof ApiError)) return
      const draft = of(id)!
      const latest = error.overtaken
        ? await call(goodsApi.sheet, { query: { id } }).catch(() => undefined)
        : undefined
      await put(latest ? rebased(draft, latest) : { ...draft, sending: null, fault: error.message })
    }
  }
  const busy = useRef(new Set<string>())
  async function send(id: string): Promise<void> {
    if (busy.current.has(id)) return
    busy.current.add(id)
    await sendOne(id).finally(() => busy.current.delete(id))
  }
  const queued = drafts.filter((d) => d.sending).map((d) => d.id)
  useEffect(() => {
    if (!online || queued.length === 0) return
    const all = () => queued.forEach((id) => void send(id))
    all()
    const again = setInterval(all, AGAIN_MS)
    return () => clearInterval(again)
  }, [online, queued.join()])

  return {
    drafts,
    online,
    sent,
    seen: () => setSent(null),
    of: (id: string) => drafts.find((d) => d.id === id),
    start: started,
    change,
    addPhotos,
    removePhoto,
    /** From now on it is sent, as soon as that is possible. */
    handIn: (sheet: SheetDetail) =>
      put({ ...started(sheet), fault: '', sending: { key: randomKey(), body: null } }),
    /** Nothing of it has left this browser yet. */
    takeBack: (id: string) => put({ ...of(id)!, sending: null }),
    drop,
    /** The server has another sheet than the draft was begun on. */
    rebase(sheet: SheetDetail) {
      const draft = of(sheet.id)
      if (draft && !draft.sending && draft.sheet.version < sheet.version) void put(rebased(draft, sheet))
    },
  }
}
export type SheetDrafts = ReturnType<typeof useSheetDrafts>
