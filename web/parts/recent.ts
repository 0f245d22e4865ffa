import { useQueryClient } from '@tanstack/react-query'
import { RECENT_DEFAULT } from '@zhuguan/contract/pages.ts'
import { useEffect } from 'react'

import { readKept, useKeep, useKept } from '../kit/kept.ts'
import { type Entry, entriesOf, useSession } from './session.ts'

const NAME = 'recent.pages'
const SHOWN = RECENT_DEFAULT.length
/** Who only passes through has not visited. */
const STAY_MS = 3_000

/** The visited pages, newest first, filled up with the spec's defaults; only what this user may open. */
export function recentOf(visited: readonly string[], may: (path: string) => boolean): string[] {
  return [...new Set([...visited, ...RECENT_DEFAULT])].filter(may).slice(0, SHOWN)
}
export const visit = (visited: readonly string[], path: string): string[] =>
  [path, ...visited.filter((p) => p !== path)].slice(0, SHOWN)

const read = (value: Record<string, unknown> | null | undefined): string[] =>
  Array.isArray(value?.paths) ? value.paths.filter((p): p is string => typeof p === 'string') : []

export function useRecent(): Entry[] {
  const session = useSession()
  const kept = useKept(NAME)
  const entries = entriesOf(session).filter((e) => e.item.visible)
  return recentOf(read(kept), (path) => entries.some((e) => e.item.path === path)).map((path) =>
    entries.find((e) => e.item.path === path)!,
  )
}

/** Kept with the user, so that it is there on every machine. */
export function useRememberVisit(path: string | null): void {
  const client = useQueryClient()
  const keep = useKeep()
  useEffect(() => {
    if (!path) return
    const timer = setTimeout(async () => {
      const kept = await readKept(client, NAME).catch(() => null)
      const paths = visit(read(kept), path)
      if (paths.join() === read(kept).join()) return
      await keep(NAME, { paths }).catch(() => {})
    }, STAY_MS)
    return () => clearTimeout(timer)
  }, [path, client])
}
