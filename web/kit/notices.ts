import { useSyncExternalStore } from 'react'

export interface Notice {
  id: number
  kind: 'success' | 'error' | 'info'
  title?: string
  text: string
  /** Takes back what the notice tells of, or leads back from where it says one is. */
  action?: { label: string; run: () => void }
}
let notices: readonly Notice[] = []
let last = 0
const watchers = new Set<() => void>()
const publish = (next: readonly Notice[]) => {
  notices = next
  for (const w of watchers) w()
}
const SHORT_MS = 2_000
const ERROR_MS = 4_500
const UNDO_MS = 8_000

export const dismiss = (id: number) => publish(notices.filter((n) => n.id !== id))
function say(kind: Notice['kind'], text: string, title?: string, action?: Notice['action']): void {
  const id = ++last
  // The same sentence twice is one sentence.
  publish(
    [...notices.filter((n) => n.text !== text || n.title !== title), { id, kind, text, title, action }].slice(
      -4,
    ),
  )
  const short = action ? UNDO_MS : SHORT_MS
  setTimeout(() => dismiss(id), kind === 'error' || title ? ERROR_MS : short)
}

export const message = {
  success: (text: string, action?: Notice['action']) => say('success', text, undefined, action),
  error: (text: string) => say('error', text),
  info: (text: string, action?: Notice['action']) => say('info', text, undefined, action),
}
/** With a title, as the spec's Unauthorized and Forbidden. */
export const notification = (title: string, text: string) => say('error', text, title)

export const useNotices = (): readonly Notice[] =>
  useSyncExternalStore(
    (fn) => {
      watchers.add(fn)
      return () => watchers.delete(fn)
    },
    () => notices,
  )
