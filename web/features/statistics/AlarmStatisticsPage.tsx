import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import {
  alarmBy,
  type AlarmCell,
  type AlarmCounts,
  sumOfAlarms,
} from '@zhuguan/contract/features/statistics/alarm-figures.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { AddressOf } from '@zhuguan/contract/kit/api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import type { Asked } from '@zhuguan/contract/links.ts'

import { callAddressed } from '../../kit/api.ts'
import { ChartCard } from '../../kit/chart/ChartCard.tsx'
import { BarChart } from '../../kit/chart/charts.tsx'
import { ExportButton } from '../../kit/list/ExportButton.tsx'
import { FilterRow } from '../../kit/list/FilterRow.tsx'
import { CodeFilter, DayRangeFilter } from '../../kit/list/filters.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { BranchFilter } from '../../parts/places.tsx'
import { useActor, useMayOpen } from '../../parts/session.ts'
import { AlarmRanks } from './AlarmRanks.tsx'
import { CorrectionTimes } from './CorrectionTimes.tsx'
import { FalseShares } from './FalseShares.tsx'
import { judged, VERDICTS } from './judged.ts'
import { alarmsOf, type Days, daysOf } from './links.ts'

import './statistics.css'

type Place = Pick<AddressOf<typeof statisticsApi.alarms>, 'bc_id' | 'type'>
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour))
/** A type has one colour wherever it is drawn. */
const TYPE_HUE: Readonly<Record<string, number>> = { smoking: 0, noclothes: 1, cameraproblem: 2 }
const inAll = (rows: readonly AlarmCounts[]) => rows.map((r) => `共 ${r.raised} 条`)
const go = (link: string) => void (location.hash = link)
/** The series of these keys, one a type. */
const byType = (cells: readonly AlarmCell[], keys: readonly string[]) =>
  alarmType.options.map(({ value, label }) => ({
    name: label,
    hue: TYPE_HUE[value] ?? 0,
    values: keys.map((key) =>
      cells.reduce((n, c) => n + (c.key === key && c.type === value ? c.raised : 0), 0),
    ),
  }))
const typeAt = (series: number) => alarmType.options[series]!.value

export default function AlarmStatisticsPage() {
  const place = useFilters<typeof statisticsApi.alarms>()
  const actor = useActor()
  const mayTrust = useMayOpen('AlarmTrust')
  const f = place.address.filters
  const within: Place = { bc_id: f.bc_id, type: f.type }
  const figures = useQuery({
    queryKey: [statisticsApi.alarms.path, f],
    enabled: place.active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(statisticsApi.alarms, f, signal),
  })
  useLive(['alarm'], () => figures.refetch(), { every: FIGURES_MS })
  const { days, branches, hours } = figures.data ?? { days: [], branches: [], hours: [] }
  const span = figures.data && daysOf(figures.data, dayOf(nowSeconds()))
  const none = figures.data && days.length === 0 && '这段时间没有报警，或都不在您的范围内。'
  const tools = (by: string) =>
    hasPermission(actor, 'alarmfigures:export') && (
      <ExportButton
        endpoint={statisticsApi.alarmExport}
        filters={{ ...f, by }}
        name={`报警统计 按${alarmBy.label(by)}`}
      />
    )
  const card = { of: figures, empty: none }
  const dated = span && `${span.from.slice(5)} 至 ${span.to.slice(5)}`
  return (
    <>
      <section className="card list-bar figures-bar">
        <FilterRow>
          <DayRangeFilter list={place} from="from" to="to" label="日期（默认近 30 天）" />
          <BranchFilter list={place} />
          <CodeFilter list={place} field="type" label="报警类型" options={alarmType.options} />
        </FilterRow>
        <button className="button" onClick={() => print()}>
          打印
        </button>
      </section>
      {span && <Sums span={span} cells={days} words={figures.data.words} within={within} />}
      <div className="charts">
        <ChartCard
          {...card}
          title="每日报警"
          note={span?.running ? `${dated}；今天另画` : dated}
          tools={tools('day')}
        >
          <ByDay span={span} cells={days} within={within} />
        </ChartCard>
        <ChartCard {...card} title="按报警类型" note="按现在的判定" tools={tools('type')}>
          <ByType span={span} cells={branches} within={within} />
        </ChartCard>
        {new Set(branches.map((b) => b.key)).size > 1 && (
          <ChartCard {...card} title="按分公司" tools={tools('branch')}>
            <ByBranch span={span} cells={branches} within={within} />
          </ChartCard>
        )}
        <ChartCard {...card} title="按时段" note="第一次看到时是几点" tools={tools('hour')}>
          <ByHour span={span} cells={hours} within={within} />
        </ChartCard>
        {span && (
          <>
            <CorrectionTimes filters={f} span={span} active={place.active} tools={tools('time')} />
            <AlarmRanks {...{ filters: f, span, within, tools, active: place.active }} />
            {mayTrust && <FalseShares within={within} active={place.active} />}
          </>
        )}
      </div>
    </>
  )
}

