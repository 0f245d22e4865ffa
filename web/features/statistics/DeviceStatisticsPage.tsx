import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { deviceStatus, deviceType, spanCause } from '@zhuguan/contract/features/devices/devices.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'

import { callAddressed } from '../../kit/api.ts'
import { ChartCard } from '../../kit/chart/ChartCard.tsx'
import { BarChart, LineChart, PieChart } from '../../kit/chart/charts.tsx'
import { LinkTo } from '../../kit/LinkTo.tsx'
import { FilterRow } from '../../kit/list/FilterRow.tsx'
import { DayRangeFilter } from '../../kit/list/filters.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import type { Tone } from '../../kit/State.tsx'
import { full, lasting, nowSeconds } from '../../kit/time.ts'
import { BranchFilter } from '../../parts/places.tsx'
import { devicesOf } from './links.ts'

import './statistics.css'

type DeviceFigures = DataOf<typeof statisticsApi.devices>
/** Before the figures are there. */
const NOTHING: DeviceFigures = {
  total: 0,
  byStatus: [],
  byType: [],
  byBranch: [],
  onlineByDay: [],
  causes: [],
  need: [],
  longest: [],
}
const { online, offline, faulty, notEnabled, spare, inStock } = deviceStatus.code
/** Each state in a colour of its own: what is broken is no state that passes. */
const COLOUR: Record<number, { tone?: Tone; hue?: number }> = {
  [online]: { tone: 'ok' },
  [offline]: { tone: 'bad' },
  [faulty]: { hue: 4 },
  [notEnabled]: { tone: 'wait' },
  [spare]: { hue: 2 },
  [inStock]: { tone: 'grey' },
}
/** A type is known by its colour, however many of it there are; none has that of a state that is often seen. */
const TYPE_HUE: Record<string, number> = { camera: 0, faceTerminal: 1, edgeBox: 3, router: 2 }
const countOf = (d: DeviceFigures, states: number[]) =>
  d.byStatus.filter((s) => states.includes(Number(s.key))).reduce((n, s) => n + s.count, 0)
const STATES = ['online', 'offline', 'faulty', 'notEnabled', 'spare', 'inStock'] as const
const go = (link: string) => void (location.hash = link)

