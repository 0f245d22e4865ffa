import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import {
  tidinessBy,
  tidinessChange,
  type TidinessRow,
} from '@zhuguan/contract/features/tidiness/tidiness.record.ts'
import { useState } from 'react'

import { call } from '../../kit/api.ts'
import { ChartCard } from '../../kit/chart/ChartCard.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { usePage, useParam } from '../../kit/page.tsx'
import { Picture } from '../../kit/Picture.tsx'
import { dayOf, dayStart, full, nowSeconds, short } from '../../kit/time.ts'
import { Tidy } from '../../parts/Tidy.tsx'
import { WorkerName } from '../../parts/WorkerName.tsx'
import { change, Sample, ShareLines, shareText, type Trend } from './shares.tsx'
import { Change, seenBy } from './words.tsx'

import './tidiness.css'

const CompareDrawer = lazyPart(() => import('./CompareDrawer.tsx'))

const DAY = 86_400
const SPANS = [
  ['30', 30, '近 30 天'],
  ['84', 84, '近 12 周'],
  ['182', 182, '近 26 周'],
] as const
const WEEKS = SPANS[1]

/** The tidiness of the sites that one steward or manager leads: the shares, and what each camera showed. */
export default function CleanChangePage() {
  const page = usePage()
  const worker_id = useParam('worker_id') ?? ''
  const asked = useParam('days')
  const [name, days] = SPANS.find(([n]) => n === asked) ?? WEEKS
  const query = { worker_id, from: dayStart(dayOf(nowSeconds())) - (days - 1) * DAY }
  const enabled = page.active && worker_id !== ''
  const trend = useQuery({
    queryKey: [tidinessApi.trend.path, query],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(tidinessApi.trend, { query: { ...query, by: tidinessBy.code.site } }, signal),
  })
  const shots = useQuery({
    queryKey: [tidinessApi.shots.path, query],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(tidinessApi.shots, { query }, signal),
  })
  useLive(['tidiness'], () => Promise.all([trend.refetch(), shots.refetch()]), { every: FIGURES_MS })
  const [opened, setOpened] = useState<{ shots: readonly TidinessRow[]; id: string } | null>(null)
  if (!worker_id) return <NoSubject what="工人" from="工人基本信息" />
  const show = (to: string) => page.go(`${page.path}?worker_id=${worker_id}&days=${to}`, { replace: true })
  const { data } = trend
  return (
    <div className="clean-change">
      <div className="card list-bar">
        <WorkerName id={worker_id} />
        <span className="quiet grow">
          {data && `现在负责的工地中有检查的 ${data.groupsTotal} 个，差的占比高的在前`}
        </span>
        <span className="switch" role="group" aria-label="时间">
          {SPANS.map(([n, , label]) => (
            <button key={n} aria-pressed={n === name} onClick={() => show(n)}>
              {label}
            </button>
          ))}
        </span>
      </div>
      <ChartCard
        title="整洁度"
        note={data && <Sample trend={data} />}
        of={trend}
        empty={
          data &&
          data.total.n + data.skewed === 0 &&
          '这段时间没有整洁度检查。没有对应账号的，请在工人的编辑里选择。'
        }
      >
        {data && <ShareLines trend={data} />}
      </ChartCard>
      {shots.error && <Failed error={shots.error} again={() => void shots.refetch()} />}
      {data &&
        shots.data &&
        sitesOf(data, shots.data).map((s) => (
          <Site key={s.id} site={s} onOpen={(of, id) => setOpened({ shots: of, id })} />
        ))}
      {opened && <CompareDrawer {...opened} onClose={() => setOpened(null)} />}
    </div>
  )
}

interface OfSite {
  id: string
  name: string
  /** Nothing where every check was of a skewed camera. */
  group: Trend['groups'][number] | undefined
  /** The pictures of each camera, the oldest first. */
  cameras: TidinessRow[][]
}
/** In the order of the trend, the most untidy first. */
function sitesOf(trend: Trend, shots: readonly TidinessRow[]): OfSite[] {
  const sites = new Map<string, OfSite>(
    trend.groups.map((g) => [g.id, { id: g.id, name: g.name, group: g, cameras: [] }]),
  )
  for (const shot of shots) {
    const id = shot.site_id
    const site = sites.get(id) ?? { id, name: shot.siteName, group: undefined, cameras: [] }
    sites.set(id, site)
    const camera = site.cameras.find((c) => c[0]!.device_id === shot.device_id)
    if (camera) camera.push(shot)
    else site.cameras.push([shot])
  }
  return [...sites.values()]
}

function Site({
  site: { cameras, group, id, name },
  onOpen,
}: {
  site: OfSite
  onOpen: (shots: readonly TidinessRow[], id: string) => void
}) {
  const turn = group && change(group)
  return (
    <section className="card section">
      <h2>
        <LinkTo page="SiteInfo" query={{ id }}>
          {name}
        </LinkTo>
        {group && turn && (
          <small>
            {group.n} 次检查：优 {shareText(group.excellent, group.n)} · 差 {shareText(group.poor, group.n)}
            ；优的占比 前半段 → 后半段{' '}
            <span className={turn.worse ? 'worse' : undefined} title={turn.title}>
              {turn.text}
            </span>
          </small>
        )}
      </h2>
      {cameras.length === 0 && <p className="quiet">这段时间的检查没有照片。</p>}
      {cameras.map((shots) => (
        <div key={shots[0]!.device_id ?? ''} className="over-time">
          {cameras.length > 1 && <small>{seenBy(shots[0]!)}</small>}
          <ol ref={atEnd} tabIndex={0} aria-label={`${name} ${seenBy(shots[0]!)} 的照片，最近的在右边`}>
            {besideLast(shots).map((t) => (
              <li key={t.id}>
                <button
                  className="shot"
                  aria-label={`对比 ${short(t.at)} 的照片`}
                  onClick={() => onOpen(shots, t.id)}
                >
                  <Picture plain picture={t.picture} caption={`${seenBy(t)} ${full(t.at)}`} />
                </button>
                <small title={full(t.at)}>{short(t.at)}</small>
                <span>
                  <Tidy result={t.result} /> <Change check={t} />
                </span>
              </li>
            ))}
          </ol>
        </div>
      ))}
    </section>
  )
}
const { better, first, same, worse } = tidinessChange.code
/** Each beside the verdict of the picture that stands before it, not of a check that is not shown. */
function besideLast(shots: readonly TidinessRow[]): TidinessRow[] {
  let last: TidinessRow['result'] | null = null
  return shots.map((t) => {
    if (t.result === tidinessResult.code.skewed) return { ...t, change: null, lastResult: null }
    const lastResult = last
    last = t.result
    if (lastResult === null) return { ...t, change: first, lastResult }
    const turned = t.result < lastResult ? better : worse
    return { ...t, change: t.result === lastResult ? same : turned, lastResult }
  })
}
/** The newest stands at the right, and is seen first. */
function atEnd(row: HTMLOListElement | null): void {
  if (row) row.scrollLeft = row.scrollWidth
}
