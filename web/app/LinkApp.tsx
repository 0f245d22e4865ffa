import { useEffect, useSyncExternalStore } from 'react'

import PreviewPage from '../features/links/PreviewPage.tsx'
import { barePart } from '../kit/barePart.tsx'
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

/** What a paired wall shows comes when one is opened: nobody else's telephone fetches it. */
const ScreenWall = barePart(() => import('../features/screens/ScreenWall.tsx'))
const isWall = (hash: string) => new URLSearchParams(hash.split('?')[1]).has('screen')

/**
 * The pages that a link opens, for people without an account; any other address is the back office's, which
 * index.html loads.
 */
function LinkApp() {
  const hash = useSyncExternalStore(onHash, () => location.hash)
  useEffect(() => {
    if (pathOf(hash) !== OPENED) location.reload()
  }, [hash])
  return (
    <ErrorBoundary>
      {isWall(hash) ? <ScreenWall /> : <PreviewPage search={hash.slice(OPENED!.length)} />}
      <NoticeBoard />
    </ErrorBoundary>
  )
}

mountable(<LinkApp />)
