import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { nearbyApi } from '@zhuguan/contract/features/nearby/nearby.api.ts'
import { type NearbyPoint, type NearbyView, RADII } from '@zhuguan/contract/features/nearby/nearby.record.ts'
import { previewsApi } from '@zhuguan/contract/features/shares/previews.api.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import { useState } from 'react'

import { call, callAddressed } from '../../kit/api.ts'
import { fullScreen } from '../../kit/fullScreen.ts'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { useLive } from '../../kit/live.ts'
import { useParam } from '../../kit/page.tsx'
import { clock } from '../../kit/time.ts'
import { useKeys } from '../../kit/useKeys.ts'
import { PlaceSearch } from '../../parts/PlaceSearch.tsx'
import { radiusText } from '../../parts/radius.ts'
import { useMayReach } from '../../parts/session.ts'
import { HomeCard } from './HomeCard.tsx'
import { movedTo, pointText } from './point.ts'
import { Rings } from './Rings.tsx'

import '../../kit/board.css'
import './mapFieldboard.css'

const REFRESH_MS = 60_000
type Filters = ReturnType<typeof useFilters<typeof nearbyApi.around>>
const FAR = RADII[2]
/** The community itself is in the middle again. */
const NOWHERE: [keyof Filters['address']['filters'], undefined][] = [
  ['east', undefined],
  ['north', undefined],
  ['point', undefined],
]

/** What the group builds around a customer's home, told as far as anybody may know it; shown to customers. */
export default function MapFieldboardPage() {
  const place = useFilters<typeof nearbyApi.around>()
  const preview = useParam('preview') ?? ''
  const {
    community = '',
    city = '',
    radius,
    stage,
    status,
    style,
    east,
    north,
    point,
  } = place.address.filters
  const asked = { community, city, radius, stage, status, style, east, north, point }
  const isAsked = community !== '' || !!point
  const spot = pointText(community, asked)
  const [chosen, setChosen] = useState<NearbyPoint>()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [nearbyApi.around.path, asked],
    enabled: isAsked,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(nearbyApi.around, asked, signal),
  })
  useLive(['case'], () => void refetch())
  useKeys({ Escape: () => setChosen(undefined), f: fullScreen })
  const shown = isAsked ? data : undefined
  return (
    <div className="board map-field" data-theme="dark">
      <header>
        <h1>地图看板</h1>
        <PlaceSearch
          here={community}
          onPick={(p) => {
            setChosen(undefined)
            place.filter(['community', p.community], ['city', p.city], ['style', undefined], ...NOWHERE)
          }}
          onPoint={(typed) => {
            setChosen(undefined)
            place.filter(['community', undefined], ['city', undefined], ['style', undefined], ...NOWHERE, [
              'point',
              typed,
            ])
          }}
        />
        {spot && community !== '' && (
          <button onClick={() => place.filter(...NOWHERE)}>回到{community}</button>
        )}
        {shown && <Chosen of={place} styles={shown.styles} />}
        {shown && <time>{clock(shown.at)} 的数据</time>}
        {shown && <ToNow community={community} city={city} />}
        {preview && (
          <LinkTo page="customPreview" query={{ id: preview }}>
            回到客户预览
          </LinkTo>
        )}
        <button onClick={fullScreen} title="全屏（F）；Esc 不再只看一个小区">
          全屏
        </button>
      </header>
      {!isAsked && (
        <p className="map-none">输入客户住的小区，或者“经度,纬度”，看我们在周边做过和正在做的工地</p>
      )}
      {isAsked && error && (
        <div className="map-none">
          <Failed error={error} again={() => void refetch()} />
        </div>
      )}
      {shown && !error && (
        <Seen
          of={place}
          view={shown}
          isOld={isPlaceholderData}
          chosen={chosen}
          onChoose={setChosen}
          preview={preview}
          spot={spot}
        />
      )}
    </div>
  )
}