export default function DeviceStatisticsPage() {
  const place = useFilters<typeof statisticsApi.devices>()
  const f = place.address.filters
  const figures = useQuery({
    queryKey: [statisticsApi.devices.path, f],
    enabled: place.active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(statisticsApi.devices, f, signal),
  })
  useLive(['device'], () => figures.refetch(), { every: FIGURES_MS })
  const d = figures.data ?? NOTHING
  const bc = { bc_id: f.bc_id }
  const none = figures.data?.total === 0 && '还没有设备，入库后会出现在这里。'
  // A kind of device is compared with itself; which branch is said where there are several.
  const stock = d.need.flatMap((b) => {
    const of = d.need.length > 1 ? `${b.bc_name} ` : ''
    return [
      { label: `${of}摄像头`, needed: b.noCamera, there: b.cameras },
      { label: `${of}考勤机`, needed: b.noTerminal, there: b.terminals },
    ]
  })
  const watched = countOf(d, [online, offline, faulty])
  return (
    <>
      <section className="card list-bar figures-bar">
        <FilterRow>
          <DayRangeFilter list={place} from="from" to="to" label="日期（默认近 30 天）" />
          <BranchFilter list={place} />
        </FilterRow>
        {figures.data && (
          <span className="quiet sum">
            共 {d.total} 台 · 现在在线 {countOf(d, [online])} / {watched} 台
          </span>
        )}
      </section>
      <div className="charts">
        <ChartCard title="按状态" note="现在" of={figures} empty={none}>
          <PieChart
            label="设备状态"
            unit="台"
            slices={d.byStatus.map((s) => ({
              name: deviceStatus.label(Number(s.key)),
              value: s.count,
              ...COLOUR[Number(s.key)],
            }))}
            onPick={(p) => go(devicesOf({ deviceStatus: d.byStatus[p.index]!.key, ...bc }))}
          />
        </ChartCard>
        <ChartCard title="按类型" note="现在" of={figures} empty={none}>
          <PieChart
            label="设备类型"
            unit="台"
            slices={d.byType.map((t) => ({
              name: deviceType.label(t.key),
              value: t.count,
              hue: TYPE_HUE[t.key] ?? 0,
            }))}
            onPick={(p) => go(devicesOf({ type: d.byType[p.index]!.key, ...bc }))}
          />
        </ChartCard>
        {d.byBranch.length > 1 && (
          <ChartCard title="按分公司" of={figures} empty={none}>
            <BarChart
              label="各分公司的设备"
              unit="台"
              stacked
              labels={d.byBranch.map((b) => b.bc_name)}
              series={STATES.slice(0, 5).map((k) => ({
                name: k === 'spare' ? '备用/在库' : deviceStatus.label(deviceStatus.code[k]),
                values: d.byBranch.map((b) => (k === 'spare' ? b.spare + b.inStock : b[k])),
                ...COLOUR[k === 'spare' ? inStock : deviceStatus.code[k]],
              }))}
              onPick={(p) =>
                go(
                  devicesOf({
                    bc_id: d.byBranch[p.index]!.bc_id,
                    deviceStatus:
                      STATES[p.series] === 'spare' ? '5,6' : String(deviceStatus.code[STATES[p.series]!]),
                  }),
                )
              }
            />
          </ChartCard>
        )}
        <ChartCard title="在线率" note="已绑定设备的在线时长占比" of={figures}>
          <LineChart
            label="每日在线率"
            unit="%"
            labels={d.onlineByDay.map((o) => o.day.slice(5))}
            series={[{ name: '在线率', values: d.onlineByDay.map((o) => o.rate), tone: 'ok' }]}
          />
        </ChartCard>
        <ChartCard
          title="离线原因"
          note="期间累计时长"
          of={figures}
          empty={figures.data?.causes.length === 0 && '这段时间没有离线或故障。'}
        >
          <BarChart
            label="离线原因"
            unit="小时"
            lying
            labels={d.causes.map((c) => spanCause.label(c.cause))}
            hints={d.causes.map((c) => `${c.times} 次`)}
            series={[{ name: '时长', values: d.causes.map((c) => c.hours), tone: 'bad' }]}
          />
        </ChartCard>
        <ChartCard title="库存与需求" note="在建工地缺的，对比备用和在库" of={figures}>
          <BarChart
            label="库存与需求"
            unit="台"
            lying
            labels={stock.map((s) => s.label)}
            series={[
              { name: '工地缺', values: stock.map((s) => s.needed), tone: 'bad' },
              { name: '备用和在库', values: stock.map((s) => s.there), ...COLOUR[inStock] },
            ]}
          />
        </ChartCard>
      </div>
      {figures.data && <Longest devices={d.longest} />}
    </>
  )
}

function Longest({ devices }: { devices: DeviceFigures['longest'] }) {
  return (
    <section className="card section after-charts">
      <h2>
        离线最久 <small>现在离线的前 10 台</small>
      </h2>
      {devices.length === 0 && <p className="quiet">没有离线的设备。</p>}
      {devices.length > 0 && (
        <div className="table-wrap" tabIndex={0} role="region" aria-label="离线最久的设备">
          <table className="grid">
            <thead>
              <tr>
                <th className="first">设备</th>
                <th>类型</th>
                <th>工地</th>
                <th>分公司</th>
                <th>已离线</th>
                <th>离线时间</th>
                <th>原因</th>
              </tr>
            </thead>
            <tbody>
              {devices.map((l) => (
                <tr key={l.id}>
                  <td className="first">
                    <a href={devicesOf({ keyword: l.sn })}>{l.sn}</a>
                  </td>
                  <td>{deviceType.label(l.type)}</td>
                  <td>
                    {l.site_id ? (
                      <LinkTo page="SiteInfo" query={{ id: l.site_id }}>
                        {l.siteName}
                      </LinkTo>
                    ) : (
                      '--'
                    )}
                  </td>
                  <td>{l.bc_name}</td>
                  <td>{lasting(nowSeconds() - l.since)}</td>
                  <td>{full(l.since)}</td>
                  <td>{spanCause.label(l.cause)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
