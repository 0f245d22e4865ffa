import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

import type { Offer, SheetColumn, SheetRow } from './column.ts'

/** The next cell of the keyboard after one that has been written. */
export type Way = 'up' | 'down' | 'left' | 'right' | 'next' | 'before'
const PAUSE_MS = 80

const wayOf = (e: KeyboardEvent): Way | undefined => {
  if (e.key === 'Enter') return e.shiftKey ? 'up' : 'down'
  return e.key === 'Tab' ? (['next', 'before'] as const)[Number(e.shiftKey)] : undefined
}
const ARROWS: Readonly<Record<string, Way>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}

/** The offers for what is typed; the last question's answer counts. */
function useOffers<R extends SheetRow>(column: SheetColumn<R>, row: R, text: string) {
  const [offers, setOffers] = useState<{ of: string; list: readonly Offer[] } | null>(null)
  useEffect(() => {
    if (!column.offers) return
    let gone = false
    const put = (list: readonly Offer[]) => !gone && setOffers({ of: text, list })
    const found = () => {
      const answer = column.offers!(row, text)
      if (Array.isArray(answer)) put(answer)
      else void (answer as Promise<readonly Offer[]>).then(put, () => put([]))
    }
    const timer = setTimeout(found, column.take ? PAUSE_MS : 0)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [column, text])
  return { offers: offers?.list ?? [], isKnown: !column.offers || offers?.of === text }
}

/** One cell while it is written in: by typing over it, where arrows go on to the next cell, or by F2. */
export function CellEditor<R extends SheetRow>({
  column,
  row,
  isTyped,
  put,
  take,
  takeLater,
  lost,
  leave,
}: {
  column: SheetColumn<R>
  row: R
  isTyped: boolean
  /** The reason why not, where it is refused. */
  put: (text: string) => string | undefined
  take: (offer: Offer) => string | undefined
  /** The meaning of the words, while they still stand there. */
  takeLater: (offer: Offer, text: string) => void
  /** What stood here when the pointer left was refused. */
  lost: (why: string) => void
  /** The cell is read again; `way` is where the keyboard goes. */
  leave: (way?: Way) => void
}) {
  const before = column.text(row)
  const [text, setText] = useState(isTyped ? '' : before)
  const [fault, setFault] = useState<string>()
  const [chosen, setChosen] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const { offers, isKnown } = useOffers(column, row, !isTyped && text === before ? '' : text)
  // What stands here when the cell is left by the pointer; nothing once it has been written or given up.
  const open = useRef<string | null>(isTyped ? null : before)
  useLayoutEffect(() => {
    input.current?.focus()
    const end = input.current?.value.length ?? 0
    input.current?.setSelectionRange(end, end)
  }, [])
  useEffect(
    () => () => {
      const why = open.current === null || open.current === before ? undefined : put(open.current)
      if (why !== undefined) lost(why)
    },
    [],
  )
  const write = (offer: Offer | undefined, way?: Way) => {
    const why = offer && column.take ? take(offer) : put(offer?.text ?? text)
    setFault(why)
    if (why !== undefined) return
    open.current = null
    leave(way)
  }
  const picked = text === before && !isTyped && chosen === 0 ? undefined : offers[chosen]
  /** Whoever types fast is not held up: what is meant exactly is taken when it is known. */
  function commit(way: Way): void {
    if (text === '' || isKnown) return write(text === '' ? undefined : picked, way)
    const answer = column.offers!(row, text)
    if (Array.isArray(answer)) return write(answer[chosen] as Offer | undefined, way)
    write(undefined, way)
    void (answer as Promise<readonly Offer[]>).then(
      (list) => {
        const exact = list.find((offer) => offer.isExact)
        if (exact) takeLater(exact, text.trim())
      },
      () => {},
    )
  }

  function onKeyDown(e: KeyboardEvent) {
    e.stopPropagation()
    if (e.nativeEvent.isComposing || e.keyCode === 229) return
    const steps = offers.length > 0 && { ArrowDown: 1, ArrowUp: -1 }[e.key]
    const way = wayOf(e) ?? (isTyped ? ARROWS[e.key] : undefined)
    if (e.key === 'Escape') {
      open.current = null
      leave()
    } else if (steps) setChosen((chosen + steps + offers.length) % offers.length)
    else if (way) commit(way)
    else return
    e.preventDefault()
  }
  const spot = input.current?.getBoundingClientRect()
  return (
    <>
      <input
        ref={input}
        className={`sheet-input${column.right ? ' right' : ''}`}
        aria-label={column.title}
        aria-invalid={fault !== undefined}
        {...(column.offers && {
          role: 'combobox',
          'aria-expanded': offers.length > 0,
          'aria-controls': 'sheet-offers',
          'aria-activedescendant': picked && `offer-${chosen}`,
        })}
        autoComplete="off"
        value={text}
        onKeyDown={onKeyDown}
        onChange={(e) => {
          open.current = e.target.value
          setText(e.target.value)
          setChosen(0)
          setFault(undefined)
        }}
      />
      {spot && fault !== undefined && (
        <Beside spot={spot}>
          <em role="alert">{fault}</em>
        </Beside>
      )}
      {spot && fault === undefined && column.offers && (offers.length > 0 || !isKnown) && (
        <Beside spot={spot}>
          <Offers label={column.title} offers={offers} chosen={chosen} onTake={(offer) => write(offer)} />
        </Beside>
      )}
    </>
  )
}

function Offers({
  label,
  offers,
  chosen,
  onTake,
}: {
  label: string
  offers: readonly Offer[]
  chosen: number
  onTake: (offer: Offer) => void
}) {
  return (
    <ul id="sheet-offers" role="listbox" aria-label={label}>
      {offers.map((offer, i) => (
        <li
          key={offer.key}
          id={`offer-${i}`}
          role="option"
          aria-selected={i === chosen}
          onClick={() => onTake(offer)}
        >
          {offer.text} {offer.note && <small>{offer.note}</small>}
        </li>
      ))}
      {offers.length === 0 && <li className="quiet">正在查找…</li>}
    </ul>
  )
}

const GAP = 2
/** Under the cell, in front of the sheet, above it where there is no room; the press on it keeps the cell open. */
function Beside({ spot, children }: { spot: DOMRect; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const el = box.current!
    const { height, width } = el.getBoundingClientRect()
    const fits = spot.bottom + GAP + height < innerHeight
    el.style.top = `${fits ? spot.bottom + GAP : spot.top - GAP - height}px`
    el.style.left = `${Math.max(GAP, Math.min(spot.left, innerWidth - width - GAP))}px`
    el.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  return createPortal(
    <div
      ref={box}
      className="sheet-beside"
      style={{ minWidth: spot.width }}
      onMouseDown={(e) => e.preventDefault()}
    >
      {children}
    </div>,
    document.body,
  )
}
