import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { SitePoints } from '@zhuguan/contract/features/sites/sites.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { distanceText } from '@zhuguan/contract/kit/places.ts'
import { useEffect, useMemo, useState } from 'react'

import { call, callAddressed } from '../../kit/api.ts'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { countFilters } from '../../kit/list/address.ts'
import { FilterRow } from '../../kit/list/FilterRow.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { ViewMenu } from '../../kit/list/ViewMenu.tsx'
import { useLive } from '../../kit/live.ts'
import type { Mark } from '../../kit/map/clusters.ts'
import MapBox, { Sign } from '../../kit/map/MapBox.tsx'
import { useActor, useMayOpen } from '../../parts/session.ts'
import { SiteFilters } from './SiteFilters.tsx'
import { type Chosen, SitePanel } from './SitePanel.tsx'
import { readPoints, SITE_KINDS, SITE_LEGEND, type SiteMapData } from './sitePoints.ts'
import { type Moving, useMovingSite } from './useMovingSite.ts'

/** A change is shown soon; with very many points a little later. */
const SOON_MS = 1_500
const LATER_MS = 15_000
const VERY_MANY = 5_000
const MOST_NAMES = 60
const MOST_PULSES = 20
const NONE: readonly number[] = []
const NAMELESS = new Map<number, string>()

type Filtered = ReturnType<typeof useFilters<typeof sitesApi.points>>

/** The sites of the list, where they are. */
export default function SiteMapPage() {
  const list = useFilters<typeof sitesApi.points>()
  const { filters } = list.address
  const actor = useActor()
  const client = useQueryClient()
  const mayList = useMayOpen('SiteList')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [drawing, setDrawing] = useState(false)
  const [focus, setFocus] = useState<{ points: readonly number[] } | null>(null)
  const [news, setNews] = useState<readonly string[]>([])
  const [singles, setSingles] = useState<readonly number[]>(NONE)
  const about = JSON.stringify(filters)

  const queryKey = [sitesApi.points.path, filters]
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    enabled: list.active,
    structuralSharing: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => ({
      about,
      ...readPoints(await callAddressed(sitesApi.points, filters, signal)),
    }),
  })

  // The legend counts what a click would show, so its own choice is not counted in; the map before it is at hand.
  const withoutLegend = withoutChosen(filters)
  const uncut = useQuery({
    queryKey: [sitesApi.points.path, withoutLegend],
    enabled: list.active,
    structuralSharing: false,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => ({
      about: JSON.stringify(withoutLegend),
      ...readPoints(await callAddressed(sitesApi.points, withoutLegend, signal)),
    }),
  })

  const refresh = () => client.invalidateQueries({ queryKey: [sitesApi.points.path] })
  useLive(['alarm', 'site'], refresh, {
    every: data && data.total > VERY_MANY ? LATER_MS : SOON_MS,
    only({ topic, what, site_id }) {
      if (topic === 'alarm' && what === 'raised' && site_id)
        setNews((old) => [site_id, ...old.filter((id) => id !== site_id)].slice(0, MOST_PULSES))
      return true
    },
  })

  const moves = useMovingSite(data)
  const { moving } = moves
  const pulses = useMemo(
    () => (data ? news.map(data.find).filter((i) => i !== undefined) : NONE),
    [data, news],
  )
  const picked = useMemo(
    () =>
      data && chosen?.ids?.length === 1 ? chosen.ids.map(data.find).filter((i) => i !== undefined) : NONE,
    [data, chosen],
  )
  const names = useNames(data, singles)
  useEffect(() => {
    if (filters.area) setChosen({ title: '圈选的工地', filters })
    else setChosen((old) => (old?.filters ? null : old))
  }, [about])
  useEffect(() => {
    if (!list.active) return
    const on = (e: KeyboardEvent) => {
      if (e.key !== 'Escape') return
      if (drawing) setDrawing(false)
      else if (moving) moves.stop()
      else setChosen(null)
    }
    addEventListener('keydown', on)
    return () => removeEventListener('keydown', on)
  }, [list.active, drawing, moving])

  const show = (ids: readonly string[]) =>
    data && setFocus({ points: ids.map(data.find).filter((i) => i !== undefined) })
  function pick(points: number[]): void {
    if (!data || points.length === 0) return setChosen(filters.area ? { title: '圈选的工地', filters } : null)
    setChosen({
      title: points.length === 1 ? '工地' : `这里的 ${points.length} 个工地`,
      ids: points.map(data.idOf),
    })
  }
  const describe = (m: Mark) => describeMark(m, names)
  const active = countFilters(filters)
  const idle = !moving && !drawing
  const total = data?.total

  return (
    <section className="card list map-page" aria-busy={isFetching}>
      <Bar list={list} active={active} mayList={mayList} drawing={drawing} onDraw={setDrawing} />
      <div className="map-body">
        <MapBox
          label={`工地地图，${total === undefined ? '正在读取' : `${total} 个工地`}；方向键移动，加号和减号缩放`}
          kinds={SITE_KINDS}
          points={data}
          about={data?.about ?? ''}
          chosen={picked}
          pulses={pulses}
          names={names}
          area={filters.area}
          drawing={drawing}
          moving={moving}
          focus={focus}
          describe={describe}
          onPick={pick}
          onMove={moves.moveTo}
          onView={setSingles}
          onArea={(area) => {
            setDrawing(false)
            list.filter(['area', area])
          }}
        >
          {drawing && (
            <div className="map-top" role="status">
              <span>按住拖动，圈出要看的工地</span>
              <button className="button small" onClick={() => setDrawing(false)}>
                取消
              </button>
            </div>
          )}
          {moving && <MoveBar moves={moves} moving={moving} />}
          {idle && data && (
            <Hints
              data={data}
              pulses={pulses}
              filters={filters}
              onChoose={setChosen}
              onNews={() => {
                setFocus({ points: pulses })
                setNews([])
              }}
            />
          )}
          {error && (
            <div className="map-top">
              <Failed error={error} again={() => void refetch()} />
            </div>
          )}
          {!error && idle && total === 0 && (
            <Nothing active={active > 0} unplaced={data!.unplaced > 0} onClear={list.clear} />
          )}
          <Legend list={list} counts={uncut.data?.counts} />
        </MapBox>
        {chosen && !moving && (
          <SitePanel
            chosen={chosen}
            kindOf={(id) => {
              const i = data?.find(id)
              return i === undefined ? undefined : data?.kind[i]
            }}
            mayMove={hasPermission(actor, 'site:edit')}
            mayList={mayList}
            onShow={show}
            onMove={moves.start}
            onClose={() => setChosen(null)}
          />
        )}
      </div>
    </section>
  )
}

