import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { tidinessLevel } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { DataView } from '@zhuguan/contract/features/statistics/data-view.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { ReactNode } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { Away } from '../../kit/Away.tsx'
import { fullScreen } from '../../kit/fullScreen.ts'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { Picture } from '../../kit/Picture.tsx'
import { clock, dayOf, short } from '../../kit/time.ts'
import { useKeys } from '../../kit/useKeys.ts'
import { useNow } from '../../kit/useNow.ts'
import { useMayOpen } from '../../parts/session.ts'
import { ageOf } from './boardAge.ts'
import { alarmsOf, attendOf, devicesOf } from './links.ts'
import { Hours, Ring } from './shapes.tsx'

import '../../kit/board.css'
import './dataView.css'

const REFRESH_MS = 30_000
const SHOTS = 2
const LINES = 6
type Branch = DataView['today']['branches'][number]

const total = (branches: readonly Branch[], key: Exclude<keyof Branch, 'bc_id' | 'bc_name'>): number =>
  branches.reduce((n, b) => n + b[key], 0)

/** The day on a large screen: all branches, or one of them by the arrow keys; every figure is the way to its list. */
export default function DataVPage() {
  const place = useFilters<typeof statisticsApi.dataView>()
  const bc = { bc_id: place.address.filters.bc_id }
  const asked = (query: typeof bc) => ({
    queryKey: [statisticsApi.dataView.path, query],
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }: { signal: AbortSignal }) => callAddressed(statisticsApi.dataView, query, signal),
  })
  const { data, error, refetch } = useQuery(asked(bc))
  // All branches stand beside the one that is looked at.
  const { data: whole } = useQuery({ ...asked({ bc_id: undefined }), enabled: !!bc.bc_id })
  useLive(['attendance', 'alarm', 'device'], () => refetch(), { every: FIGURES_MS })
  const now = useNow()
  const branches = (bc.bc_id ? whole : data)?.today.branches ?? data?.today.branches ?? []
  const step = (by: number) => {
    const stops = [undefined, ...branches.map((b) => b.bc_id)]
    const at = stops.indexOf(bc.bc_id)
    place.filter(['bc_id', stops[(at + by + stops.length) % stops.length]])
  }
  useKeys({
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    Escape: () => place.filter(['bc_id', undefined]),
    f: fullScreen,
  })
  if (error && !data) return <Failed error={error} again={() => void refetch()} />
  if (!data) return <div className="board data-view" data-theme="dark" aria-busy="true" />
  const { today } = data
  const age = ageOf(today.at, now)
  const named = branches.find((b) => b.bc_id === bc.bc_id)
  return (
    <div className={`board data-view ${age.state}`} data-theme="dark">
      <header>
        <h1>数据大屏</h1>
        <span className="data-place">
          {named && (
            <>
              <button onClick={() => place.filter(['bc_id', undefined])}>全部分公司</button> › {named.bc_name}
            </>
          )}
          {!named && (branches.length === 1 ? branches[0]!.bc_name : `全部分公司（${branches.length}）`)}
        </span>
        <span className={`data-age ${age.state}`} role="status">
          {age.words}
        </span>
        <time>
          {today.day} {clock(now)}
        </time>
        <button onClick={fullScreen} title="全屏（F）；← → 换分公司，Esc 回到全部">
          全屏
        </button>
      </header>
      <Counters view={data} bc={bc} />
      <div className="data-row">
        <Panel title="今日到场（按首次打卡的小时）" note={`${total(today.branches, 'present')} 人次`}>
          <Hours values={today.hours.map((h) => h.arrived)} until={new Date(now * 1000)} unit="人" />
        </Panel>
        <Tidiness view={data} bc={bc.bc_id} />
        <Devices branches={today.branches} bc={bc.bc_id} />
      </div>
      <div className="data-row lower">
        <Branches branches={branches} chosen={bc.bc_id} onChoose={(id) => place.filter(['bc_id', id])} />
        <Ticker view={data} />
        <Feed view={data} />
      </div>
    </div>
  )
}

