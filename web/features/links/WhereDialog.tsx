import { useState } from 'react'

import { message } from '../../kit/notices.ts'
import type { Place } from './outbox.ts'
import { usePlace } from './usePlace.ts'
import { WhereField } from './WhereField.tsx'

/** The place of whoever drives now. */
export function WhereDialog({
  onClose,
  onSay,
}: {
  onClose: () => void
  onSay: (place: Place) => Promise<void>
}) {
  const [place, setPlace] = useState('')
  const found = usePlace()
  async function say() {
    if (!place.trim() && !found.at) return message.error('请写到了哪里，或使用定位')
    await onSay({ place: place.trim(), lng: found.at?.lng ?? null, lat: found.at?.lat ?? null })
    onClose()
  }
  return (
    <section className="driver-sheet" role="dialog" aria-label="到哪了">
      <header>
        <h2>到哪了</h2>
        <button className="text-button" onClick={onClose}>
          返回
        </button>
      </header>
      <WhereField id="where" value={place} found={found} onChange={setPlace} />
      <footer>
        <button className="button primary" onClick={() => void say()}>
          告诉他们
        </button>
      </footer>
    </section>
  )
}
