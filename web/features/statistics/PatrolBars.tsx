import { patrolKind } from '@zhuguan/contract/features/patrols/patrols.record.ts'
import { ENOUGH_PATROLS, rankReason } from '@zhuguan/contract/features/rankings/rankings.record.ts'
import type { TaskCell } from '@zhuguan/contract/features/statistics/patrol-figures.record.ts'
import type { statisticsApi } from '@zhuguan/contract/features/statistics/statistics.api.ts'
import type { DataOf } from '@zhuguan/contract/kit/api.ts'

import { BarChart } from '../../kit/chart/charts.tsx'
import { type Days, patrolsOf, tasksOf } from './links.ts'
import { outcomes, type Place, rateText, statesOf, yields } from './patrolSeries.ts'

type Figures = DataOf<typeof statisticsApi.patrols>
const NAME_WIDTH = 150
const go = (link: string) => void (location.hash = link)

export interface Drawn {
  span: Days | undefined
  within: Place
}

const NO_TASKS = { tasks: 0, done: 0, late: 0, missed: 0, waiting: 0, excused: 0 }
const rateOf = (t: Omit<TaskCell, 'key' | 'name'>) => `完成率 ${rateText(t)}，共 ${t.tasks} 次`
export function ByDay({ span, cells, within }: Drawn & { cells: readonly TaskCell[] }) {
  const days = span?.days ?? []
  const rows = days.map((day) => cells.find((c) => c.key === day) ?? NO_TASKS)
  return (
    <BarChart
      label="每日任务"
      unit="次"
      stacked
      running={span?.running ?? false}
      labels={days.map((d) => d.slice(5))}
      hints={days.map(
        (_, i) => `${rateOf(rows[i]!)}${span?.running && i === days.length - 1 ? '，今天还没有结束' : ''}`,
      )}
      series={outcomes(rows)}
      onPick={(p) =>
        go(tasksOf(days[p.index]!, days[p.index]!, { ...within, state: statesOf(rows)[p.series]!.state }))
      }
    />
  )
}
export function ByBranch({ span, cells, within }: Drawn & { cells: readonly TaskCell[] }) {
  return (
    <BarChart
      label="各分公司的任务"
      unit="次"
      lying
      stacked
      labels={cells.map((c) => c.name)}
      hints={cells.map(rateOf)}
      series={outcomes(cells)}
      onPick={(p) =>
        span &&
        go(
          tasksOf(span.from, span.to, {
            ...within,
            bc_id: cells[p.index]!.key,
            state: statesOf(cells)[p.series]!.state,
          }),
        )
      }
    />
  )
}
export function ByKind({ span, kinds, within }: Drawn & { kinds: Figures['kinds'] }) {
  return (
    <BarChart
      label="每类巡检的收获"
      unit="次"
      lying
      stacked
      nameWidth={NAME_WIDTH}
      labels={kinds.map((k) => `${patrolKind.label(k.kind)}（${k.made} 次）`)}
      hints={kinds.map((k) => `平均每次 ${(k.problems / k.made).toFixed(1)} 个问题`)}
      series={yields(kinds)}
      onPick={(p) =>
        span &&
        go(
          patrolsOf(span.from, span.to, {
            ...within,
            kind: kinds[p.index]!.kind,
            found: String(p.series === 0),
          }),
        )
      }
    />
  )
}
export function ByReason({ span, reasons, within }: Drawn & { reasons: Figures['reasons'] }) {
  const share = (r: Figures['reasons'][number]) =>
    r.made < ENOUGH_PATROLS
      ? `样本不足：满 ${ENOUGH_PATROLS} 次才算比例`
      : `${Math.round((r.found / r.made) * 100)}% 有收获`
  return (
    <BarChart
      label="各原因的收获"
      unit="次"
      lying
      stacked
      nameWidth={NAME_WIDTH}
      labels={reasons.map((r) => `${rankReason.label(r.reason)}（${r.made} 次）`)}
      hints={reasons.map(share)}
      series={yields(reasons)}
      onPick={(p) =>
        span &&
        go(
          patrolsOf(span.from, span.to, {
            ...within,
            reason: reasons[p.index]!.reason,
            found: String(p.series === 0),
          }),
        )
      }
    />
  )
}
