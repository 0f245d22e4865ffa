import { useSyncExternalStore } from 'react'

const subscribe = (fn: () => void) => {
  const observer = new MutationObserver(fn)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
/** The dark theme is on. */
export const useDark = (): boolean =>
  useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme === 'dark')
