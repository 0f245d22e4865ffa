import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { noWork } from '@zhuguan/contract/features/sites/sites.record.ts'
import { type AttendGroup, attendBy, grain } from '@zhuguan/contract/features/statistics/attend.record.ts'
import { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import type { AddressOf, DataOf } from '@zhuguan/contract/kit/api.ts'
import { hasPermission } from '@zhuguan/contract/kit/permits.ts'

import { callAddressed } from '../../kit/api.ts'
import { ChartCard } from '../../kit/chart/ChartCard.tsx'
import { BarChart, HeatCalendar, LineChart } from '../../kit/chart/charts.tsx'
import { RankList } from '../../kit/chart/RankList.tsx'
import { ExportButton } from '../../kit/list/ExportButton.tsx'
import { FilterRow } from '../../kit/list/FilterRow.tsx'
import { CodeFilter, DayRangeFilter } from '../../kit/list/filters.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { dayOf, nowSeconds } from '../../kit/time.ts'
import { BranchFilter, SiteFilter, useBranches } from '../../parts/places.tsx'
import { useActor } from '../../parts/session.ts'
import { attendOf, noWorkOf } from './links.ts'

import './statistics.css'

type Figures = DataOf<typeof statisticsApi.attend>
const RANKED = 10
const percent = (part: number, whole: number) => (whole ? Math.round((part / whole) * 1000) / 10 : null)
const daysIn = (p: { from: string; to: string }) => (Date.parse(p.to) - Date.parse(p.from)) / 86_400_000 + 1
const [WEEK, LEAST_MONTH] = [7, 28]
/** A period under a curve. */
function labelOf(step: string, period: { from: string; to: string }): string {
  const { from } = period
  if (step === grain.code.day) return from.slice(5)
  // A part of a week or month stands beside whole ones, and says so.
  const [least, label] =
    step === grain.code.month ? [LEAST_MONTH, from.slice(0, 7)] : [WEEK, `${from.slice(5)} 起`]
  const days = daysIn(period)
  return days < least ? `${label}（${days} 天）` : label
}
/** The filter of the attendance list that shows one group of a ranking. */
const FIELD: Record<string, string> = {
  branch: 'bc_id',
  site: 'site_id',
  trade: 'w_type',
  person: 'worker_id',
}
/** What can be ranked: a group without a rate had nothing due. */
const guestsOf = (g: { guests: number }) => (g.guests ? ` · ${g.guests} 人次外援` : '')
const withRate = (rows: AttendGroup[] | undefined) => (rows ?? []).filter((g) => g.rate !== null)
const rankedOf = (rows: AttendGroup[] | undefined, isBranchSaid: boolean) =>
  withRate(rows).map((g) => ({
    name: g.name || '--',
    value: g.rate!,
    note: `${isBranchSaid && g.beside ? `${g.beside} · ` : ''}${g.attended}/${g.due}${guestsOf(g)}`,
  }))
/** The sum of the whole periods: the one that runs is not over. */
function sumOf<P extends { due: number; attended: number; guests: number }>(periods: P[], running: boolean) {
  const over = running && periods.length > 1 ? periods.slice(0, -1) : periods
  return over.reduce(
    (t, p) => ({ due: t.due + p.due, attended: t.attended + p.attended, guests: t.guests + p.guests }),
    { due: 0, attended: 0, guests: 0 },
  )
}
/** Before the figures are there. */
const NOTHING: Partial<Figures> & Pick<Figures, 'periods' | 'days' | 'noWork'> = {
  periods: [],
  days: [],
  noWork: [],
}
const go = (link: string) => void (location.hash = link)

export default function AttendStatisticsPage() {
  const place = useFilters<typeof statisticsApi.attend | typeof statisticsApi.attendGroups>()
  const actor = useActor()
  const { grain: chosenGrain, by: chosenBy, ...f } = place.address.filters
  // Of one branch there is nothing to rank: its sites are compared.
  const isOfMany = useBranches().length > 1
  const by = chosenBy ?? (isOfMany ? attendBy.code.branch : attendBy.code.site)
  const isBranchSaid = isOfMany || by !== attendBy.code.site
  const step = chosenGrain ?? grain.code.day
  const figures = useQuery({
    queryKey: [statisticsApi.attend.path, f, step],
    enabled: place.active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(statisticsApi.attend, { ...f, grain: step }, signal),
  })
  const best = useGroups({ ...f, by, sort: '-rate', pageSize: String(RANKED) }, place.active)
  const worst = useGroups({ ...f, by, sort: 'rate', pageSize: String(RANKED) }, place.active)
  useLive(['attendance'], () => figures.refetch(), { every: FIGURES_MS })
  const { from, to, whole, periods, days, noWork: standing } = figures.data ?? NOTHING
  /** Today is the last point of a curve by days, and not over. */
  const running = step === grain.code.day && periods.at(-1)?.to === dayOf(nowSeconds())
  const within = { bc_id: f.bc_id, site_id: f.site_id, w_type: f.w_type }
  const labels = periods.map((p) => labelOf(step, p))
  const hints = periods.map((p, i) => {
    const days = step === grain.code.day ? '' : `（${daysIn(p)} 天）`
    const open = running && i === periods.length - 1 ? '，今天还没有结束' : ''
    return `${p.from} 至 ${p.to}${days}，应出勤 ${p.due} 人次，到 ${p.attended}${guestsOf(p)}${open}`
  })
  const open = (index: number) => go(attendOf(periods[index]!.from, periods[index]!.to, within))
  const none = figures.data && periods.length === 0 ? '这段时间没有在建工地，或都不在您的范围内。' : undefined
  const sum = sumOf(periods, running)
  const groupLink = (g: AttendGroup) =>
    attendOf(whole?.from ?? from!, whole?.to ?? to!, {
      ...within,
      [FIELD[by]!]: g.id,
    })
  const byLabel = attendBy.label(by)
  return (
    <>
      <section className="card list-bar figures-bar">
        <FilterRow>
          <CodeFilter
            single
            list={place}
            field="grain"
            label={chosenGrain ? '粒度' : `粒度：${grain.label(step)}`}
            options={grain.options}
          />
          <DayRangeFilter list={place} from="from" to="to" label="日期（默认近 30 天）" />
          <CodeFilter
            single
            list={place}
            field="by"
            label={chosenBy ? '排行维度' : `排行维度：${attendBy.label(by)}`}
            options={attendBy.options}
          />
          <BranchFilter list={place} />
          <SiteFilter list={place} />
          <CodeFilter list={place} field="w_type" label="工种" options={workerType.options} />
        </FilterRow>
        <span className="quiet sum">
          {whole && to !== whole.to ? '不含今天：' : ''}应出勤 {sum.due.toLocaleString()} 人次，到{' '}
          {sum.attended.toLocaleString()} · 出勤率 {percent(sum.attended, sum.due) ?? '--'}%{guestsOf(sum)}
        </span>
        {hasPermission(actor, 'statistics:export') && (
          <ExportButton
            endpoint={statisticsApi.attendExport}
            filters={{ ...f, by }}
            name={`考勤统计 按${byLabel}`}
          />
        )}
      </section>
      <div className="charts">
        <ChartCard title="出勤率" note={from && `${from} 至 ${to}`} of={figures} empty={none}>
          <LineChart
            label="出勤率"
            unit="%"
            running={running}
            labels={labels}
            hints={hints}
            series={[{ name: '出勤率', values: periods.map((p) => percent(p.attended, p.due)), hue: 0 }]}
            onPick={(p) => open(p.index)}
          />
        </ChartCard>
        <ChartCard title="打卡人次" note="应到的人和外援分开" of={figures} empty={none}>
          <BarChart
            label="打卡人次"
            unit="人次"
            running={running}
            labels={labels}
            hints={hints}
            series={[
              { name: '应到的人', values: periods.map((p) => p.present - p.guests), hue: 0 },
              { name: '外援', values: periods.map((p) => p.guests), tone: 'wait' },
            ]}
            onPick={(p) => open(p.index)}
          />
        </ChartCard>
        <ChartCard title="出勤日历" note="颜色越深出勤率越高，休息日空白" of={figures} empty={none}>
          <HeatCalendar
            label="每日出勤率"
            unit="%"
            days={days.map((d) => ({ day: d.day, value: percent(d.attended, d.due) }))}
            onPick={(p) => go(attendOf(days[p.index]!.day, days[p.index]!.day, within))}
          />
        </ChartCard>
        <ChartCard title="停工分布" note="当前，按停工类型" of={figures}>
          <BarChart
            label="停工工地数"
            unit="个"
            lying
            labels={standing.map((s) => noWork.label(s.code))}
            series={[{ name: '工地', values: standing.map((s) => s.count), tone: 'wait' }]}
            onPick={(p) => go(noWorkOf({ noWork: String(standing[p.index]!.code), bc_id: f.bc_id }))}
          />
        </ChartCard>
        <Rankings
          best={best}
          worst={worst}
          byLabel={byLabel}
          isBranchSaid={isBranchSaid}
          onPick={(g) => go(groupLink(g))}
        />
      </div>
    </>
  )
}

const useGroups = (query: AddressOf<typeof statisticsApi.attendGroups>, enabled: boolean) =>
  useQuery({
    queryKey: [statisticsApi.attendGroups.path, query],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(statisticsApi.attendGroups, query, signal),
  })

type Groups = ReturnType<typeof useGroups>
function Rankings({
  best,
  worst,
  byLabel,
  isBranchSaid,
  onPick,
}: {
  best: Groups
  worst: Groups
  byLabel: string
  /** Beside a site's name; to who sees one branch it says nothing. */
  isBranchSaid: boolean
  onPick: (group: AttendGroup) => void
}) {
  // Who stands among the highest does not stand among the lowest as well: of few there is one list.
  const groups = best.data?.totalCount ?? 0
  const few = groups <= RANKED
  const lowest = withRate(worst.data?.list).slice(0, groups - RANKED)
  return (
    <>
      <ChartCard
        title={few ? `各${byLabel}出勤率` : `出勤率最高的${byLabel}`}
        note={`${few ? '从高到低' : `前 ${RANKED}`}，小字为实到/应到人次`}
        of={best}
        empty={best.data?.list.length === 0 && '没有可以排行的数据。'}
      >
        <RankList
          label={`${byLabel}出勤率`}
          unit="%"
          items={rankedOf(best.data?.list, isBranchSaid)}
          onPick={(p) => onPick(withRate(best.data?.list)[p.index]!)}
        />
      </ChartCard>
      {!few && (
        <ChartCard
          title={`出勤率最低的${byLabel}`}
          note={`后 ${lowest.length}`}
          of={worst}
          empty={worst.data?.list.length === 0 && '没有可以排行的数据。'}
        >
          <RankList
            label={`${byLabel}出勤率，从低到高`}
            unit="%"
            items={rankedOf(lowest, isBranchSaid).map((r) => ({ ...r, tone: 'wait' as const }))}
            onPick={(p) => onPick(lowest[p.index]!)}
          />
        </ChartCard>
      )}
    </>
  )
}
