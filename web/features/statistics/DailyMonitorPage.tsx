import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { alarmType, correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { deviceType, spanCause } from '@zhuguan/contract/features/devices/devices.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import { type ReactNode, useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { ChartCard } from '../../kit/chart/ChartCard.tsx'
import { BarChart } from '../../kit/chart/charts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { hrefOf, LinkTo } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { Picture } from '../../kit/Picture.tsx'
import { dayStart, full, lasting, nowSeconds } from '../../kit/time.ts'
import { BranchFilter } from '../../parts/places.tsx'
import { useMayOpen } from '../../parts/session.ts'
import type { Wanted } from './DailySheetPage.tsx'
import { alarmsOf, attendOf, devicesOf } from './links.ts'

import './statistics.css'

const SiteDaysDrawer = lazyPart(() => import('./SiteDaysDrawer.tsx'))
const FIRST_HOUR = 6
const LAST_HOUR = 23
const WORKED = { title: '有人施工', filter: { state: 'worked' } }
const BUILDING = { title: '在建工地', filter: {} }
const clock = (seconds: number) => full(seconds).slice(11, 16)

/** Today, hour by hour and branch by branch; moves while people arrive and cameras report. */
export default function DailyMonitorPage() {
  const place = useFilters<typeof statisticsApi.monitor>()
  const bc = { bc_id: place.address.filters.bc_id }
  const figures = useQuery({
    queryKey: [statisticsApi.monitor.path, bc],
    enabled: place.active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(statisticsApi.monitor, bc, signal),
  })
  const [wanted, setWanted] = useState<Wanted | null>(null)
  useLive(['attendance', 'alarm', 'device'], () => figures.refetch(), { every: FIGURES_MS })
  const mayBoard = useMayOpen('DataV')
  const m = figures.data
  if (figures.error) return <Failed error={figures.error} again={() => void figures.refetch()} />
  if (!m) return <div className="page-wait" aria-busy="true" />
  const all = m.branches.reduce(
    (t, b) =>
      Object.fromEntries(Object.entries(t).map(([k, v]) => [k, v + b[k as keyof typeof t]])) as typeof t,
    {
      sites: 0,
      worked: 0,
      expected: 0,
      present: 0,
      guests: 0,
      devicesOnline: 0,
      devicesTotal: 0,
      raised: 0,
      done: 0,
      open: 0,
    },
  )
  const everywhere = { day: m.day, bc_id: bc.bc_id, bc_name: bc.bc_id ? '' : '全部分公司' }
  const rowOf = ({ bc_id, bc_name }: { bc_id: string; bc_name: string }) => ({ day: m.day, bc_id, bc_name })
  const nowHour = Math.min(LAST_HOUR, Math.floor((m.at - dayStart(m.day)) / 3_600))
  const busy = m.hours.findIndex((h) => h.arrived || h.raised || h.done)
  const hours = busy === -1 ? [] : m.hours.slice(Math.min(FIRST_HOUR, busy), nowHour + 1)
  return (
    <>
      <section className="list-bar bare">
        <BranchFilter list={place} />
        <span className="grow" />
        {mayBoard && (
          <a className="button" href={hrefOf('DataV', bc)} target="_blank" rel="noreferrer">
            数据大屏
          </a>
        )}
        <span className="quiet sum">截至 {clock(m.at)}</span>
      </section>
      <div className="cards monitor">
        <Figure
          title="今日到场"
          value={all.present - all.guests}
          note={`${all.expected > 0 ? `应到 ${all.expected} 人` : '今天没有应到的人'}；外援 ${all.guests} 人另计`}
          link={attendOf(m.day, m.day, { guest: 'false', ...bc })}
        />
        <Figure
          title="有人施工的工地"
          value={all.worked}
          note={`在建 ${all.sites} 个`}
          onOpen={() => setWanted({ row: everywhere, ...WORKED })}
        />
        <Figure
          title="不在线设备"
          value={all.devicesTotal - all.devicesOnline}
          bad
          note={`已启用 ${all.devicesTotal} 台`}
          link={devicesOf({ bindStatus: '2', deviceStatus: '2,4', ...bc })}
        />
        <Figure
          title="今日报警"
          value={all.raised}
          note={`今日办结 ${all.done}（含往日报警），未办结 ${all.open}`}
          link={alarmsOf(m.day, m.day, bc)}
        />
      </div>
      <div className="charts after-charts">
        <ChartCard
          title="逐小时"
          note="首次打卡人数、报警与办结"
          empty={hours.length === 0 && '今天还没有动静。'}
        >
          <BarChart
            label="今日逐小时"
            labels={hours.map((h) => `${h.hour} 时`)}
            series={[
              { name: '到场（人）', values: hours.map((h) => h.arrived), hue: 0 },
              { name: '报警（条）', values: hours.map((h) => h.raised), tone: 'bad' },
              { name: '办结（条）', values: hours.map((h) => h.done), tone: 'ok' },
            ]}
          />
        </ChartCard>
        <section className="card section chart-card">
          <h2>各分公司</h2>
          <div className="table-wrap" tabIndex={0} role="region" aria-label="各分公司今日">
            <table className="grid">
              <thead>
                <tr>
                  <th className="first">分公司</th>
                  <th className="right">施工/在建</th>
                  <th className="right">到场/应到</th>
                  <th className="right">设备在线</th>
                  <th className="right">今日报警</th>
                  <th className="right">
                    今日办结
                    <br />
                    <small>含往日报警</small>
                  </th>
                  <th className="right">未办结</th>
                </tr>
              </thead>
              <tbody>
                {m.branches.map((b) => (
                  <tr key={b.bc_id}>
                    <td className="first">{b.bc_name}</td>
                    <td className="right">
                      <Sites n={b.worked} open={() => setWanted({ row: rowOf(b), ...WORKED })} /> /{' '}
                      <Sites n={b.sites} open={() => setWanted({ row: rowOf(b), ...BUILDING })} />
                    </td>
                    <td className="right">
                      <Counted
                        n={b.present - b.guests}
                        href={attendOf(m.day, m.day, { bc_id: b.bc_id, guest: 'false' })}
                      />{' '}
                      / {b.expected}
                      {b.guests > 0 && <small className="quiet"> 外援 {b.guests}</small>}
                    </td>
                    <td className="right">
                      <Counted
                        n={b.devicesOnline}
                        href={devicesOf({ bindStatus: '2', deviceStatus: '1', bc_id: b.bc_id })}
                      />{' '}
                      /{' '}
                      <Counted
                        n={b.devicesTotal}
                        href={devicesOf({ bindStatus: '2', deviceStatus: '1,2,4', bc_id: b.bc_id })}
                      />
                    </td>
                    <td className="right">
                      <Counted n={b.raised} href={alarmsOf(m.day, m.day, { bc_id: b.bc_id })} />
                    </td>
                    <td className="right">
                      <Counted n={b.done} href={hrefOf('AlarmEvent', { closedOn: m.day, bc_id: b.bc_id })} />
                    </td>
                    <td className="right">
                      <Counted
                        n={b.open}
                        href={hrefOf('AlarmEvent', { correctionStatus: '1,2', bc_id: b.bc_id })}
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      </div>
      <div className="feeds">
        <Feed
          title="刚刚到场"
          empty="今天还没有人打卡。"
          rows={m.arrivals}
          row={(a) => (
            <li key={`${a.worker_id}${a.site_id}`}>
              {a.picture && (
                <Picture picture={a.picture} caption={`${a.w_name} ${full(a.at)}`} width={48} height={36} />
              )}
              <span className="what">
                <b>{a.w_name}</b> <small>{workerType.label(a.w_type)}</small>
                <br />
                <LinkTo page="SiteInfo" query={{ id: a.site_id }}>
                  {a.ws_name}
                </LinkTo>
              </span>
              <time title={full(a.at)}>{clock(a.at)}</time>
            </li>
          )}
        />
        <Feed
          title="今日报警"
          empty="今天没有报警。"
          rows={m.alarms}
          row={(a) => (
            <li key={a.id}>
              {a.picture && (
                <Picture
                  picture={a.picture}
                  caption={`${alarmType.label(a.type)} ${full(a.at)}`}
                  width={48}
                  height={36}
                />
              )}
              <span className="what">
                <LinkTo page="AlarmEvent" query={{ id: a.id }}>
                  {alarmType.label(a.type)}
                </LinkTo>{' '}
                <small>{correctionStatus.label(a.correctionStatus)}</small>
                <br />
                <LinkTo page="SiteInfo" query={{ id: a.site_id }}>
                  {a.ws_name}
                </LinkTo>
              </span>
              <time title={full(a.at)}>{clock(a.at)}</time>
            </li>
          )}
        />
        <Feed
          title="不在线的设备"
          empty="所有设备都在线。"
          rows={m.down}
          row={(d) => (
            <li key={d.id}>
              <span className="what">
                <a href={devicesOf({ keyword: d.sn })}>{d.sn}</a>{' '}
                <small>
                  {deviceType.label(d.type)} · {spanCause.label(d.cause)}
                </small>
                <br />
                <LinkTo page="SiteInfo" query={{ id: d.site_id }}>
                  {d.ws_name}
                </LinkTo>
              </span>
              <time title={full(d.since)}>{lasting(nowSeconds() - d.since)}</time>
            </li>
          )}
        />
      </div>
      {wanted && <SiteDaysDrawer wanted={wanted} onClose={() => setWanted(null)} />}
    </>
  )
}

/** A figure as the way to what it counts; nothing leads nowhere. */
const Counted = ({ n, href }: { n: number; href: string }) => (n ? <a href={href}>{n}</a> : <>0</>)
const Sites = ({ n, open }: { n: number; open: () => void }) =>
  n ? (
    <button className="name" onClick={open}>
      {n}
    </button>
  ) : (
    <>0</>
  )

const Figure = ({
  title,
  value,
  note,
  link,
  onOpen,
  bad,
}: {
  title: string
  value: number
  note: string
  link?: string
  /** Opens beside the page what a list of ours shows. */
  onOpen?: () => void
  bad?: boolean
}) => (
  <section className={`card figure${bad && value > 0 ? ' alert' : ''}`}>
    <h2>{title}</h2>
    {value > 0 && link && <a className="cover" href={link} aria-label={`${title} ${value}，查看清单`} />}
    {value > 0 && onOpen && (
      <button className="cover" onClick={onOpen} aria-label={`${title} ${value}，查看清单`} />
    )}
    <span className="big">{value}</span>
    <small>{note}</small>
  </section>
)
const Feed = <R,>({
  title,
  empty,
  rows,
  row,
}: {
  title: string
  empty: string
  rows: readonly R[]
  row: (r: R) => ReactNode
}) => (
  <section className="card section chart-card">
    <h2>
      {title} <small>{rows.length ? `${rows.length} 条` : ''}</small>
    </h2>
    {rows.length ? <ol className="feed">{rows.map(row)}</ol> : <p className="quiet">{empty}</p>}
  </section>
)
