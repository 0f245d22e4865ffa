import { useState } from 'react'

import { message } from '../kit/notices.ts'

/** Draws a paper and saves it; it takes seconds, so it says that it is at it. */
export function SavePdf({ label, save }: { label: string; save: () => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  return (
    <button
      className="button screen-only"
      disabled={busy}
      onClick={() => {
        setBusy(true)
        void save()
          .catch((error: Error) => message.error(error.message))
          .finally(() => setBusy(false))
      }}
    >
      {busy ? '正在生成…' : label}
    </button>
  )
}