const Panel = ({ title, note, children }: { title: string; note?: string; children: ReactNode }) => (
  <section className="board-panel">
    <h2>
      {title} {note && <small>{note}</small>}
    </h2>
    {children}
  </section>
)

/** Four figures of the day, each with the last thing that moved it. */
function Counters({ view: { today }, bc }: { view: DataView; bc: { bc_id: string | undefined } }) {
  const [attends, alarms, devices, monitors] = [
    useMayOpen('WorkerAttend'),
    useMayOpen('AlarmEvent'),
    useMayOpen('DeviceList'),
    useMayOpen('DailyMonitor'),
  ]
  const b = today.branches
  const [arrival] = today.arrivals
  const [alarm] = today.alarms
  const [down] = today.down
  const present = total(b, 'present') - total(b, 'guests')
  const due = total(b, 'expected')
  return (
    <div className="data-counters">
      <Counter
        title="今日到场"
        value={present}
        of={due > 0 ? `应到 ${due}` : '没有应到的人'}
        href={attends ? attendOf(today.day, today.day, { guest: 'false', ...bc }) : undefined}
        last={arrival && `${clock(arrival.at)} ${arrival.w_name} · ${arrival.ws_name}`}
      />
      <Counter
        title="有人施工的工地"
        value={total(b, 'worked')}
        of={`在建 ${total(b, 'sites')}`}
        href={monitors ? hrefOf('DailyMonitor', bc) : undefined}
        last={arrival && `${clock(arrival.at)} ${arrival.ws_name}`}
      />
      <Counter
        title="在线设备"
        value={total(b, 'devicesOnline')}
        of={`已启用 ${total(b, 'devicesTotal')}`}
        href={devices ? devicesOf({ bindStatus: '2', deviceStatus: '1', ...bc }) : undefined}
        last={
          down && `${dayOf(down.since) === today.day ? clock(down.since) : short(down.since)} ${down.sn} 离线`
        }
      />
      <Counter
        title="今日报警"
        value={total(b, 'raised')}
        of={`未办结 ${total(b, 'open')}`}
        bad
        href={alarms ? alarmsOf(today.day, today.day, bc) : undefined}
        last={alarm && `${clock(alarm.at)} ${alarmType.label(alarm.type)} · ${alarm.ws_name}`}
      />
    </div>
  )
}
const Counter = ({
  title,
  value,
  of,
  href,
  last,
  bad = false,
}: {
  title: string
  value: number
  of: string
  href: string | undefined
  last: string | undefined
  bad?: boolean
}) => (
  <section className="board-panel data-counter">
    <h2>{title}</h2>
    <p>
      <Away href={href}>
        <b className={bad && value > 0 ? 'bad' : ''}>{value}</b>
      </Away>{' '}
      <small>{of}</small>
    </p>
    <small className="data-last" title={last}>
      {last ?? '\u00a0'}
    </small>
  </section>
)

function Tidiness({ view, bc }: { view: DataView; bc: string | undefined }) {
  const sum = (key: 'excellent' | 'good' | 'poor' | 'none') => view.tidiness.reduce((n, t) => n + t[key], 0)
  const may = useMayOpen('SiteList')
  const { excellent, good, poor } = tidinessLevel.code
  const to = (tidiness: number) =>
    may ? hrefOf('SiteList', { status: '1', tidiness, bc_id: bc }) : undefined
  const parts = [
    { name: tidinessLevel.label(excellent), value: sum('excellent'), tone: 'ok', href: to(excellent) },
    { name: tidinessLevel.label(good), value: sum('good'), tone: 'mid', href: to(good) },
    { name: tidinessLevel.label(poor), value: sum('poor'), tone: 'bad', href: to(poor) },
    { name: '未判定', value: sum('none'), tone: 'none', href: undefined },
  ] as const
  return (
    <Panel title="整洁度" note="在建工地最近一次">
      <Ring parts={parts} />
    </Panel>
  )
}
function Devices({ branches, bc }: { branches: readonly Branch[]; bc: string | undefined }) {
  const may = useMayOpen('DeviceList')
  const [on, all] = [total(branches, 'devicesOnline'), total(branches, 'devicesTotal')]
  const to = (deviceStatus: string) =>
    may ? devicesOf({ bindStatus: '2', deviceStatus, bc_id: bc }) : undefined
  return (
    <Panel title="设备" note="工地上已启用的">
      <Ring
        parts={[
          { name: '在线', value: on, tone: 'ok', href: to('1') },
          { name: '不在线', value: all - on, tone: 'bad', href: to('2,4') },
        ]}
      />
    </Panel>
  )
}

