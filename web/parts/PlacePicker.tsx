import type { Place } from '@zhuguan/contract/kit/places.ts'
import { useState } from 'react'

import { barePart } from '../kit/barePart.tsx'
import type { Points } from '../kit/map/clusters.ts'
import type { Kind } from '../kit/map/signs.ts'

import './place.css'

const MapBox = barePart(() => import('../kit/map/MapBox.tsx'))
const NONE: readonly number[] = []
const NAMELESS = new Map<number, string>()
const PLAIN: readonly Kind[] = [{ shape: 'circle', tone: 'ok', label: '位置' }]

interface Props {
  place: Place | null
  onChange: (to: Place) => void
  /** The surroundings: shown while the map is open. */
  around?: { about: string; kinds: readonly Kind[]; points: Points | undefined; called: string }
  onOpen?: (isOpen: boolean) => void
}

/** The place of something, put on a map. */
export function PlacePicker({ place, onChange, around, onOpen }: Props) {
  const [moving, setMoving] = useState<{ from: Place | null } | null>(null)
  const said = place ? `东经 ${place.lng.toFixed(6)}，北纬 ${place.lat.toFixed(6)}` : '还没有标注'
  function turn() {
    setMoving(moving ? null : { from: place })
    onOpen?.(!moving)
  }
  return (
    <div className="place-picker">
      <p>
        <span className={place ? 'num' : 'quiet'}>{said}</span>
        <button type="button" className="text-button" onClick={turn}>
          {moving ? '收起地图' : '在地图上选'}
        </button>
      </p>
      {moving && (
        <>
          <div className="place-map">
            <MapBox
              label="选择位置"
              kinds={around?.kinds ?? PLAIN}
              points={around?.points}
              about={around?.about ?? ''}
              chosen={NONE}
              pulses={NONE}
              names={NAMELESS}
              area={undefined}
              drawing={false}
              moving={moving}
              focus={null}
              describe={(m) => (m.count > 1 ? `${m.count} 个${around?.called}` : `已有的${around?.called}`)}
              onPick={() => {}}
              onMove={onChange}
              onView={() => {}}
              onArea={() => {}}
            />
          </div>
          <p className="hint">点地图或拖动标记，方向键微调。</p>
        </>
      )}
    </div>
  )
}
