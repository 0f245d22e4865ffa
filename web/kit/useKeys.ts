import { useEffect, useRef } from 'react'

/** What each key of a full window does, letters in lower case; while somebody types, keys are theirs. */
export function useKeys(does: Readonly<Record<string, () => unknown>>): void {
  const now = useRef(does)
  now.current = does
  useEffect(() => {
    function on(e: KeyboardEvent) {
      const { tagName } = e.target as HTMLElement
      if (e.ctrlKey || e.metaKey || e.altKey || /INPUT|SELECT|TEXTAREA/.test(tagName)) return
      const act = now.current[e.key.length === 1 ? e.key.toLowerCase() : e.key]
      if (!act) return
      e.preventDefault()
      void act()
    }
    addEventListener('keydown', on)
    return () => removeEventListener('keydown', on)
  }, [])
}