/** Branches compared by what a started site has, whatever their size. */
function Branches({
  branches,
  chosen,
  onChoose,
}: {
  branches: readonly Branch[]
  chosen: string | undefined
  onChoose: (id: string) => void
}) {
  const ranked = branches
    .map((b) => ({ ...b, perSite: b.sites ? b.open / b.sites : null }))
    .sort((a, b) => (a.perSite ?? Infinity) - (b.perSite ?? Infinity))
  return (
    <Panel title="分公司" note="每个在建工地的未办结报警">
      <table>
        <thead>
          <tr>
            <th scope="col">分公司</th>
            <th scope="col">在建</th>
            <th scope="col">施工</th>
            <th scope="col">报警/工地</th>
          </tr>
        </thead>
        <tbody>
          {ranked.map((b) => (
            <tr key={b.bc_id} className={b.bc_id === chosen ? 'on' : ''}>
              <th scope="row">
                <button onClick={() => onChoose(b.bc_id)}>{b.bc_name}</button>
              </th>
              <td>{b.sites}</td>
              <td>{b.worked}</td>
              <td>{b.perSite === null ? '--' : b.perSite.toFixed(1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

/** The newest alarms with what the camera saw, for who may see it. */
function Ticker({ view: { today } }: { view: DataView }) {
  const may = useMayOpen('AlarmEvent')
  const shots = today.alarms.filter((a) => a.picture !== null).slice(0, SHOTS)
  return (
    <Panel title="报警" note={`今天 ${total(today.branches, 'raised')} 条`}>
      {shots.length === 0 && <p className="data-none">{may ? '今天的报警没有图片' : '没有查看报警的权限'}</p>}
      <div className="data-shots">
        {shots.map((a) => (
          <Away key={a.id} href={may ? hrefOf('AlarmEvent', { id: a.id }) : undefined}>
            <Picture plain picture={a.picture} caption={`${alarmType.label(a.type)} ${a.ws_name}`} />
            <span>
              {clock(a.at)} {alarmType.label(a.type)}
              <small>{a.ws_name}</small>
            </span>
          </Away>
        ))}
      </div>
    </Panel>
  )
}

/** The last events of every kind. */
function Feed({ view: { today } }: { view: DataView }) {
  const lines = [
    ...today.arrivals.map((a) => ({
      at: a.at,
      key: `a${a.worker_id}${a.site_id}`,
      kind: '到场',
      words: `${a.w_name} · ${a.ws_name}`,
    })),
    ...today.alarms.map((a) => ({
      at: a.at,
      key: a.id,
      kind: alarmType.label(a.type),
      words: a.ws_name,
    })),
    ...today.down.map((d) => ({ at: d.since, key: d.id, kind: '离线', words: `${d.sn} · ${d.ws_name}` })),
  ]
    .sort((a, b) => b.at - a.at)
    .slice(0, LINES)
  return (
    <Panel title="最近">
      {lines.length === 0 && <p className="data-none">还没有动静</p>}
      <ol>
        {lines.map((l) => (
          <li key={l.key}>
            <time>{clock(l.at)}</time> <b>{l.kind}</b> {l.words}
          </li>
        ))}
      </ol>
    </Panel>
  )
}
