import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import { tidinessBy } from '@zhuguan/contract/features/tidiness/tidiness.record.ts'
import { useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { ChartCard } from '../../kit/chart/ChartCard.tsx'
import { BarChart } from '../../kit/chart/charts.tsx'
import type { List } from '../../kit/list/useList.ts'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { usePage } from '../../kit/page.tsx'
import { useBranches } from '../../parts/places.tsx'
import { change, Sample, sharesOf, shareText, type Trend } from './shares.tsx'

type By = (typeof tidinessBy.values)[number]

/** The list's own filter that a group stands for. */
const FIELD = { branch: 'bc_id', site: 'site_id', manager: 'manager_id', steward: 'steward_id' } as const
/** Fewer verdicts than these say little, and the page says so. */
const FEW = 10

/** The tidiness of the filters' sites over time, and who is behind it; whatever the result was. */
export default function TidinessTrend({ list }: { list: List<typeof tidinessApi.list> }) {
  const page = usePage()
  const many = useBranches().length > 1
  const { bc_id, from, manager_id, site_id, source, steward_id, to } = list.address.filters
  const [chosen, setBy] = useState<By | null>(null)
  const by = chosen ?? (many ? tidinessBy.code.branch : tidinessBy.code.site)
  const asked = { bc_id, from, manager_id, site_id, source, steward_id, to, by }
  const trend = useQuery({
    queryKey: [tidinessApi.trend.path, asked],
    enabled: page.active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callAddressed(tidinessApi.trend, asked, signal),
  })
  useLive(['tidiness'], () => trend.refetch(), { every: FIGURES_MS })
  const { data } = trend
  // Of one person, or one branch, it is the sites that are compared.
  function pick(id: string) {
    list.filter([FIELD[by], id])
    setBy(tidinessBy.code.site)
  }
  return (
    <div className="tidiness-trend">
      <ChartCard
        title="整洁度"
        note={data && <Sample trend={data} />}
        of={trend}
        empty={data && data.total.n === 0 && '这段时间没有整洁度检查。'}
      >
        {data && <Bars trend={data} />}
      </ChartCard>
      <section className="card section">
        <h2>
          对比
          <small>{data && `${data.middle} 起为后半段`}</small>
          <span className="switch" role="group" aria-label="分组">
            {tidinessBy.options
              .filter((o) => many || o.value !== tidinessBy.code.branch)
              .map((o) => (
                <button key={o.value} aria-pressed={by === o.value} onClick={() => setBy(o.value)}>
                  {o.label}
                </button>
              ))}
          </span>
        </h2>
        {data && <Groups trend={data} by={by} many={many} onPick={pick} />}
      </section>
    </div>
  )
}

function Bars({ trend }: { trend: Trend }) {
  return <BarChart stacked label="每次检查的结果占比" {...sharesOf(trend)} />
}

function Groups({
  trend,
  by,
  many,
  onPick,
}: {
  trend: Trend
  by: By
  /** Several branches are seen. */
  many: boolean
  onPick: (id: string) => void
}) {
  const label = tidinessBy.label(by)
  const rest = trend.groupsTotal - trend.groups.length
  if (trend.groups.length === 0) return <p className="quiet">没有可以比较的{label}。</p>
  return (
    <>
      <table className="grid">
        <thead>
          <tr>
            <th>{label}</th>
            <th className="right">检查</th>
            <th className="right">优</th>
            <th className="right">良</th>
            <th className="right">差</th>
            <th className="right">优的占比 前半段 → 后半段</th>
          </tr>
        </thead>
        <tbody>
          {trend.groups.map((g) => {
            const turn = change(g)
            return (
              <tr key={g.id}>
                <td>
                  <button className="text-button" onClick={() => onPick(g.id)}>
                    {g.name}
                  </button>
                  {many && g.beside && <small> {g.beside}</small>}
                </td>
                <td className="right">
                  {g.n} 次{g.n < FEW && <small title={`少于 ${FEW} 次，占比仅供参考`}> 样本少</small>}
                </td>
                <td className="right">{shareText(g.excellent, g.n)}</td>
                <td className="right">{shareText(g.good, g.n)}</td>
                <td className="right">{shareText(g.poor, g.n)}</td>
                <td className={`right${turn.worse ? ' worse' : ''}`} title={turn.title}>
                  {turn.text}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className="quiet">
        差的占比高的在前{rest > 0 && `，另有 ${rest} 个${label}没有列出，可以缩小条件再看`}。
        {by !== tidinessBy.code.branch &&
          by !== tidinessBy.code.site &&
          `按工地现在的${label}归属；没有${label}的工地不在其中。`}
      </p>
    </>
  )
}