/** A mark's words when it is pointed at. */
function describeMark(m: Mark, names: ReadonlyMap<number, string>): string {
  if (m.cluster === null) return names.get(m.i) ?? SITE_KINDS[m.kinds[0]!]!.label
  const said = SITE_KINDS.slice(0, 3).flatMap(({ label }, k) =>
    m.kinds[k] ? [`${m.kinds[k]} 个${label}`] : [],
  )
  return [`${m.count} 个工地`, ...said].join('，')
}

function MoveBar({ moves, moving }: { moves: ReturnType<typeof useMovingSite>; moving: Moving }) {
  const { moved } = moves
  let hint = '拖到它的位置'
  if (moved !== null) hint = moved < 1 ? '拖动标记到正确的位置' : `移动了${distanceText(moved)}`
  return (
    <div className="map-top" role="status">
      <span>
        <b>{moving.site.ws_name}</b>：{hint}
      </span>
      <button className="button small" onClick={moves.stop}>
        取消
      </button>
      <button className="button small primary" disabled={!moves.ready} onClick={() => void moves.place()}>
        确定
      </button>
    </div>
  )
}

function Nothing({ active, unplaced, onClear }: { active: boolean; unplaced: boolean; onClear: () => void }) {
  const none = unplaced ? '工地都还没有标注位置' : '还没有工地'
  return (
    <div className="map-top">
      <span>{active ? '没有符合条件的工地' : none}</span>
      {active && (
        <button className="button small" onClick={onClear}>
          清除条件
        </button>
      )}
    </div>
  )
}

/** The chosen one of the legend; -1 where none is. */
const chosenIn = (filters: Filtered['address']['filters']) =>
  SITE_LEGEND.findIndex((kind) => kind.filters.every(([field, value]) => filters[field] === value))
