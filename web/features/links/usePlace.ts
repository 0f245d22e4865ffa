import { useState } from 'react'

import { locate } from '../../kit/locate.ts'

/** Where the telephone is, when whoever holds it asks for it and allows it. */
export function usePlace() {
  const [at, setAt] = useState<{ lng: number; lat: number } | null>(null)
  const [why, setWhy] = useState('')
  const [busy, setBusy] = useState(false)
  async function find() {
    setBusy(true)
    setWhy('')
    const { lat, lng } = await locate()
    setBusy(false)
    if (lng === undefined || lat === undefined) setWhy('没有定位成功，请允许定位或直接写地点')
    else setAt({ lng, lat })
  }
  return { at, why, busy, find: () => void find() }
}
