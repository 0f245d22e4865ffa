import { useEffect, useRef } from 'react'

import { dismiss, useNotices } from './notices.ts'

import './notices.css'

const SIGN = { success: '✓', error: '!', info: 'i' } as const

/** The application's own notice, at the top, above everything that floats. */
export function NoticeBoard() {
  const notices = useNotices()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Shown anew each time: what opened last lies on top of the browser's top layer.
    if (box.current?.matches(':popover-open')) box.current.hidePopover()
    if (notices.length) box.current?.showPopover?.()
  }, [notices])
  return (
    <div ref={box} popover="manual" className="notices" role="status" aria-live="polite">
      {notices.map((n) => (
        <div
          key={n.id}
          className={`notice ${n.kind}`}
          role={n.kind === 'error' ? 'alert' : undefined}
          onClick={() => dismiss(n.id)}
        >
          <i aria-hidden="true">{SIGN[n.kind]}</i>
          <div>
            {n.title && <b>{n.title}</b>}
            <span>{n.text}</span>
          </div>
          {n.action && (
            <button className="text-button" onClick={n.action.run}>
              {n.action.label}
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
