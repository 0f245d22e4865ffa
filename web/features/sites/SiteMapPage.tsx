import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'
import type { SiteRow } from '@zhuguan/contract/features/sites/sites.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { distanceText, metres, type Place } from '@zhuguan/contract/kit/places.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'
import { useEffect, useMemo, useState } from 'react'

import { call, callAddressed } from '../../kit/api.ts'
import { countFilters, writeAddress } from '../../kit/list/address.ts'
import { FilterRow } from '../../kit/list/FilterRow.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { ViewMenu } from '../../kit/list/ViewMenu.tsx'
import { useLive } from '../../kit/live.ts'
import type { Mark } from '../../kit/map/clusters.ts'
import MapBox, { Sign } from '../../kit/map/MapBox.tsx'
import { message } from '../../kit/notices.ts'
import { useActor, useMayOpen } from '../../parts/session.ts'
import { SiteFilters } from './SiteFilters.tsx'
import { type Chosen, SitePanel } from './SitePanel.tsx'
import { readPoints, SITE_KINDS, SITE_LEGEND } from './sitePoints.ts'

/** A change is shown soon; with very many points a little later. */
const SOON_MS = 1_500
const LATER_MS = 15_000
const VERY_MANY = 5_000
const MOST_NAMES = 60
const MOST_PULSES = 20
const NONE: readonly number[] = []
const NAMELESS = new Map<number, string>()

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
  const [moving, setMoving] = useState<{ site: SiteRow; from: Place | null } | null>(null)
  const [to, setTo] = useState<Place | null>(null)
  const [busy, setBusy] = useState(false)
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

  const refresh = () => client.invalidateQueries({ queryKey: [sitesApi.points.path] })
  useLive(['alarm', 'site'], refresh, {
    every: (data?.total ?? 0) > VERY_MANY ? LATER_MS : SOON_MS,
    only({ topic, what, site_id }) {
      if (topic === 'alarm' && what === 'raised' && site_id)
        setNews((old) => [site_id, ...old.filter((id) => id !== site_id)].slice(0, MOST_PULSES))
      return true
    },
  })

  const pulses = useMemo(
    () => (data ? news.map(data.find).filter((i) => i !== undefined) : NONE),
    [data, news],
  )
  const picked = useMemo(
    () =>
      data && chosen?.ids?.length === 1 ? chosen.ids.map(data.find).filter((i) => i !== undefined) : NONE,
    [data, chosen],
  )
  // Names of the points that stand alone, once there are few enough to read.
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

  useEffect(() => {
    if (filters.area) setChosen({ title: '圈选的工地', filters })
    else setChosen((old) => (old?.filters ? null : old))
  }, [about])
  useEffect(() => {
    if (!list.active) return
    const on = (e: KeyboardEvent) => {
      if (e.key !== 'Escape') return
      if (drawing) setDrawing(false)
      else if (moving) setMoving(null)
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
  function startMove(site: SiteRow): void {
    const i = data?.find(site.id)
    const from = i === undefined ? null : { lng: data!.lng[i]! / 1e6, lat: data!.lat[i]! / 1e6 }
    setTo(from)
    setMoving({ site, from })
  }
  async function place(): Promise<void> {
    setBusy(true)
    try {
      await call(sitesApi.place, { body: { id: moving!.site.id, version: moving!.site.version, ...to! } })
      message.success(`${moving!.site.ws_name} 的位置已${moving!.from ? '修正' : '标注'}`)
      setMoving(null)
      await Promise.all(
        [sitesApi.points, sitesApi.list, sitesApi.details].map((e) =>
          client.invalidateQueries({ queryKey: [e.path] }),
        ),
      )
    } catch (why) {
      message.error((why as Error).message)
      void client.invalidateQueries({ queryKey: [sitesApi.list.path] })
    } finally {
      setBusy(false)
    }
  }
  const describe = (m: Mark) =>
    m.cluster === null
      ? (names.get(m.i) ?? SITE_KINDS[m.kinds[0]!]!.label)
      : `${m.count} 个工地${m.kinds[0] ? `，${m.kinds[0]} 个有未办结报警` : ''}${m.kinds[1] ? `，${m.kinds[1]} 个无人施工` : ''}`
  const active = countFilters(filters)
  /** The legend is a filter: its count is the total of the map and of the list under it. */
  const isChosen = (k: number) => {
    const [field, value] = SITE_LEGEND[k]!.filter
    return filters[field] === value
  }
  const toggleKind = (k: number) => {
    const [field, value] = SITE_LEGEND[k]!.filter
    list.filter([field, isChosen(k) ? undefined : value])
  }
  const moved = moving?.from && to ? metres(moving.from, to) : null

  return (
    <section className="card list map-page" aria-busy={isFetching}>
      <div className="list-bar">
        <FilterRow>
          <SiteFilters list={list} />
        </FilterRow>
        {active > 0 && (
          <button className="text-button" onClick={list.clear}>
            清除 {active} 个条件
          </button>
        )}
        <button className="button" aria-pressed={drawing} onClick={() => setDrawing(!drawing)}>
          {drawing ? '取消圈选' : '圈选'}
        </button>
        {mayList && (
          <a className="button" href={`#${PAGES.SiteList.path}${writeAddress('', { filters })}`}>
            切换到列表模式
          </a>
        )}
        <ViewMenu cols="" />
      </div>
      <div className="map-body">
        <MapBox
          label={`工地地图，${data ? `${data.total} 个工地` : '正在读取'}；方向键移动，加号和减号缩放`}
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
          onMove={setTo}
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
                取 消
              </button>
            </div>
          )}
          {moving && (
            <div className="map-top" role="status">
              <span>
                <b>{moving.site.ws_name}</b>：
                {moved === null
                  ? '拖到它的位置'
                  : moved < 1
                    ? '拖动标记到正确的位置'
                    : `移动了${distanceText(moved)}`}
              </span>
              <button className="button small" onClick={() => setMoving(null)}>
                取 消
              </button>
              <button
                className="button small primary"
                disabled={busy || !to || (moved !== null && moved < 1)}
                onClick={() => void place()}
              >
                确 定
              </button>
            </div>
          )}
          {!moving && !drawing && pulses.length > 0 && (
            <button
              className="map-news"
              onClick={() => {
                setChosen({
                  title: `刚刚报警的 ${pulses.length} 个工地`,
                  ids: pulses.map((i) => data!.idOf(i)),
                })
                setFocus({ points: pulses })
                setNews([])
              }}
            >
              {pulses.length} 个工地有新报警
            </button>
          )}
          {data && data.unplaced > 0 && !moving && !drawing && (
            <button
              className="map-note button small"
              onClick={() =>
                setChosen({
                  title: `没有标注位置的 ${data.unplaced} 个工地`,
                  filters: { ...filters, located: 'false' },
                })
              }
            >
              {data.unplaced} 个工地没有标注位置
            </button>
          )}
          {error ? (
            <div className="map-top">
              <Failed error={error} again={() => void refetch()} />
            </div>
          ) : (
            data &&
            data.total === 0 &&
            !drawing &&
            !moving && (
              <div className="map-top">
                <span>
                  {active ? '没有符合条件的工地' : data.unplaced ? '工地都还没有标注位置' : '还没有工地'}
                </span>
                {active > 0 && (
                  <button className="button small" onClick={list.clear}>
                    清除条件
                  </button>
                )}
              </div>
            )
          )}
          <ul className="map-legend" aria-label="图例">
            {SITE_KINDS.map((kind, k) => (
              <li key={kind.label}>
                <button aria-pressed={isChosen(k)} onClick={() => toggleKind(k)}>
                  <Sign kind={kind} />
                  {kind.label}
                  <b>{data?.counts[SITE_LEGEND[k]!.count] ?? '--'}</b>
                </button>
              </li>
            ))}
          </ul>
        </MapBox>
        {chosen && !moving && (
          <SitePanel
            chosen={chosen}
            onMap={(id) => data?.find(id) !== undefined}
            mayMove={hasPermission(actor, 'site:edit')}
            mayList={mayList}
            onShow={show}
            onMove={startMove}
            onClose={() => setChosen(null)}
          />
        )}
      </div>
    </section>
  )
}
