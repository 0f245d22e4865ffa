import { type RefObject, useEffect } from 'react'

import { usePage } from '../page.tsx'

const TYPING = /INPUT|TEXTAREA|SELECT/
const PRESSED = /BUTTON|^A$/
/** What asks for something stands in front of the list; a panel beside it does not. */
const FLOATING = '.ant-modal-wrap:not([style*="display: none"]), .ant-drawer-open > .ant-drawer-mask, .viewer'

/** A list from the keyboard: / goes to its search, j and k from row to row, Enter opens it, x picks it and goes on. */
export function useListKeys<R extends { id: string }>(
  box: RefObject<HTMLElement | null>,
  rows: readonly R[],
  {
    current,
    onCurrent,
    open,
    pick,
  }: {
    current: string | null | undefined
    onCurrent: (id: string) => void
    open: ((row: R) => void) | undefined
    pick: ((row: R) => void) | undefined
  },
): void {
  const page = usePage()
  function step(at: number) {
    const next = rows[Math.min(rows.length - 1, Math.max(0, at))]
    // A button that was pressed before would take the Enter that is meant for the row.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    if (next) onCurrent(next.id)
  }
  function press(e: KeyboardEvent): boolean {
    const at = rows.findIndex((r) => r.id === current)
    if (e.key === '/') box.current?.querySelector<HTMLInputElement>('.filters input')?.focus()
    else if (e.key === 'j' || e.key === 'k') step(at + (e.key === 'j' ? 1 : -1))
    else if (e.key === 'x' && pick && at >= 0) {
      pick(rows[at]!)
      step(at + 1)
    } else if (e.key === 'Enter' && at >= 0 && !PRESSED.test((e.target as HTMLElement).tagName))
      open?.(rows[at]!)
    else return false
    return true
  }
  useEffect(() => {
    if (!page.active) return
    const on = (e: KeyboardEvent) => {
      const isOurs =
        !TYPING.test((e.target as HTMLElement).tagName) &&
        !(e.ctrlKey || e.metaKey || e.altKey) &&
        !document.querySelector(FLOATING)
      if (isOurs && press(e)) e.preventDefault()
    }
    addEventListener('keydown', on)
    return () => removeEventListener('keydown', on)
  })
  useEffect(() => {
    if (current) box.current?.querySelector(`[data-row="${current}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [current])
}
