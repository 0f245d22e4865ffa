import { type CardPlace, homeCard } from '@zhuguan/contract/features/home/home.record.ts'
import type { ReactNode } from 'react'
import ReactGridLayout, { useContainerWidth } from 'react-grid-layout'

import { LEAST, moved, MOST, packed, PER_ROW, resized } from './places.ts'

import 'react-grid-layout/css/styles.css'

const ROW_PX = 84
const GAP_PX = 12

/** The cards while they are arranged: dragged and pulled at their corner, or moved by the buttons on each. */
export default function Arrange({
  places,
  onChange,
  children,
}: {
  places: readonly CardPlace[]
  onChange: (places: CardPlace[]) => void
  children: (place: CardPlace) => ReactNode
}) {
  const { width, containerRef, mounted } = useContainerWidth()
  return (
    <div ref={containerRef} className="arrange">
      {mounted && (
        <ReactGridLayout
          width={width}
          layout={places.map(({ card, ...p }) => ({
            ...p,
            i: card,
            minW: LEAST.w,
            minH: LEAST.h,
            maxW: MOST.w,
            maxH: MOST.h,
          }))}
          gridConfig={{
            cols: PER_ROW,
            rowHeight: ROW_PX,
            margin: [GAP_PX, GAP_PX],
            containerPadding: [0, 0],
          }}
          dragConfig={{ cancel: 'button' }}
          onLayoutChange={(layout) =>
            onChange(
              places.map((p) => {
                const { x, y, w, h } = layout.find((l) => l.i === p.card) ?? p
                return { card: p.card, x, y, w, h }
              }),
            )
          }
        >
          {places.map((place) => (
            <div key={place.card}>
              {children(place)}
              <Tools place={place} places={places} onChange={onChange} />
            </div>
          ))}
        </ReactGridLayout>
      )}
    </div>
  )
}

/** The same without a pointer. */
function Tools({
  place: { card, w, h },
  places,
  onChange,
}: {
  place: CardPlace
  places: readonly CardPlace[]
  onChange: (places: CardPlace[]) => void
}) {
  const order = places.map((p) => p.card).indexOf(card)
  const tools: [label: string, sign: string, off: boolean, to: () => CardPlace[]][] = [
    ['前移', 'M19 12H5M11 6l-6 6 6 6', order === 0, () => moved(places, card, -1)],
    ['后移', 'M5 12h14M13 6l6 6-6 6', order === places.length - 1, () => moved(places, card, 1)],
    [
      '变窄',
      'M3 12h6M15 12h6M6 9l3 3-3 3M18 9l-3 3 3 3',
      w <= LEAST.w,
      () => resized(places, card, { w: -1 }),
    ],
    ['加宽', 'M3 12h18M6 9l-3 3 3 3M18 9l3 3-3 3', w >= MOST.w, () => resized(places, card, { w: 1 })],
    [
      '变矮',
      'M12 3v6M12 15v6M9 6l3 3 3-3M9 18l3-3 3 3',
      h <= LEAST.h,
      () => resized(places, card, { h: -1 }),
    ],
    ['加高', 'M12 3v18M9 6l3-3 3 3M9 18l3 3 3-3', h >= MOST.h, () => resized(places, card, { h: 1 })],
    ['移除', 'M6 6l12 12M18 6 6 18', false, () => packed(places.filter((p) => p.card !== card))],
  ]
  return (
    <span className="edit" role="group" aria-label={`调整${homeCard.label(card)}`}>
      {tools.map(([label, sign, off, to]) => (
        <button
          key={label}
          className="button small"
          aria-label={label}
          title={label}
          disabled={off}
          onClick={() => onChange(to())}
        >
          <svg width="16" height="16" viewBox="0 0 24 24" aria-hidden="true">
            <path d={sign} />
          </svg>
        </button>
      ))}
    </span>
  )
}
