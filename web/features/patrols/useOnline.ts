import { useSyncExternalStore } from 'react'

const subscribe = (fn: () => void) => {
  for (const name of ['online', 'offline']) addEventListener(name, fn)
  return () => {
    for (const name of ['online', 'offline']) removeEventListener(name, fn)
  }
}
/** Whether this machine has a network at all; that the server answers is another matter. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine)