function withoutChosen(filters: Filtered['address']['filters']): Filtered['address']['filters'] {
  const own: readonly string[] = SITE_LEGEND[chosenIn(filters)]?.filters.map(([field]) => field) ?? []
  return Object.fromEntries(Object.entries(filters).filter(([field]) => !own.includes(field)))
}

/** The legend is a filter of one choice: each count is the total of the map and of the list when it is chosen. */
function Legend({ list, counts }: { list: Filtered; counts: SitePoints['counts'] | undefined }) {
  const chosen = chosenIn(list.address.filters)
  const isChosen = (k: number) => k === chosen
  const toggle = (k: number) =>
    list.filter(
      ...(SITE_LEGEND[chosen]?.filters.map(([field]) => [field, undefined] as const) ?? []),
      ...(isChosen(k) ? [] : SITE_LEGEND[k]!.filters),
    )
  return (
    <ul className="map-legend" aria-label="图例">
      {SITE_KINDS.map((kind, k) => {
        const count = counts?.[SITE_LEGEND[k]!.count]
        return (
          <li key={kind.label}>
            <button
              aria-pressed={isChosen(k)}
              disabled={count === 0 && !isChosen(k)}
              onClick={() => toggle(k)}
            >
              <Sign kind={kind} />
              {kind.label}
              <b>{count ?? '--'}</b>
            </button>
          </li>
        )
      })}
      <li className="all" title="一个工地可以同时有报警和停工，图上按最急的一种显示">
        全部工地
        <b>{counts?.all ?? '--'}</b>
      </li>
    </ul>
  )
}

/** The names of the points that stand alone, once there are few enough to read. */
function useNames(data: SiteMapData | undefined, singles: readonly number[]): Map<number, string> {
  const alone = data && singles.length <= MOST_NAMES ? singles.filter((i) => i < data.total) : NONE
  const named = alone.map((i) => data!.idOf(i))
  const { data: names = NAMELESS } = useQuery({
    queryKey: [sitesApi.list.path, 'names', named],
    enabled: named.length > 0,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    queryFn: async ({ signal }) =>
      new Map(
        (await call(sitesApi.list, { query: { ids: named, pageSize: MOST_NAMES } }, signal)).list.map((s) => [
          alone[named.indexOf(s.id)]!,
          s.ws_name,
        ]),
      ),
  })
  return names
}

interface HintsProps {
  data: SiteMapData
  pulses: readonly number[]
  filters: Filtered['address']['filters']
  onChoose: (chosen: Chosen) => void
  /** The sites of new alarms were asked for. */
  onNews: () => void
}
/** What the map does not show by itself: new alarms, and sites without a place. */
function Hints({ data, pulses, filters, onChoose, onNews }: HintsProps) {
  return (
    <>
      {pulses.length > 0 && (
        <button
          className="map-news"
          onClick={() => {
            onChoose({ title: `刚刚报警的 ${pulses.length} 个工地`, ids: pulses.map((i) => data.idOf(i)) })
            onNews()
          }}
        >
          {pulses.length} 个工地有新报警
        </button>
      )}
      {data.unplaced > 0 && (
        <button
          className="map-note button small"
          onClick={() =>
            onChoose({
              title: `没有标注位置的 ${data.unplaced} 个工地`,
              filters: { ...filters, located: 'false' },
            })
          }
        >
          {data.unplaced} 个工地没有标注位置
        </button>
      )}
    </>
  )
}

interface BarProps {
  list: Filtered
  active: number
  mayList: boolean
  drawing: boolean
  onDraw: (drawing: boolean) => void
}
function Bar({ list, active, mayList, drawing, onDraw }: BarProps) {
  return (
    <div className="list-bar">
      <FilterRow>
        <SiteFilters list={list} />
      </FilterRow>
      {active > 0 && (
        <button className="text-button" onClick={list.clear}>
          清除 {active} 个条件
        </button>
      )}
      <button className="button" aria-pressed={drawing} onClick={() => onDraw(!drawing)}>
        {drawing ? '取消圈选' : '圈选'}
      </button>
      {mayList && (
        <a className="button" href={hrefOf('SiteList', list.address.filters)}>
          切换到列表模式
        </a>
      )}
      <ViewMenu cols="" />
    </div>
  )
}
