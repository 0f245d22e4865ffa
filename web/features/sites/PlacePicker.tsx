import { useQuery } from '@tanstack/react-query'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { Place } from '@zhuguan/contract/kit/places.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { useMayOpen } from '../../parts/session.ts'
import { readPoints, SITE_KINDS } from './sitePoints.ts'

import './sites.css'

const MapBox = lazyPart(() => import('../../kit/map/MapBox.tsx'))
const NONE: readonly number[] = []
const NAMELESS = new Map<number, string>()

/** Where a site stands, put on a map that shows the other sites of its branch. */
export function PlacePicker({
  place,
  near,
  onChange,
}: {
  place: Place | null
  near: string | null | undefined
  onChange: (to: Place) => void
}) {
  const [moving, setMoving] = useState<{ from: Place | null } | null>(null)
  const mayMap = useMayOpen('SiteMap')
  const { data } = useQuery({
    queryKey: [sitesApi.points.path, 'near', near],
    enabled: moving !== null && mayMap && !!near,
    structuralSharing: false,
    queryFn: async ({ signal }) =>
      readPoints(await call(sitesApi.points, { query: { bc_id: [near!] } }, signal)),
  })
  const said = place ? `东经 ${place.lng.toFixed(6)}，北纬 ${place.lat.toFixed(6)}` : '还没有标注'
  return (
    <div className="place-picker">
      <p>
        <span className={place ? 'num' : 'quiet'}>{said}</span>
        <button
          type="button"
          className="text-button"
          onClick={() => setMoving(moving ? null : { from: place })}
        >
          {moving ? '收起地图' : '在地图上选'}
        </button>
      </p>
      {moving && (
        <>
          <div className="place-map">
            <MapBox
              label="选择位置"
              kinds={SITE_KINDS}
              points={data}
              about={near ?? ''}
              chosen={NONE}
              pulses={NONE}
              names={NAMELESS}
              area={undefined}
              drawing={false}
              moving={moving}
              focus={null}
              describe={(m) => (m.count > 1 ? `${m.count} 个工地` : '已有的工地')}
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
