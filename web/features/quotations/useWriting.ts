import type { QuotationDetail } from '@zhuguan/contract/features/quotations/quotations.record.ts'
import { useEffect, useMemo, useRef, useState } from 'react'

import { message } from '../../kit/notices.ts'
import { begun, redone, stepped, undone } from '../../kit/sheet/history.ts'
import { beforeLeaving } from '../../parts/drafts.ts'
import { useActor } from '../../parts/session.ts'
import { type Written, writtenOf } from './document.ts'
import { type Clash, saver, type SaveState } from './saving.ts'
import { readUnsaved } from './unsavedStore.ts'

/** A quotation that is being written: its hundred steps, and their saving. */
export function useWriting(
  detail: QuotationDetail,
  seesCosts: boolean,
  mayWrite: boolean,
  changed: () => void,
) {
  const user = useActor().id
  const [history, setHistory] = useState(() => begun(writtenOf(detail)))
  const [state, setState] = useState<SaveState>({ kind: 'saved', at: detail.changedAt })
  const [clash, setClash] = useState<Clash | null>(null)
  const now = useRef(history.now)
  now.current = history.now
  const told = useRef(changed)
  told.current = changed
  const put = (change: (old: Written) => Written) => {
    // What is saved next must not wait for the page to be drawn.
    now.current = change(now.current)
    setHistory((old) => ({ ...old, now: change(old.now) }))
  }
  const saving = useMemo(
    () =>
      saver(
        {
          id: detail.id,
          user,
          seesCosts,
          now: () => now.current,
          put,
          tell: setState,
          clash: setClash,
          joined: (who) => message.info(`${who}：两边的修改已经合在一起`),
          changed: () => told.current(),
        },
        detail,
      ),
    [detail.id, detail.version_id],
  )
  useEffect(() => {
    if (!mayWrite) return
    void readUnsaved(detail.id, user).then((unsaved) => {
      if (!unsaved) return
      message.info('上次没来得及保存的内容已经放回来了')
      void saving.restore(unsaved)
    })
    const stay = beforeLeaving(() => saving.save())
    return () => {
      stay()
      saving.stop()
    }
  }, [saving])
  useEffect(() => {
    if (mayWrite) saving.touched()
  }, [history.now])
  useEffect(() => {
    if (mayWrite && detail.version !== saving.version()) saving.follow(detail)
  }, [detail.version])
  return {
    written: history.now,
    /** One step that can be undone. */
    write: (change: (now: Written) => Written) => setHistory((old) => stepped(old, change(old.now))),
    undo: () => setHistory(undone),
    redo: () => setHistory(redone),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    state,
    clash,
    saving,
  }
}
export type Writing = ReturnType<typeof useWriting>
