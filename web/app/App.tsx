import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { HashRouter } from 'react-router'

import { ApiError, toLogin, token } from '../kit/api.ts'
import { NoticeBoard } from '../kit/NoticeBoard.tsx'
import { usePreferences } from '../kit/preferences.ts'
import { loadSession } from '../parts/session.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { mountable } from './mount.ts'
import { Shell } from './Shell.tsx'

import '../kit/base.css'

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (n, error) => n < 2 && error instanceof ApiError && (error.code === 0 || error.code === 503),
      refetchOnWindowFocus: false,
      // Without a network a call fails and says so, instead of waiting for one in silence.
      networkMode: 'always',
      refetchOnReconnect: 'always',
      staleTime: 5_000,
    },
  },
})

function Root_() {
  const { dark } = usePreferences()
  const [state, setState] = useState<'loading' | 'ready' | 'open'>(token() ? 'loading' : 'open')
  useEffect(() => {
    document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  }, [dark])
  useEffect(() => {
    if (state !== 'loading') return
    loadSession().then(
      () => setState('ready'),
      (error: Error) => {
        // Failure loading user info: the message is shown and the user is logged out (docs/product.md).
        // A refused token has its own notice and reload already.
        if (!(error instanceof ApiError && error.code === 401)) toLogin(error.message)
      },
    )
  }, [state])
  return (
    <>
      <QueryClientProvider client={queries}>
        <HashRouter>
          <ErrorBoundary>
            {state === 'loading' ? (
              <div className="page-wait" aria-busy="true" />
            ) : (
              <Shell signedIn={state === 'ready'} />
            )}
          </ErrorBoundary>
        </HashRouter>
      </QueryClientProvider>
      <NoticeBoard />
    </>
  )
}

mountable(<Root_ />)
