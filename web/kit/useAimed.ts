import { type PageName, PAGES } from '@zhuguan/contract/pages.ts'
import { useEffect, useRef } from 'react'

/** Says which record's page is about to be opened: its link is pressed, and the click is a tenth of a second later. */
export function useAimed(page: PageName, aimed: (id: string) => void): void {
  const told = useRef(aimed)
  told.current = aimed
  useEffect(() => {
    const down = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest(`a[href^="#${PAGES[page].path}?"]`) : null
      const id = new URLSearchParams(link?.getAttribute('href')?.split('?')[1]).get('id')
      if (id) told.current(id)
    }
    document.addEventListener('pointerdown', down, { passive: true })
    return () => document.removeEventListener('pointerdown', down)
  }, [page])
}
