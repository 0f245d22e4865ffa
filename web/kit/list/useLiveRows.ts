import type { LiveEvent, LiveTopic } from '@zhuguan/contract/features/live/live.api.ts'
import { useEffect, useRef } from 'react'

import { type LiveOptions, useLive } from '../live.ts'
import type { Rows } from './useList.ts'

/** A change of a row that is not on the page may bring it there: the page is asked for a little later. */
const STRANGERS_MS = 5_000

/** Rows that come with their message cost nobody anything but drawing them. */
const ROWS_MS = 50

export interface Newcomers<R> {
  /** The row that the message brings, when this list would show it among its newest. */
  rowIn: (event: LiveEvent) => R | undefined
  before: (a: R, b: R) => boolean
}

/**
 * Keeps a list's rows as they are on the server. `rowOf` names the row that a change concerns, or null when it is not
 * about one row (a new one, many at once): then the whole page is fetched.
 */
export function useLiveRows<R extends { id: string }>(
  list: Rows<R>,
  topics: readonly LiveTopic[],
  rowOf: (event: LiveEvent) => string | null,
  options: LiveOptions & { newcomers?: Newcomers<R> } = {},
): void {
  const { newcomers, only } = options
  const strangers = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(list)
  latest.current = list
  useEffect(() => () => clearTimeout(strangers.current), [])
  /** The page is asked a little later. */
  function askLater(): void {
    strangers.current ??= setTimeout(() => {
      strangers.current = undefined
      void latest.current.refresh()
    }, STRANGERS_MS)
  }
  const brings = (e: LiveEvent) => (latest.current.plain ? newcomers?.rowIn(e) : undefined)
  useLive(
    topics,
    (bundle) => {
      // After a gap the other one fetches the page.
      if (!bundle || !newcomers) return undefined
      const rows = bundle.map(brings)
      if (rows.includes(undefined)) return list.refresh()
      list.addRows(
        rows.filter((row) => row !== undefined),
        newcomers.before,
      )
      // What the page counts beside its rows is asked for afterwards, once for all that came meanwhile.
      askLater()
      return undefined
    },
    { every: ROWS_MS, only: (e) => brings(e) !== undefined && (only?.(e) ?? true) },
  )
  useLive(
    topics,
    (bundle) => {
      const ids = bundle && [...new Set(bundle.map(rowOf))]
      if (!ids || ids.includes(null)) return list.refresh()
      const shown = ids.filter((id) => id !== null && list.rows.some((r) => r.id === id)) as string[]
      if (shown.length < ids.length) askLater()
      return shown.length ? list.refreshRows(shown) : undefined
    },
    { ...options, only: (e) => brings(e) === undefined && (only?.(e) ?? true) },
  )
}
