import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { countsApi } from '@zhuguan/contract/features/pieces/counts.api.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'
import { useState } from 'react'

import { callAddressed } from '../../kit/api.ts'
import { ChartCard } from '../../kit/chart/ChartCard.tsx'
import { BarChart, LineChart } from '../../kit/chart/charts.tsx'
import { hrefOf } from '../../kit/LinkTo.tsx'
import { FilterRow } from '../../kit/list/FilterRow.tsx'
import { Failed } from '../../kit/list/ListPage.tsx'
import { useFilters } from '../../kit/list/useFilters.ts'
import { FIGURES_MS, useLive } from '../../kit/live.ts'
import { full } from '../../kit/time.ts'
import { BranchFilter } from '../../parts/places.tsx'
import { Blocks } from './Blocks.tsx'
import { Steps } from './Steps.tsx'

import '../../kit/plainTable.css'
import './board.css'

type Branches = DataOf<typeof countsApi.dcountbc>['list']
const { arrived, ordered, shipped, toReturn, toShip } = orderState.code
/** What is on its way: beside these, all that is not ordered yet and all that is done would hide them. */
const MOVING = [ordered, toShip, shipped, arrived, toReturn]
/** Where the pieces of a state are listed: what nobody has ordered stands in the plan. */
const listOf = (state: number, of: Readonly<Record<string, string>>) =>
  state === orderState.code.toOrder
    ? hrefOf('OrderPlan', of)
    : hrefOf('OrderList', { pieceState: String(state), ...of })
const seriesOf = (list: readonly { states: Record<string, number> }[]) =>
  MOVING.map((state, hue) => ({
    hue,
    name: orderState.label(state),
    values: list.map((c) => c.states[String(state)] ?? 0),
  }))
const sum = (list: Branches, state: number) => list.reduce((n, b) => n + (b.states[String(state)] ?? 0), 0)
const BY = { branch: '分公司', boss: '工长' } as const

export default function DeliveryBoardPage() {
  const place = useFilters<typeof countsApi.dcountbc>()
  const f = place.address.filters
  const [by, setBy] = useState<keyof typeof BY>('branch')
  /** A call of the board in the filters of its address. */
  const asked = <T,>(path: string, ask: (signal: AbortSignal) => Promise<T>) => ({
    queryKey: [path, f],
    enabled: place.active,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }: { signal: AbortSignal }) => ask(signal),
  })
  const { board: boardApi, dcountbc, dcountbchistory, dcountwboss } = countsApi
  const branches = useQuery(asked(dcountbc.path, (signal) => callAddressed(dcountbc, f, signal)))
  const bosses = useQuery(asked(dcountwboss.path, (signal) => callAddressed(dcountwboss, f, signal)))
  const days = useQuery(asked(dcountbchistory.path, (signal) => callAddressed(dcountbchistory, f, signal)))
  const board = useQuery(asked(boardApi.path, (signal) => callAddressed(boardApi, f, signal)))
  const queries = [branches, bosses, days, board]
  useLive(['order', 'dispatch', 'goods'], () => queries.forEach((q) => void q.refetch()), {
    every: FIGURES_MS,
  })
  const list = branches.data?.list ?? []
  const own: Record<string, string> = f.bc_id ? { bc_id: f.bc_id } : {}
  const late = list.reduce((n, b) => n + b.late, 0)
  const rows = by === 'branch' ? list : (bosses.data?.list ?? [])
  const ofRow = (index: number): Record<string, string> => {
    const row = rows[index]!
    return 'bc_id' in row ? { bc_id: row.bc_id } : { ...own, manager_id: row.manager_id ?? '' }
  }
  const dates = [...new Set(days.data?.list.map((d) => d.day))]
  return (
    <>
      {(list.length > 1 || f.bc_id) && (
        <section className="card list-bar figures-bar">
          <FilterRow>
            <BranchFilter single list={place} />
          </FilterRow>
        </section>
      )}
      <p className="quiet board-age">
        按件计，一行拆开的各算一件
        {list[0] && `，${full(list[0].at)} 的数据，有变化自动更新`}。点数字看是哪些。
      </p>
      <div className="board-states">
        {orderState.options.map(({ label, value }) => (
          <a key={value} className="card board-state" href={listOf(value, own)}>
            <span>{label}</span>
            <b>{branches.data ? sum(list, value) : '–'}</b>
          </a>
        ))}
        <a className="card board-state late" href={hrefOf('OrderList', { lateness: 'arrival', ...own })}>
          <span>逾期未到</span>
          <b>{branches.data ? late : '–'}</b>
        </a>
      </div>
      <div className="charts">
        <ChartCard
          title={`各${BY[by]}的商品`}
          note="在途的，按件"
          of={by === 'branch' ? branches : bosses}
          empty={rows.length === 0 && branches.data !== undefined && '还没有签约的商品。'}
          tools={
            <span className="switch" role="group" aria-label="分组">
              {(Object.keys(BY) as (keyof typeof BY)[]).map((k) => (
                <button key={k} aria-pressed={by === k} onClick={() => setBy(k)}>
                  {BY[k]}
                </button>
              ))}
            </span>
          }
        >
          <BarChart
            label={`各${BY[by]}的商品状态`}
            unit="件"
            stacked
            lying
            labels={rows.map((r) => r.name)}
            series={seriesOf(rows)}
            onPick={(p) => void (location.hash = listOf(MOVING[p.series]!, ofRow(p.index)).slice(1))}
          />
        </ChartCard>
        <ChartCard
          title="每天的变化"
          note="近 30 天，每晚 23:58 的件数"
          of={days}
          empty={dates.length === 0 && '没有可看的日子：每晚按分公司记一次，不按单个工地。'}
        >
          <LineChart
            label="每天的商品状态"
            unit="件"
            labels={dates.map((d) => d.slice(5))}
            series={MOVING.map((state, hue) => ({
              hue,
              name: orderState.label(state),
              values: dates.map((day) =>
                (days.data?.list ?? [])
                  .filter((d) => d.day === day)
                  .reduce((n, d) => n + (d.states[String(state)] ?? 0), 0),
              ),
            }))}
          />
        </ChartCard>
        {board.error && !board.data && (
          <section className="card section chart-card">
            <Failed error={board.error} again={() => void board.refetch()} />
          </section>
        )}
        {board.data && <Steps board={board.data} />}
        {board.data && <Blocks blocks={board.data.blocks} />}
      </div>
    </>
  )
}
