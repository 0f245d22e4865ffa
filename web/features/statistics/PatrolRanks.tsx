import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { AddressOf } from '@zhuguan/contract/kit/api.ts'
import type { ReactNode } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { ChartCard } from '../../kit/chart/ChartCard.tsx'
import { BarChart } from '../../kit/chart/charts.tsx'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { type Days, patrolsOf, tasksOf } from './links.ts'
import { outcomes, type Place, rateText, statesOf, yields } from './patrolSeries.ts'

const RANKED = '10'
const NAME_WIDTH = 160
interface Props {
  filters: AddressOf<typeof statisticsApi.patrols>
  span: Days
  within: Place
  active: boolean
}

/** Sites where most occurrences were missed. */
export function MissedSites({ filters, span, within, active }: Props) {
  const query = { ...filters, pageSize: RANKED }
  const sites = useQuery({
    queryKey: [statisticsApi.patrolSites.path, query],
    enabled: active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(statisticsApi.patrolSites, query, signal),
  })
  useLive(['patrol'], () => sites.refetch(), { every: FIGURES_MS })
  const rows = (sites.data?.list ?? []).filter((s) => s.missed + s.late > 0)
  return (
    <ChartCard
      title="未巡最多的工地"
      note="前 10"
      of={sites}
      empty={sites.data && rows.length === 0 && '这段时间没有漏巡或逾期的工地。'}
    >
      <BarChart
        label="未巡最多的工地"
        unit="次"
        lying
        nameWidth={NAME_WIDTH}
        stacked
        labels={rows.map((s) => s.name)}
        hints={rows.map((s) => `${s.bc_name}，完成率 ${rateText(s)}`)}
        series={outcomes(rows)}
        onPick={(p) => {
          location.hash = tasksOf(span.from, span.to, {
            ...within,
            site_id: rows[p.index]!.id,
            state: statesOf(rows)[p.series]!.state,
          })
        }}
      />
    </ChartCard>
  )
}

/** The inspectors, and the share of patrols with a finding. */
export function PatrolPeople({ filters, span, within, active, tools }: Props & { tools: ReactNode }) {
  const query = { ...filters, pageSize: RANKED }
  const people = useQuery({
    queryKey: [statisticsApi.patrolPeople.path, query],
    enabled: active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(statisticsApi.patrolPeople, query, signal),
  })
  useLive(['patrol'], () => people.refetch(), { every: FIGURES_MS })
  const rows = people.data?.list ?? []
  return (
    <ChartCard
      title="按巡检人"
      note="提交的巡检，前 10"
      of={people}
      empty={people.data && rows.length === 0 && '这段时间没有提交的巡检。'}
      tools={tools}
    >
      <BarChart
        label="各巡检人的巡检"
        unit="次"
        lying
        stacked
        labels={rows.map((p) => `${p.name}（${p.made} 次）`)}
        hints={rows.map((p) => `平均每次 ${(p.problems / p.made).toFixed(1)} 个问题`)}
        series={yields(rows)}
        onPick={(p) => {
          location.hash = patrolsOf(span.from, span.to, {
            ...within,
            user_id: rows[p.index]!.id,
            found: String(p.series === 0),
          })
        }}
      />
    </ChartCard>
  )
}