interface SeenProps {
  of: Filters
  view: NearbyView
  isOld: boolean
  chosen: NearbyPoint | undefined
  onChoose: (p: NearbyPoint | undefined) => void
  preview: string
  spot: string
}
/** The rings, and beside them the homes in words; those of one community where it is chosen. */
function Seen({ of, view, isOld, chosen, onChoose, preview, spot }: SeenProps) {
  const { community = '', radius, ...more } = of.address.filters
  const homes = view.homes.filter(
    (h) => !chosen || (h.community === chosen.community && h.city === chosen.city),
  )
  return (
    <main aria-busy={isOld}>
      <Rings
        points={view.points}
        radius={Number(radius ?? FAR)}
        chosen={chosen}
        onChoose={(p) => onChoose(p === chosen ? undefined : p)}
        spot={spot}
        onSpot={(by) => {
          onChoose(undefined)
          of.filter(...movedTo(more, by))
        }}
      />
      <section className="board-panel">
        <Told of={of} view={view} community={spot || community} />
        <h2>
          {chosen ? `${chosen.community}（再点一次看全部）` : `离得最近的 ${homes.length} 个`}
          {!chosen && view.total > homes.length && <small>，共 {view.total} 个</small>}
        </h2>
        <HomeList homes={homes} at={view.at} preview={preview} />
      </section>
    </main>
  )
}

/** Those of them that are shown and in which somebody works, for who shows cases. */
function ToNow({ community, city }: { community: string; city: string }) {
  if (!useMayReach('CaseField') || community === '') return null
  return (
    <LinkTo page="CaseField" query={{ community, city: city || undefined, now: '1' }}>
      现在有人施工的
    </LinkTo>
  )
}

interface Listed {
  homes: NearbyView['homes']
  at: number
  preview: string
}
function HomeList({ at, homes, preview }: Listed) {
  const client = useQueryClient()
  const { data: composed } = useQuery({
    queryKey: [previewsApi.details.path, preview],
    enabled: preview !== '',
    queryFn: ({ signal }) => call(previewsApi.details, { query: { id: preview } }, signal),
  })
  if (homes.length === 0) return <p className="map-none">没有这样的工地，请换一个条件</p>
  return (
    <div className="map-homes">
      {homes.map((h) => (
        <HomeCard
          key={h.id}
          of={h}
          at={at}
          preview={composed}
          onAdded={() => void client.invalidateQueries({ queryKey: [previewsApi.details.path, preview] })}
        />
      ))}
    </div>
  )
}

/** In words, each figure a filter of the list; what rests on too few homes is not said. */
function Told({ of, view, community }: { of: Filters; view: NearbyView; community: string }) {
  const { figures: f } = view
  const { radius, status } = of.address.filters
  const within = Number(radius ?? FAR)
  const only = (to: 'building' | 'finished' | 'working', words: string) => (
    <button
      aria-pressed={status === to}
      onClick={() => of.filter(['status', status === to ? undefined : to])}
    >
      {words}
    </button>
  )
  return (
    <p className="map-told">
      {f.hereBuilding === null
        ? `${community}，`
        : `${community}在建 ${f.hereBuilding} 个、完工 ${f.hereFinished} 个；`}
      {radiusText(within)}内 {only('building', `在建 ${f.building} 个`)}{' '}
      {only('finished', `完工 ${f.finished} 个`)} {only('working', `今天在施工 ${f.working} 个`)}
      {f.typicalDays !== null && `；一半在 ${f.typicalDays} 天内完工（${f.typicalOf} 套）`}
      {f.onTime !== null && `；按期完工 ${f.onTime}%（${f.onTimeOf} 套）`}
    </p>
  )
}

function Chosen({ of, styles }: { of: Filters; styles: readonly string[] }) {
  const { radius, stage, style } = of.address.filters
  return (
    <span className="case-filters">
      <select aria-label="范围" value={radius ?? FAR} onChange={(e) => of.filter(['radius', e.target.value])}>
        {RADII.map((r) => (
          <option key={r} value={r}>
            {radiusText(r)}
          </option>
        ))}
      </select>
      <select
        aria-label="阶段"
        value={stage ?? ''}
        onChange={(e) => of.filter(['stage', e.target.value || undefined])}
      >
        <option value="">阶段</option>
        {siteStage.options.map(({ label, value }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <select
        aria-label="风格"
        value={style ?? ''}
        onChange={(e) => of.filter(['style', e.target.value || undefined])}
      >
        <option value="">风格</option>
        {styles.map((s) => (
          <option key={s} value={s}>
            {s}
          </option>
        ))}
      </select>
    </span>
  )
}
