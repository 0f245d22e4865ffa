import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { videoApi } from '@zhuguan/contract/features/video/video.api.ts'
import { type SiteOnline } from '@zhuguan/contract/features/video/video.record.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { PAGES } from '@zhuguan/contract/pages.ts'

import { call } from '../../kit/api.ts'
import { ExportButton } from '../../kit/list/ExportButton.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { NoSubject } from '../../kit/NoSubject.tsx'
import { usePage, usePageName, useParam } from '../../kit/page.tsx'
import { dayOf, full, nowSeconds } from '../../kit/time.ts'
import { BandLegend } from '../../parts/DayBand.tsx'
import { useActor } from '../../parts/session.ts'
import { CameraDays } from './CameraDays.tsx'
import { OutageList } from './OutageList.tsx'
import { hours, percent } from './words.ts'

import './video.css'

const DAY = 86_400
const SPANS = [7, 14, 31]

/** The states of one site's cameras, day by day: on line, off line and why, frozen, skewed. */
export default function SiteVidiconPage() {
  const page = usePage()
  const site_id = useParam('site_id') ?? ''
  const asked = Number(useParam('days'))
  const days = SPANS.includes(asked) ? asked : SPANS[0]!
  const now = nowSeconds()
  const query = { site_id, from: dayOf(now - (days - 1) * DAY), to: dayOf(now) }
  const { data, error, refetch, isPlaceholderData, dataUpdatedAt } = useQuery({
    queryKey: [videoApi.online.path, query],
    enabled: page.active && site_id !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(videoApi.online, { query }, signal),
  })
  usePageName(data?.siteName)
  useLive(['device'], () => refetch(), { only: (e) => e.site_id === site_id, every: FIGURES_MS })
  const mayExport = hasPermission(useActor(), 'vidicon:export')
  if (!site_id) return <NoSubject what="工地" from="工地信息" />
  const show = (n: number) => page.go(`${page.path}?site_id=${site_id}&days=${n}`, { replace: true })
  return (
    <div className="vidicon">
      <section className="card list-bar vidicon-bar">
        <b className="vidicon-title">{PAGES.SiteVidicon.title}</b>
        <b className="about">{data?.siteName}</b>
        <span className="quiet grow">
          {`${query.from} 至 ${query.to}`}
          {data && `，截至 ${full(dataUpdatedAt / 1_000).slice(11, 16)}`}
        </span>
        <span className="switch" role="group" aria-label="时间范围">
          {SPANS.map((n) => (
            <button key={n} aria-pressed={n === days} onClick={() => show(n)}>
              近 {n} 天
            </button>
          ))}
        </span>
        <button className="button" onClick={() => print()}>
          打印
        </button>
        {mayExport && (
          <ExportButton
            endpoint={videoApi.outagesExport}
            filters={query}
            name="摄像头离线记录"
            {...(data && { total: data.outages.length })}
          />
        )}
      </section>
      {error && !data && <Failed error={error} again={() => void refetch()} />}
      {!error && !data && <div className="page-wait" aria-busy="true" />}
      {data && <Online data={data} stale={isPlaceholderData} />}
    </div>
  )
}

function Online({ data, stale }: { data: SiteOnline; stale: boolean }) {
  if (data.cameras.length === 0)
    return (
      <section className="card empty">
        <h2>这段时间工地上没有摄像头</h2>
        <p className="quiet">绑定摄像头以后，这里会显示它每天的在线情况。可以换一个时间范围看看。</p>
      </section>
    )
  return (
    <div className={stale ? 'vidicon-stale' : ''} aria-busy={stale}>
      <Totals total={data.total} />
      <section className="card section">
        <h2>
          每天的在线情况 <small>在线率低的在前</small>
        </h2>
        <CameraDays cameras={data.cameras} />
        <BandLegend skewed>空白是不在这个工地或还没到的时间；未启用和未监测的时间不算进在线率</BandLegend>
      </section>
      <OutageList key={data.from} outages={data.outages} />
    </div>
  )
}

function Totals({ total }: { total: SiteOnline['total'] }) {
  const figures = [
    ['在线率', percent(total.rate), `监测 ${hours(total.measured)}`],
    ['摄像头', `${total.cameras} 台`, '含已移走的'],
    ['离线', `${total.outages} 次`, `共 ${hours(total.offline)}`],
    ['画面冻结', `${total.frozen} 次`, '算作离线'],
    ['摄像头偏移', `${total.skewed} 次`, '按报警计'],
    ['未监测', hours(total.unknown), '服务器没有运行'],
  ] as const
  return (
    <dl className="card vidicon-totals">
      {figures.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{value}</b> <small>{note}</small>
          </dd>
        </div>
      ))}
    </dl>
  )
}
