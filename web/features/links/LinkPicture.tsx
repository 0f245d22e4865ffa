import { linksApi } from '@zhuguan/contract/features/links/links.api.ts'
import { useEffect, useState } from 'react'

import { callForBytes } from '../../kit/api.ts'
import type { Bearer } from './bearer.ts'

/** A picture behind a link: its bytes are asked for each time, with the link, and kept nowhere. */
export function LinkPicture({ bearer, of: key, title }: { bearer: Bearer; of: string; title: string }) {
  const [url, setUrl] = useState('')
  const [gone, setGone] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    let made = ''
    callForBytes(linksApi.picture, { body: { ...bearer, key, size: 'medium' } }, stop.signal)
      .then((blob) => setUrl((made = URL.createObjectURL(blob))))
      .catch(() => stop.signal.aborted || setGone(true))
    return () => {
      stop.abort()
      if (made) URL.revokeObjectURL(made)
    }
  }, [key])
  if (gone) return <span className="owner-picture quiet">照片看不到了</span>
  return url ? (
    <img className="owner-picture" src={url} alt={title} />
  ) : (
    <span className="owner-picture" aria-busy="true" />
  )
}
