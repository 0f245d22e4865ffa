import { useSyncExternalStore } from 'react'

const media = () => matchMedia('(max-width: 760px)')
const subscribe = (fn: () => void) => {
  const m = media()
  m.addEventListener('change', fn)
  return () => m.removeEventListener('change', fn)
}
export const usePhone = (): boolean => useSyncExternalStore(subscribe, () => media().matches)
