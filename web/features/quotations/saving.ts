import { quotationsApi } from '@zhuguan/contract/features/quotations/quotations.api.ts'
import { changedIn, mergeContent } from '@zhuguan/contract/features/quotations/quotations.merge.ts'
import {
  type QuotationContent,
  type QuotationDetail,
  quotationStatus,
} from '@zhuguan/contract/features/quotations/quotations.record.ts'

import { ApiError, call } from '../../kit/api.ts'
import { whoWas } from '../../kit/overtaken.ts'
import { contentOf, fromContent, withFixed, type Written, writtenOf } from './document.ts'
import { dropUnsaved, keepUnsaved, type Unsaved, withCosts } from './unsavedStore.ts'

export type SaveState =
  | { kind: 'saved'; at: number | null }
  | { kind: 'saving' }
  | { kind: 'unsaved'; why: string }
/** Somebody else saved meanwhile, and both changed the same. */
export interface Clash {
  who: string
  ids: readonly string[]
  /** The values both began with, and all that the other has changed of it. */
  before: QuotationContent
  changed: readonly string[]
  mine: Written
  theirs: Written
  merged: Written
  /** It is no longer a draft: what is here can only become another quotation. */
  over: string | null
}
const PAUSE_MS = 1_500
const AGAIN_MS = 5_000
const alike = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b)
function same(a: QuotationContent, b: QuotationContent): boolean {
  const [{ lines, ...restA }, { lines: others, ...restB }] = [a, b]
  return lines.length === others.length && alike(restA, restB) && lines.every((l, i) => alike(l, others[i]))
}

interface Page {
  id: string
  user: string
  seesCosts: boolean
  /** The values that stand on the page now. */
  now: () => Written
  /** The page's content without a step of its own: nothing was done by who sits here. */
  put: (change: (now: Written) => Written) => void
  tell: (state: SaveState) => void
  clash: (clash: Clash | null) => void
  /** Somebody else's changes have been taken in. */
  joined: (who: string) => void
  /** The server's record has another version, or another state. */
  changed: () => void
}

/** Saves what is written a moment after it was: one save at a time, always from the version that was seen. */
export function saver(page: Page, begun: QuotationDetail) {
  let version = begun.version
  let base = contentOf(writtenOf(begun), page.seesCosts)
  let customer = begun.customer_id
  let timer: ReturnType<typeof setTimeout> | undefined
  let flying: Promise<void> | null = null
  let savedAt: number | null = begun.changedAt
  let held = false
  let over = false

  const content = () => contentOf(page.now(), page.seesCosts)
  const isDirty = () => !same(content(), base) || page.now().customer_id !== customer
  const wait = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void save(), ms)
  }
  async function send(): Promise<void> {
    const sent = content()
    const customer_id = page.now().customer_id
    page.tell({ kind: 'saving' })
    const body = { id: page.id, version, customer_id, content: sent }
    const answer = await call(quotationsApi.save, { body })
    version = answer.version
    savedAt = answer.at
    base = sent
    customer = customer_id
    page.put((now) => withFixed(now, answer.lines, sent))
    if (isDirty()) return wait(PAUSE_MS)
    await dropUnsaved(page.id, page.user)
    page.tell({ kind: 'saved', at: savedAt })
  }
  /** Mine on top of theirs; where both changed the same, who sits here decides before anything is sent. */
  async function join(who: string, said: string): Promise<void> {
    const latest = await call(quotationsApi.details, { query: { id: page.id } })
    const mine = page.now()
    const theirs = writtenOf(latest)
    const newest = contentOf(theirs, page.seesCosts)
    const { content: both, clashes } = mergeContent(base, content(), newest)
    const merged = fromContent(
      both,
      mine.customer_id,
      [...theirs.lines, ...mine.lines],
      [theirs.sold, mine.sold],
    )
    const isOver = latest.status !== quotationStatus.code.draft
    page.changed()
    if (isOver || clashes.length > 0) {
      held = true
      page.clash({
        who,
        ids: clashes,
        before: base,
        changed: changedIn(base, newest),
        mine,
        theirs,
        merged,
        over: isOver ? said : null,
      })
      page.tell({ kind: 'unsaved', why: isOver ? said : `${who}，有 ${clashes.length} 处要您决定` })
      // Whatever is decided begins from theirs.
      version = latest.version
      base = newest
      return
    }
    version = latest.version
    base = newest
    page.put(() => merged)
    page.joined(who)
    return isDirty() ? send() : page.tell({ kind: 'saved', at: latest.changedAt })
  }
  async function attempt(): Promise<void> {
    try {
      await send()
    } catch (error) {
      const why = (error as Error).message
      if (error instanceof ApiError && error.overtaken) {
        await join(whoWas(error.overtaken), why).catch((failed: Error) =>
          page.tell({ kind: 'unsaved', why: failed.message }),
        )
        return
      }
      page.tell({ kind: 'unsaved', why })
      const isPassing = error instanceof ApiError && (error.code === 0 || error.code === 503)
      if (isPassing) wait(AGAIN_MS)
    }
  }
  function save(): Promise<void> {
    clearTimeout(timer)
    if (held || over) return Promise.resolve()
    if (flying) return flying.then(save)
    if (!isDirty()) return Promise.resolve()
    flying = attempt().finally(() => (flying = null))
    return flying
  }
  return {
    version: () => version,
    isDirty,
    /** Something has been written. */
    touched() {
      if (over) return
      if (!isDirty()) {
        // Undone again before it was saved.
        clearTimeout(timer)
        void dropUnsaved(page.id, page.user)
        if (!held && !flying) page.tell({ kind: 'saved', at: savedAt })
        return
      }
      void keepUnsaved(page.id, page.user, { version, base, written: page.now() })
      if (held) return
      page.tell({ kind: 'unsaved', why: '刚改的，马上保存' })
      wait(PAUSE_MS)
    },
    save,
    /** Entries that an earlier visit left here unsaved. */
    async restore(unsaved: Unsaved): Promise<void> {
      const kept = withCosts(unsaved, writtenOf(begun).lines, page.seesCosts)
      page.put(() => kept.written)
      if (kept.version === version) return wait(0)
      base = kept.base
      await join('这份报价单在别处又保存过', '这份报价单在别处又保存过')
    },
    /** After a clash: what stands on the page from now on. */
    decide(written: Written) {
      held = false
      page.clash(null)
      page.put(() => written)
      wait(0)
    },
    /** The server has another content, and nothing is unsaved here. */
    follow(latest: QuotationDetail) {
      if (latest.version <= version || isDirty() || flying) return
      version = latest.version
      base = contentOf(writtenOf(latest), page.seesCosts)
      customer = latest.customer_id
      page.put(() => writtenOf(latest))
    },
    async giveUp() {
      over = true
      clearTimeout(timer)
      await dropUnsaved(page.id, page.user)
    },
    stop() {
      if (isDirty() && !held) void save()
      else clearTimeout(timer)
    },
  }
}
