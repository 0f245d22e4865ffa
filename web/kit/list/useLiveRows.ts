import type { LiveEvent } from '@zhuguan/contract/features/live/live.api.ts'
import { useEffect, useRef } from 'react'

import { type LiveOptions, useLive } from '../live.ts'
import type { Rows } from './useList.ts'

/** A change of a row that is not on the page may bring it there: the page is asked for a little later. */
const STRANGERS_MS = 5_000

/**
 * Keeps a list's rows as they are on the server. `rowOf` names the row that a change concerns, or null when it is not
 * about one row (a new one, many at once): then the whole page is fetched.
 */
export function useLiveRows<R extends { id: string }>(
  list: Rows<R>,
  topics: readonly string[],
  rowOf: (event: LiveEvent) => string | null,
  options?: LiveOptions,
): void {
  const strangers = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(list)
  latest.current = list
  useEffect(() => () => clearTimeout(strangers.current), [])
  useLive(
    topics,
    (bundle) => {
      const ids = bundle && [...new Set(bundle.map(rowOf))]
      if (!ids || ids.includes(null)) return list.refresh()
      const shown = ids.filter((id) => id !== null && list.rows.some((r) => r.id === id)) as string[]
      if (shown.length < ids.length)
        strangers.current ??= setTimeout(() => {
          strangers.current = undefined
          void latest.current.refresh()
        }, STRANGERS_MS)
      return shown.length ? list.refreshRows(shown) : undefined
    },
    options,
  )
}