interface Drawn {
  span: Days | undefined
  cells: readonly AlarmCell[]
  within: Place
}
/** All of the days that are over, and today apart from them: each figure is the way to its list. */
function Sums({ span, cells, words, within }: Drawn & { span: Days; words: string }) {
  const today = span.running ? span.days.at(-1)! : null
  const sum = sumOfAlarms(cells.filter((c) => c.key <= span.to && (span.from === today || c.key !== today)))
  const link = (n: number, filter: Asked<'AlarmEvent'> = {}) => (
    <a href={alarmsOf(span.from, span.to, { ...within, ...filter })}>{n}</a>
  )
  const running = today && today > span.to && sumOfAlarms(cells.filter((c) => c.key === today)).raised
  return (
    <p className="quiet figures-said">
      报警 {link(sum.raised)} 条：属实 {link(sum.real, { verdict: 'real' })}，误报{' '}
      {link(sum.wrong, { verdict: 'wrong' })}，未判{' '}
      {link(sum.raised - sum.real - sum.wrong, { verdict: 'none' })} · 已整改{' '}
      {link(sum.corrected, { correctionStatus: '3' })}，未办结{' '}
      {link(sum.raised - sum.corrected - sum.cancelled, { correctionStatus: '1,2' })}
      {today && today > span.to && (
        <>
          {' '}
          · 今天{words} <a href={alarmsOf(today, today, within)}>{running}</a> 条，不在合计里
        </>
      )}
    </p>
  )
}

function ByDay({ span, cells, within }: Drawn) {
  const days = span?.days ?? []
  return (
    <BarChart
      label="每日报警"
      unit="条"
      stacked
      running={span?.running ?? false}
      labels={days.map((d) => d.slice(5))}
      hints={days.map((_, i) => (span?.running && i === days.length - 1 ? '今天还没有结束' : undefined))}
      series={byType(cells, days)}
      onPick={(p) => go(alarmsOf(days[p.index]!, days[p.index]!, { ...within, type: typeAt(p.series) }))}
    />
  )
}

function ByType({ span, cells, within }: Drawn) {
  const types = alarmType.options
    .map(({ value, label }) => ({ value, label, sum: sumOfAlarms(cells.filter((c) => c.type === value)) }))
    .filter((t) => t.sum.raised > 0)
  const sums = types.map((t) => t.sum)
  return (
    <BarChart
      label="各类报警"
      unit="条"
      lying
      stacked
      labels={types.map((t) => t.label)}
      hints={inAll(sums)}
      series={judged(sums)}
      onPick={(p) =>
        span &&
        go(
          alarmsOf(span.from, span.to, {
            ...within,
            type: types[p.index]!.value,
            verdict: VERDICTS[p.series]!.verdict,
          }),
        )
      }
    />
  )
}

function ByBranch({ span, cells, within }: Drawn) {
  const names = new Map(cells.map((c) => [c.key, c.name]))
  const keys = [...names.keys()]
  return (
    <BarChart
      label="各分公司的报警"
      unit="条"
      lying
      stacked
      labels={[...names.values()]}
      series={byType(cells, keys)}
      onPick={(p) =>
        span && go(alarmsOf(span.from, span.to, { ...within, bc_id: keys[p.index]!, type: typeAt(p.series) }))
      }
    />
  )
}

function ByHour({ span, cells, within }: Drawn) {
  return (
    <BarChart
      label="各时段的报警"
      unit="条"
      stacked
      labels={HOURS.map((h) => `${h} 点`)}
      series={byType(cells, HOURS)}
      onPick={(p) =>
        span && go(alarmsOf(span.from, span.to, { ...within, hour: HOURS[p.index]!, type: typeAt(p.series) }))
      }
    />
  )
}
