import { useState } from 'react'

import { barePart } from './barePart.tsx'
import { pictureAt, type PictureSize } from './pictureAt.ts'
import type { Shot } from './Viewer.tsx'

import './picture.css'

const Viewer = barePart(() => import('./Viewer.tsx'))

/** The width that a box of an unknown one is taken to have: a card in a grid. */
const CARD_PX = 300
const THUMB_PX = 320
const MEDIUM_PX = 960
/** The smallest that is sharp on this screen. */
function sizeFor(width: number | string | undefined): PictureSize {
  const pixels = (typeof width === 'number' ? width : CARD_PX) * devicePixelRatio
  if (pixels <= THUMB_PX) return 'thumb'
  return pixels <= MEDIUM_PX ? 'medium' : 'full'
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
  at = pictureAt,
}: {
  picture: string | null
  caption: string
  width?: number | string
  height?: number | string
  /** The size to ask for, where it is not the one that fits the width. */
  size?: PictureSize
  /** Only shows; the parent is the button. */ plain?: boolean
  /** By which door; what is not a file of a record has one of its own. */
  at?: typeof pictureAt | undefined
}) {
  const [broken, setBroken] = useState<string | null>(null)
  const [open, setOpen] = useState<ReturnType<typeof neighbours> | null>(null)
  const style = { width, height }
  if (!picture || broken === picture)
    return (
      <span className="pic none" style={style}>
        {picture ? '图片读取失败' : '无图片'}
      </span>
    )
  const image = (
    <img
      src={at(picture, size)}
      alt={caption}
      loading="lazy"
      decoding="async"
      onError={() => setBroken(picture)}
    />
  )
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
      {open && <Viewer {...open} onClose={() => setOpen(null)} />}
    </>
  )
}
