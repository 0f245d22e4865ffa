import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { alarmBy, type AlarmGroup } from '@zhuguan/contract/features/statistics/alarm-figures.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { AddressOf } from '@zhuguan/contract/kit/api.ts'
import type { Asked } from '@zhuguan/contract/links.ts'
import type { ReactNode } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { ChartCard } from '../../kit/chart/ChartCard.tsx'
import { BarChart } from '../../kit/chart/charts.tsx'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { judged, VERDICTS } from './judged.ts'
import { alarmsOf, type Days } from './links.ts'

const RANKED = '10'
const NAME_WIDTH = 200
const go = (link: string) => void (location.hash = link)

interface Props {
  filters: AddressOf<typeof statisticsApi.alarms>
  span: Days
  within: Pick<AddressOf<typeof statisticsApi.alarms>, 'bc_id' | 'type'>
  tools: (by: string) => ReactNode
  active: boolean
}
/** The places where alarms gather: at which sites, with whom, and at which camera again and again. */
export const AlarmRanks = (props: Props) => (
  <>
    <Ranked {...props} by="site" title="报警最多的工地" note="前 10" />
    <Ranked {...props} by="person" title="按责任人" note="报警现在的责任人，前 10" />
    <Ranked {...props} by="camera" title="同一摄像头反复报警" note="同工地同类型两条以上，前 10" />
  </>
)

/** The filter of the list that shows one row of a ranking. */
const listOf = (g: AlarmGroup, by: string): Asked<'AlarmEvent'> => ({
  ...(g.site_id && { site_id: g.site_id }),
  ...(g.device_id && { device_id: g.device_id }),
  ...(g.type && { type: g.type }),
  ...(by === alarmBy.code.person && (g.assignee_id ? { assignee_id: g.assignee_id } : { assigned: 'false' })),
})
const nameOf = (g: AlarmGroup) => (g.type ? `${g.name} ${alarmType.label(g.type)} ${g.beside}` : g.name)
function Ranked({
  by,
  title,
  note,
  filters,
  span,
  within,
  tools,
  active,
}: Props & { by: 'site' | 'person' | 'camera'; title: string; note: string }) {
  const query = { ...filters, by, pageSize: RANKED }
  const groups = useQuery({
    queryKey: [statisticsApi.alarmGroups.path, query],
    enabled: active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(statisticsApi.alarmGroups, query, signal),
  })
  useLive(['alarm'], () => groups.refetch(), { every: FIGURES_MS })
  const rows = groups.data?.list ?? []
  return (
    <ChartCard
      title={title}
      note={note}
      of={groups}
      empty={groups.data && rows.length === 0 && '这段时间没有这样的报警。'}
      tools={tools(by)}
    >
      <BarChart
        label={title}
        unit="条"
        lying
        nameWidth={by === alarmBy.code.person ? undefined : NAME_WIDTH}
        stacked
        labels={rows.map(nameOf)}
        hints={rows.map((g) => `共 ${g.raised} 条${by === 'site' ? ` · ${g.beside}` : ''}`)}
        series={judged(rows)}
        onPick={(p) =>
          go(
            alarmsOf(span.from, span.to, {
              ...within,
              ...listOf(rows[p.index]!, by),
              verdict: VERDICTS[p.series]!.verdict,
            }),
          )
        }
      />
    </ChartCard>
  )
}
