import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { PLACE_DAYS } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { supervisionApi } from '@zhuguan/contract/features/supervision/supervision.api.ts'
import { type MapFigures, UNVISITED_DAYS } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useMemo, useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { FilterRow } from '../../kit/list/FilterRow.tsx'
import { CodeFilter } from '../../kit/list/filters.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { useLive } from '../../kit/live.ts'
import MapBox from '../../kit/map/MapBox.tsx'
import { BranchFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { MapLists } from './MapLists.tsx'
import { picture, SIGNS } from './mapPicture.ts'

import './supervision.css'

const NONE: readonly number[] = []
const CHOICES = [3, 7, 14, 30].map((n) => ({ value: n, label: `${n} 天` }))

/** The last check-ins of managers and stewards, their way of today, and sites that nobody visited for days. */
export default function ManageMapPage() {
  const place = useFilters<typeof supervisionApi.map>()
  const isSuperior = hasPermission(useActor(), 'manage:supervise')
  const { bc_id, days, id } = place.address.filters
  const [picked, setPicked] = useState<string | null>(id ?? null)
  const asked = { id, bc_id, days }
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [supervisionApi.map.path, asked],
    enabled: place.active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(supervisionApi.map, asked, signal),
  })
  useLive(['patrol', 'attendance'], () => refetch(), { every: 30_000 })
  const shown = useMemo(() => picture(data, picked), [data, picked])
  if (error) return <Failed error={error} again={() => void refetch()} />
  return (
    <section className="card list map-page" aria-busy={isFetching}>
      <div className="list-bar">
        <FilterRow>
          {isSuperior && !id && <BranchFilter single list={place} />}
          <CodeFilter
            single
            list={place}
            field="days"
            label={`没有到访（默认 ${UNVISITED_DAYS} 天）`}
            options={CHOICES}
          />
        </FilterRow>
        <span className="quiet grow">{data && sumOf(data)}</span>
      </div>
      <p className="map-rule quiet">
        位置只来自现场巡检的签到和工地的考勤打卡，不在后台取手机定位；位置保留 {PLACE_DAYS} 天，到期删除。
      </p>
      <div className="map-body">
        <MapBox
          label="管理人员的签到和没有到访的工地"
          kinds={SIGNS}
          points={data ? shown.points : undefined}
          about={`${bc_id} ${id} ${picked}`}
          chosen={NONE}
          pulses={NONE}
          names={shown.names}
          area={undefined}
          lines={shown.lines}
          drawing={false}
          moving={null}
          focus={null}
          describe={(mark) => (mark.count === 1 ? shown.abouts[mark.i]! : `${mark.count} 处`)}
          onPick={([i]) => {
            const person = i === undefined ? undefined : shown.people[i]
            if (person) setPicked(person)
          }}
          onArea={() => {}}
          onMove={() => {}}
          onView={() => {}}
        />
        {data && <MapLists of={data} picked={picked} onPick={setPicked} />}
      </div>
    </section>
  )
}

function sumOf({ asOf, bc_name, days, people, unvisited }: MapFigures): string {
  const out = people.filter((p) => p.today.length > 0).length
  return `${bc_name} · ${asOf} · 今天 ${out} / ${people.length} 人签到过 · ${unvisited.length} 个在建工地 ${days} 天没有人到访`
}
