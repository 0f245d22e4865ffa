import { type ReactNode, useEffect, useRef, useState } from 'react'

const ROW_PX = 40

/** One row of filters, the active ones first; what does not fit waits behind a button. */
export function FilterRow({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [more, setMore] = useState(false)
  // After every drawing: a chip that says its value is wider than one that says its name.
  useEffect(() => {
    const see = () => setMore((box.current?.scrollHeight ?? 0) > ROW_PX)
    see()
    const observer = new ResizeObserver(see)
    observer.observe(box.current!)
    return () => observer.disconnect()
  })
  return (
    <>
      <div
        ref={box}
        className={`filters${open ? '' : ' folded'}`}
        onFocus={(e) =>
          e.target.getBoundingClientRect().top > box.current!.getBoundingClientRect().bottom && setOpen(true)
        }
      >
        {children}
      </div>
      {more && (
        <button className="text-button more-filters" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? '收起' : '更多筛选'}
        </button>
      )}
    </>
  )
}
