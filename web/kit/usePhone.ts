import { useSyncExternalStore } from 'react'

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (fn) => {
      const media = matchMedia(query)
      media.addEventListener('change', fn)
      return () => media.removeEventListener('change', fn)
    },
    () => matchMedia(query).matches,
  )
}
export const usePhone = (): boolean => useMedia('(max-width: 760px)')
