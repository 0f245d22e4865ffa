import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { patrolKind } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { ENOUGH_TIMES } from '@zhuguan/contract/features/statistics/alarm-figures.record.ts'
import {
  patrolBy,
  patrolCoverage,
  sumOfTasks,
} from '@zhuguan/contract/features/statistics/patrol-figures.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'
import { useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { ChartCard } from '../../kit/chart/ChartCard.tsx'
import { BarChart } from '../../kit/chart/charts.tsx'
import { lazyPart } from '../../kit/lazyPart.tsx'
import { ExportButton } from '../../kit/list/ExportButton.tsx'
import { FilterRow } from '../../kit/list/FilterRow.tsx'
import { CodeFilter, DayRangeFilter } from '../../kit/list/filters.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { dayOf, lasting, nowSeconds } from '../../kit/time.ts'
import { BranchFilter } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { type Days, daysOf, tasksOf } from './links.ts'
import { ByBranch, ByDay, ByKind, ByReason, type Drawn } from './PatrolBars.tsx'
import { MissedSites, PatrolPeople } from './PatrolRanks.tsx'
import { type Place, rateText } from './patrolSeries.ts'

import './statistics.css'

const PatrolSitesDrawer = lazyPart(() => import('./PatrolSitesDrawer.tsx'))
type Figures = DataOf<typeof statisticsApi.patrols>

/** Before the figures are there. */
const NOTHING: Pick<Figures, 'days' | 'branches' | 'sites' | 'kinds' | 'reasons'> = {
  days: [],
  branches: [],
  sites: { due: 0, covered: 0 },
  kinds: [],
  reasons: [],
}

export default function PatrolStatisticsPage() {
  const place = useFilters<typeof statisticsApi.patrols>()
  const [coverage, setCoverage] = useState<string | null>(null)
  const f = place.address.filters
  const within: Place = { bc_id: f.bc_id, kind: f.kind }
  const figures = useQuery({
    queryKey: [statisticsApi.patrols.path, f],
    enabled: place.active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(statisticsApi.patrols, f, signal),
  })
  useLive(['patrol'], () => figures.refetch(), { every: FIGURES_MS })
  const span = figures.data && daysOf(figures.data, dayOf(nowSeconds()))
  return (
    <>
      <section className="card list-bar figures-bar">
        <FilterRow>
          <DayRangeFilter list={place} from="from" to="to" label="日期（默认近 30 天）" />
          <BranchFilter list={place} />
          <CodeFilter list={place} field="kind" label="类型" options={patrolKind.options} />
        </FilterRow>
        <button className="button" onClick={() => print()}>
          打印
        </button>
      </section>
      {span && <Sums data={figures.data} span={span} within={within} />}
      <Cards figures={figures} span={span} within={within} place={place} onCoverage={setCoverage} />
      {coverage && span && (
        <PatrolSitesDrawer
          coverage={coverage}
          filters={f}
          span={span}
          within={within}
          onClose={() => setCoverage(null)}
        />
      )}
    </>
  )
}

/** Where the first days are empty, that there was nothing to do. */
function sinceWhen({ from }: Days, cells: Figures['days']): string {
  const [first] = cells.map((c) => c.key).toSorted()
  return first && first > from ? `，${first.slice(5)} 起才有到期的任务` : ''
}
function Cards({
  figures,
  span,
  within,
  place,
  onCoverage,
}: Drawn & {
  figures: UseQueryResult<Figures>
  place: ReturnType<typeof useFilters<typeof statisticsApi.patrols>>
  onCoverage: (coverage: string) => void
}) {
  const actor = useActor()
  const { filters } = place.address
  const data = figures.data ?? NOTHING
  const empty = (isEmpty: boolean, words: string) => figures.data && isEmpty && words
  const tools = (by: string) =>
    hasPermission(actor, 'patrolfigures:export') && (
      <ExportButton
        endpoint={statisticsApi.patrolExport}
        filters={{ ...filters, by }}
        name={`巡检统计 按${patrolBy.label(by)}`}
      />
    )
  const ranked = span && { filters, span, within, active: place.active }
  return (
    <div className="charts">
      <ChartCard
        title="每日任务"
        note={span && `按截止日期${sinceWhen(span, data.days)}${span.running ? '；今天另画' : ''}`}
        of={figures}
        empty={empty(data.days.length === 0, '这段时间没有到期的巡检任务，或都不在您的范围内。')}
        tools={tools('day')}
      >
        <ByDay span={span} cells={data.days} within={within} />
      </ChartCard>
      <ChartCard
        title="工地覆盖"
        note="有到期任务的工地，不含已免除"
        of={figures}
        empty={empty(data.sites.due === 0, '这段时间没有应巡的工地。')}
        tools={tools('site')}
      >
        <BarChart
          label="工地覆盖"
          unit="个"
          lying
          labels={patrolCoverage.options.map((o) => o.label)}
          series={[
            { name: '工地', values: [data.sites.covered, data.sites.due - data.sites.covered], hue: 0 },
          ]}
          onPick={(p) => onCoverage(patrolCoverage.options[p.index]!.value)}
        />
      </ChartCard>
      {data.branches.length > 1 && (
        <ChartCard title="按分公司" of={figures} tools={tools('branch')}>
          <ByBranch span={span} cells={data.branches} within={within} />
        </ChartCard>
      )}
      {ranked && <MissedSites {...ranked} />}
      <ChartCard
        title="每类巡检的收获"
        note="收获：发现问题或整洁度差"
        of={figures}
        empty={empty(data.kinds.length === 0, '这段时间没有提交的巡检。')}
      >
        <ByKind span={span} kinds={data.kinds} within={within} />
      </ChartCard>
      {ranked && <PatrolPeople {...ranked} tools={tools('person')} />}
      <ChartCard
        title="该巡原因的收获"
        note="列入今日该巡后两天内的巡检"
        of={figures}
        empty={empty(data.reasons.length === 0, '这段时间没有列入今日该巡的工地被巡检过。')}
        tools={tools('reason')}
      >
        <ByReason span={span} reasons={data.reasons} within={within} />
      </ChartCard>
    </div>
  )
}

/** All of the days that are over, and today apart from them: each figure is the way to its list. */
function Sums({ data, span, within }: Drawn & { data: Figures; span: Days }) {
  const today = span.running ? span.days.at(-1)! : null
  const isApart = today !== null && today > span.to
  const sum = sumOfTasks(data.days.filter((d) => d.key <= span.to))
  const running = sumOfTasks(data.days.filter((d) => d.key === today))
  const link = (n: number, state: string) => (
    <a href={tasksOf(span.from, span.to, { ...within, state })}>{n}</a>
  )
  const { n, p50, p90 } = data.late
  return (
    <p className="quiet figures-said">
      应巡 {link(sum.tasks - sum.excused, '1,2,3,4,5')} 次，完成率 {rateText(sum)}：按时 {link(sum.done, '3')}
      ，逾期 {link(sum.late, '4')}
      {n > 0 &&
        (p50 === null || p90 === null
          ? `（晚多久：样本不足，满 ${ENOUGH_TIMES} 次才算）`
          : `（一半晚 ${lasting(p50)}以内，九成 ${lasting(p90)}以内）`)}
      ，未巡 {link(sum.missed, '5')}
      {sum.waiting > 0 && <>，还可补做 {link(sum.waiting, '1,2')}</>} · 已免除 {link(sum.excused, '6')}
      {isApart && (
        <>
          {' '}
          · 今天{data.words} 完成{' '}
          <a href={tasksOf(today, today, { ...within, state: '3,4' })}>{running.done + running.late}</a> /{' '}
          <a href={tasksOf(today, today, { ...within, state: '1,2,3,4,5' })}>
            {running.tasks - running.excused}
          </a>
          ，不在合计里
        </>
      )}
    </p>
  )
}
