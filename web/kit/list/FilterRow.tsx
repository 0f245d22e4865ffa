import { type ReactNode, useEffect, useRef, useState } from 'react'

const ROW_PX = 40

const isDrawn = (one: Element) => one.getClientRects().length > 0
/** Whether all stand in one line of the room that row and button have together. */
function fitsOneLine(row: HTMLElement, button: HTMLElement | null): boolean {
  const { left, right } = row.getBoundingClientRect()
  const end = button && isDrawn(button) ? button.getBoundingClientRect().right : right
  const widths = [...row.children].filter(isDrawn).map((chip) => chip.getBoundingClientRect().width)
  const gap = parseFloat(getComputedStyle(row).columnGap) || 0
  return widths.reduce((sum, width) => sum + width + gap, -gap) <= end - left
}

/** One row of filters, each at its place; what does not fit waits behind a button, unless something there is set. */
export function FilterRow({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const [more, setMore] = useState(false)
  const [hasSet, setHasSet] = useState(false)
  // On a phone the row is pushed sideways: its end fades while there is more of it.
  const [goesOn, setGoesOn] = useState(false)
  const seen = useRef(() => {})
  // After every drawing: a chip that says its value is wider than one that says its name.
  useEffect(() => {
    const see = () => {
      const row = box.current
      if (!row) return
      setGoesOn(row.scrollWidth - row.clientWidth - row.scrollLeft > 4)
      const first = row.getBoundingClientRect().top
      const isBelow = (chip: Element) => chip.getBoundingClientRect().top > first + ROW_PX / 2
      // What it decides must not change what it measures, or the row would be drawn for ever.
      const fits = fitsOneLine(row, button.current)
      setMore(!fits)
      setHasSet(!fits && [...row.querySelectorAll('.on')].some(isBelow))
    }
    seen.current = see
    see()
    const observer = new ResizeObserver(see)
    observer.observe(box.current!)
    // A calendar that comes later is wider than the chip in its place.
    for (const chip of box.current!.children) observer.observe(chip)
    return () => observer.disconnect()
  })
  return (
    <>
      <div
        ref={box}
        className={`filters${open || hasSet ? '' : ' folded'}${goesOn ? ' goes-on' : ''}`}
        onScroll={() => seen.current()}
        onFocus={(e) =>
          e.target.getBoundingClientRect().top > box.current!.getBoundingClientRect().bottom && setOpen(true)
        }
      >
        {children}
      </div>
      {/* While something set keeps the row open, the button keeps its place: without it the row would fit and fold. */}
      {more && (
        <button
          ref={button}
          className="text-button more-filters"
          disabled={hasSet}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? '收起' : '更多筛选'}
        </button>
      )}
    </>
  )
}
