import { createContext, use, useSyncExternalStore } from 'react'

import { at, type Box, boxOf, holds, type Range } from './range.ts'

/** What is selected, beside React: of a moved selection only the cells that it enters or leaves are painted anew. */
export interface Selection {
  range: () => Range
  box: () => Box
  set: (range: Range) => void
  subscribe: (told: () => void) => () => void
}
export function selection(): Selection {
  let range = at(0, 0)
  let box = boxOf(range)
  const all = new Set<() => void>()
  return {
    range: () => range,
    box: () => box,
    set(next) {
      range = next
      box = boxOf(next)
      for (const told of all) told()
    },
    subscribe(told) {
      all.add(told)
      return () => all.delete(told)
    },
  }
}
export const SelectionContext = createContext<Selection>(selection())
export function useIsSelected(row: number, col: number): boolean {
  const { subscribe, box } = use(SelectionContext)
  return useSyncExternalStore(subscribe, () => holds(box(), row, col))
}
export const useSelected = ({ subscribe, box }: Selection): Box => useSyncExternalStore(subscribe, box)
