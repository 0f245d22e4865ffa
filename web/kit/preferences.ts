import { useSyncExternalStore } from 'react'

/** The user's settings for this browser (docs/product.md). */
export interface Preferences {
  dark: boolean
  tags: boolean
  fixedHeader: boolean
  size: 'small' | 'medium' | 'large'
  /** The sidebar is open. */
  sidebar: boolean
  /** Groups of the menu that were opened or folded by hand. */
  groups: Readonly<Record<string, 'open' | 'folded'>>
}
const read = (): Preferences => {
  const kept = (() => {
    try {
      return JSON.parse(localStorage.getItem('layout') ?? '{}') as Partial<Preferences>
    } catch {
      return {}
    }
  })()
  const size = localStorage.getItem('size')
  return {
    dark: false,
    tags: true,
    fixedHeader: false,
    groups: {},
    ...kept,
    size: size === 'small' || size === 'large' ? size : 'medium',
    sidebar: localStorage.getItem('sidebarStatus') !== '0',
  }
}
let now = read()
const watchers = new Set<() => void>()

export function setPreferences(change: Partial<Preferences>): void {
  now = { ...now, ...change }
  const { size, sidebar, ...rest } = now
  localStorage.setItem('layout', JSON.stringify(rest))
  localStorage.setItem('size', size)
  localStorage.setItem('sidebarStatus', sidebar ? '1' : '0')
  for (const w of watchers) w()
}
export const usePreferences = (): Preferences =>
  useSyncExternalStore(
    (fn) => {
      watchers.add(fn)
      return () => watchers.delete(fn)
    },
    () => now,
  )
