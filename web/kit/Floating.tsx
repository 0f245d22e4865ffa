import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'

import './floating.css'

type Spot = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>
const GAP = 4
const EDGE = 8

/** A box in the browser's top layer beside `at`; Esc and a click elsewhere close it without our help. */
export function Floating({
  at,
  align = 'start',
  className = '',
  id,
  onClose,
  children,
}: {
  at: Spot
  align?: 'start' | 'end'
  className?: string
  id?: string
  onClose: () => void
  children: ReactNode
}) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const el = box.current!
    if (!el.isConnected || el.matches(':popover-open')) return
    el.showPopover()
    const { width, height } = el.getBoundingClientRect()
    const left = align === 'end' ? at.right - width : at.left
    const below = at.bottom + GAP
    el.querySelector<HTMLElement>('[data-focus]')?.focus()
    el.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`
    const above = at.top - GAP - height
    el.style.top = `${below + height > innerHeight - EDGE && above > 0 ? above : below}px`
  }, [at, align])
  return createPortal(
    <div
      ref={box}
      id={id}
      popover="auto"
      className={`float ${className}`}
      onClick={(e) => e.stopPropagation()}
      onToggle={(e) => e.newState === 'closed' && onClose()}
    >
      {children}
    </div>,
    document.body,
  )
}

/** A button and the box it opens. */
export function Opener({
  button,
  align,
  className,
  children,
}: {
  button: ReactElement<{ onClick?: unknown; onPointerDown?: unknown }>
  align?: 'start' | 'end'
  className?: string
  children: (close: () => void) => ReactNode
}) {
  const [at, setAt] = useState<DOMRect | null>(null)
  const wasOpen = useRef(false)
  const id = useId()
  const close = () => setAt(null)
  const trigger = cloneElement(button as ReactElement<Record<string, unknown>>, {
    'aria-expanded': at !== null,
    'aria-controls': at ? id : undefined,
    // The press itself closes the box; the click that follows must not open it again.
    onPointerDown: () => (wasOpen.current = at !== null),
    onClick: (e: React.MouseEvent<HTMLElement>) => {
      e.stopPropagation()
      if (!wasOpen.current && !at) setAt(e.currentTarget.getBoundingClientRect())
      else close()
      wasOpen.current = false
    },
  })
  return (
    <>
      {trigger}
      {at && (
        <Floating at={at} align={align} className={className} id={id} onClose={close}>
          {children(close)}
        </Floating>
      )}
    </>
  )
}
