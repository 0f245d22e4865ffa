import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { type AlarmTime, ENOUGH_TIMES } from '@zhuguan/contract/features/statistics/alarm-figures.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { AddressOf } from '@zhuguan/contract/kit/api.ts'
import type { ReactNode } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { ChartCard } from '../../kit/chart/ChartCard.tsx'
import { BarChart } from '../../kit/chart/charts.tsx'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { lasting } from '../../kit/time.ts'
import { correctedOf, type Days } from './links.ts'

const TENTH_OF_AN_HOUR = 360
const NAME_WIDTH = 190
const hours = (seconds: number | null) =>
  seconds === null ? null : Math.round(seconds / TENTH_OF_AN_HOUR) / 10
const nameOf = (t: AlarmTime) => (t.type ? alarmType.label(t.type) : t.bc_name || '全部')
const saidOf = (t: AlarmTime) =>
  t.p50 === null || t.p90 === null
    ? `样本不足：只有 ${t.n} 条，满 ${ENOUGH_TIMES} 条才算用时`
    : `${t.n} 条：一半在 ${lasting(t.p50)}以内，九成在 ${lasting(t.p90)}以内`

/** The time from being seen to being verified: in all, by type, and by branch where there are several. */
export function CorrectionTimes({
  filters,
  span,
  active,
  tools,
}: {
  filters: AddressOf<typeof statisticsApi.alarmTimes>
  span: Days
  active: boolean
  tools: ReactNode
}) {
  const times = useQuery({
    queryKey: [statisticsApi.alarmTimes.path, filters],
    enabled: active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(statisticsApi.alarmTimes, filters, signal),
  })
  useLive(['alarm'], () => times.refetch(), { every: FIGURES_MS })
  const all = times.data ?? []
  const branches = all.filter((t) => t.bc_id)
  const rows = all.filter((t) => t.n > 0 && (!t.bc_id || branches.length > 1))
  return (
    <ChartCard
      title="整改用时"
      note="小时；期间复核通过的，从看到算起"
      of={times}
      empty={times.data && rows.length === 0 && '这段时间没有复核通过的整改。'}
      tools={tools}
    >
      <BarChart
        label="整改用时"
        unit="小时"
        lying
        nameWidth={NAME_WIDTH}
        height={Math.max(260, rows.length * 48 + 40)}
        labels={rows.map((t) => `${nameOf(t)}（${t.n < ENOUGH_TIMES ? '样本不足，' : ''}${t.n} 条）`)}
        hints={rows.map(saidOf)}
        series={[
          { name: '一半在此以内', values: rows.map((t) => hours(t.p50)), hue: 0 },
          { name: '九成在此以内', values: rows.map((t) => hours(t.p90)), hue: 1 },
        ]}
        onPick={(p) => {
          const { type, bc_id } = rows[p.index]!
          location.hash = correctedOf(span.from, span.to, {
            bc_id: bc_id ?? filters.bc_id,
            type: type ?? filters.type,
          })
        }}
      />
    </ChartCard>
  )
}
