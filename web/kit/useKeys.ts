import { useEffect, useRef } from 'react'

/**
 * What each key of a full window does, letters in lower case, `Shift+ArrowLeft` where that does something else. While
 * somebody types or a dialog asks, keys are theirs, and Enter on a link or button is its own.
 */
export function useKeys(does: Readonly<Record<string, () => unknown>>): void {
  const now = useRef(does)
  now.current = does
  useEffect(() => {
    function on(e: KeyboardEvent) {
      const { tagName } = e.target as HTMLElement
      if (e.ctrlKey || e.metaKey || e.altKey || /INPUT|SELECT|TEXTAREA/.test(tagName)) return
      if (document.querySelector('dialog[open]')) return
      if (e.key === 'Enter' && /^(A|BUTTON)$/.test(tagName)) return
      const name = e.key.length === 1 ? e.key.toLowerCase() : e.key
      const act = (e.shiftKey && now.current[`Shift+${name}`]) || now.current[name]
      if (!act) return
      e.preventDefault()
      void act()
    }
    addEventListener('keydown', on)
    return () => removeEventListener('keydown', on)
  }, [])
}
