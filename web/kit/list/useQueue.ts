import { useEffect, useRef, useState } from 'react'

import type { Rows } from './useList.ts'

export interface Queue {
  /** The row that the keyboard stands on: the opened one, where one is. */
  current: string | null
  onCurrent: (id: string) => void
  /** The opened row among those of the page, from 1; 0 when it is none of them. */
  place: number
  of: number
  before: string | null
  after: string | null
  show: (id: string) => void
  /** Something was done about the opened row: when it has left the list, what took its place is opened. */
  done: () => void
}
/**
 * A list whose rows are worked off in a panel beside it: j and k go on inside the panel, and after the deed the next
 * row stands there.
 */
export function useQueue<R extends { id: string }>(
  list: Rows<R>,
  [opened, show]: readonly [string | null, (id: string | null) => void],
): Queue {
  const [own, setOwn] = useState<string | null>(null)
  const [deeds, setDeeds] = useState(0)
  const { rows } = list
  const at = rows.findIndex((r) => r.id === opened)
  const stood = useRef(-1)
  if (at >= 0) stood.current = at
  useEffect(() => {
    const next = rows[Math.min(stood.current, rows.length - 1)]
    // The last one stays and is followed: there is nothing to go on with.
    if (deeds > 0 && opened && at < 0 && next) show(next.id)
  }, [deeds])
  return {
    current: opened ?? own,
    onCurrent: (id) => {
      setOwn(id)
      if (opened) show(id)
    },
    place: at + 1,
    of: rows.length,
    before: (at > 0 && rows[at - 1]?.id) || null,
    after: (at >= 0 && rows[at + 1]?.id) || null,
    show,
    done: () => void list.refresh().then(() => setDeeds((n) => n + 1)),
  }
}
