import { Suspense, useEffect, useSyncExternalStore } from 'react'

import PreviewPage from '../features/links/PreviewPage.tsx'
import { NoticeBoard } from '../kit/NoticeBoard.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { mountable } from './mount.ts'

import '../kit/base.css'

const onHash = (changed: () => void) => {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}
const pathOf = (hash: string) => hash.split('?')[0]
const OPENED = pathOf(location.hash)

/** What a link opens, for people without an account; any other address is the back office's, which index.html loads. */
function LinkApp() {
  const hash = useSyncExternalStore(onHash, () => location.hash)
  useEffect(() => {
    if (pathOf(hash) !== OPENED) location.reload()
  }, [hash])
  return (
    <ErrorBoundary>
      <Suspense fallback={<main className="plate" aria-busy="true" />}>
        <PreviewPage search={hash.slice(OPENED!.length)} />
      </Suspense>
      <NoticeBoard />
    </ErrorBoundary>
  )
}

mountable(<LinkApp />)
