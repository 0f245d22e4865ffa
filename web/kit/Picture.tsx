import { filesApi } from '@zhuguan/contract/features/files/files.api.ts'
import { lazy, Suspense, useEffect, useState } from 'react'

import { callForBytes } from './api.ts'
import type { Shot } from './Viewer.tsx'

import './picture.css'

const Viewer = lazy(() => import('./Viewer.tsx').then((m) => ({ default: m.Viewer })))

const KEPT = 200
const urls = new Map<string, Promise<string>>()

type Size = 'thumb' | 'medium' | 'full'
/** What a box of an unknown width is taken to be: a card in a grid. */
const CARD_PX = 300
const THUMB_PX = 320
const MEDIUM_PX = 960
/** The smallest that is sharp on this screen. */
function sizeFor(width: number | string | undefined): Size {
  const pixels = (typeof width === 'number' ? width : CARD_PX) * devicePixelRatio
  if (pixels <= THUMB_PX) return 'thumb'
  return pixels <= MEDIUM_PX ? 'medium' : 'full'
}

/** Pictures need the session's headers, so they come as bytes; the newest two hundred are kept. */
export function urlOf(key: string, size: Size): Promise<string> {
  const id = `${size}:${key}`
  const kept = urls.get(id)
  if (kept) {
    urls.delete(id)
    urls.set(id, kept)
    return kept
  }
  const url = callForBytes(filesApi.get, { query: { key, size } }).then((blob) => URL.createObjectURL(blob))
  url.catch(() => urls.delete(id))
  urls.set(id, url)
  if (urls.size > KEPT) {
    const [oldest, gone] = urls.entries().next().value!
    urls.delete(oldest)
    void gone.then(
      (u) => URL.revokeObjectURL(u),
      () => {},
    )
  }
  return url
}

export function useUrl(key: string | null, size: Size): string | null | undefined {
  const [url, setUrl] = useState<string | null | undefined>(undefined)
  useEffect(() => {
    let live = true
    if (key)
      urlOf(key, size).then(
        (u) => live && setUrl(u),
        () => live && setUrl(null),
      )
    return () => {
      live = false
    }
  }, [key, size])
  return url
}

/** The pictures around it, as they stand on the page: a drawer, or what says `data-gallery`. */
function neighbours(button: HTMLElement): { shots: Shot[]; start: number } {
  const all = [
    ...(
      button.closest('[data-gallery], .ant-drawer-body') ?? button.parentElement!
    ).querySelectorAll<HTMLElement>('button.pic[data-picture]'),
  ]
  return {
    shots: all.map((el) => ({ picture: el.dataset.picture!, caption: el.dataset.caption! })),
    start: all.indexOf(button),
  }
}

export function Picture({
  picture,
  caption,
  width,
  height,
  size = sizeFor(width),
  plain,
}: {
  picture: string | null
  caption: string
  width?: number | string
  height?: number | string
  /** Where it is not what fits the width. */
  size?: Size
  /** Only shows; the parent is the button. */ plain?: boolean
}) {
  const url = useUrl(picture, size)
  const [open, setOpen] = useState<ReturnType<typeof neighbours> | null>(null)
  const style = { width, height }
  if (!picture || url === null)
    return (
      <span className="pic none" style={style}>
        {picture ? '图片读取失败' : '无图片'}
      </span>
    )
  const image = url ? <img src={url} alt={caption} loading="lazy" /> : null
  if (plain)
    return (
      <span className="pic" style={style}>
        {image}
      </span>
    )
  return (
    <>
      <button
        type="button"
        className="pic"
        style={style}
        data-picture={picture}
        data-caption={caption}
        aria-label={`放大 ${caption}`}
        onClick={(e) => {
          e.stopPropagation()
          setOpen(neighbours(e.currentTarget))
        }}
      >
        {image}
      </button>
      {open && (
        <Suspense fallback={null}>
          <Viewer {...open} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  )
}
