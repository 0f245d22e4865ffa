import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

import { pictureAt } from './pictureAt.ts'

import './viewer.css'

export interface Shot {
  picture: string
  caption: string
}
const MOST = 8
const STEP = 1.4
const clamp = (z: number) => Math.min(MOST, Math.max(1, z))

/** A picture as large as the window: wheel or +/− zooms, dragging moves, arrows turn to the next, Esc closes. */
export default function Viewer({
  shots,
  start,
  onClose,
}: {
  shots: readonly Shot[]
  start: number
  onClose: () => void
}) {
  const [at, setAt] = useState(start)
  const [view, setView] = useState({ zoom: 1, x: 0, y: 0 })
  const drag = useRef<{ x: number; y: number } | null>(null)
  const shot = shots[at]!
  const url = pictureAt(shot.picture, 'full')
  const [seen, setSeen] = useState<Readonly<Record<string, 'read' | 'broken'>>>({})
  const state = seen[shot.picture]
  const note = (how: 'read' | 'broken') => setSeen((old) => ({ ...old, [shot.picture]: how }))
  const turn = (by: number) => {
    const next = at + by
    if (!shots[next]) return
    setAt(next)
    setView({ zoom: 1, x: 0, y: 0 })
  }
  const zoomTo = (zoom: number) =>
    setView((v) => (clamp(zoom) === 1 ? { zoom: 1, x: 0, y: 0 } : { ...v, zoom: clamp(zoom) }))
  useEffect(() => {
    const on = (e: KeyboardEvent) => {
      if (e.key === 'Escape') onClose()
      else if (e.key === 'ArrowLeft') turn(-1)
      else if (e.key === 'ArrowRight') turn(1)
      else if (e.key === '+' || e.key === '=') zoomTo(view.zoom * STEP)
      else if (e.key === '-') zoomTo(view.zoom / STEP)
      else if (e.key === '0') zoomTo(1)
      else return
      e.stopPropagation()
      e.preventDefault()
    }
    addEventListener('keydown', on, true)
    return () => removeEventListener('keydown', on, true)
  })
  const move = (e: PointerEvent) => {
    const from = drag.current
    if (!from || view.zoom === 1) return
    drag.current = { x: e.clientX, y: e.clientY }
    setView((v) => ({ ...v, x: v.x + e.clientX - from.x, y: v.y + e.clientY - from.y }))
  }
  return createPortal(
    <div
      className="viewer"
      role="dialog"
      aria-modal="true"
      aria-label={shot.caption}
      onClick={(e) => {
        e.stopPropagation()
        onClose()
      }}
      onWheel={(e) => zoomTo(view.zoom * (e.deltaY < 0 ? 1.15 : 1 / 1.15))}
    >
      {state === 'broken' && <p role="alert">图片没有读到</p>}
      {state !== 'broken' && (
        <img
          key={url}
          src={url}
          alt={shot.caption}
          draggable={false}
          aria-busy={!state}
          onLoad={() => note('read')}
          onError={() => note('broken')}
          className={view.zoom > 1 ? 'moving' : ''}
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.zoom})` }}
          onClick={(e) => e.stopPropagation()}
          onDoubleClick={() => zoomTo(view.zoom > 1 ? 1 : 2.5)}
          onPointerDown={(e) => {
            drag.current = { x: e.clientX, y: e.clientY }
            e.currentTarget.setPointerCapture(e.pointerId)
          }}
          onPointerMove={move}
          onPointerUp={() => (drag.current = null)}
        />
      )}
      {shots.length > 1 && (
        <>
          <button
            className="turn back"
            aria-label="上一张"
            disabled={at === 0}
            onClick={(e) => {
              e.stopPropagation()
              turn(-1)
            }}
          >
            ‹
          </button>
          <button
            className="turn on"
            aria-label="下一张"
            disabled={at === shots.length - 1}
            onClick={(e) => {
              e.stopPropagation()
              turn(1)
            }}
          >
            ›
          </button>
        </>
      )}
      <footer onClick={(e) => e.stopPropagation()}>
        <span>
          {shot.caption}
          {shots.length > 1 && `（${at + 1}/${shots.length}）`}
        </span>
        <button aria-label="缩小" disabled={view.zoom === 1} onClick={() => zoomTo(view.zoom / STEP)}>
          −
        </button>
        <span className="num">{Math.round(view.zoom * 100)}%</span>
        <button aria-label="放大" disabled={view.zoom === MOST} onClick={() => zoomTo(view.zoom * STEP)}>
          ＋
        </button>
        {state === 'read' && (
          <a
            href={url}
            download={`${shot.caption.replace(/[\\/:*?"<>|]/g, '-')}${/\.\w+$/.exec(shot.picture)?.[0] ?? '.jpg'}`}
          >
            下载
          </a>
        )}
        <button autoFocus onClick={onClose}>
          关闭 Esc
        </button>
      </footer>
    </div>,
    document.body,
  )
}
