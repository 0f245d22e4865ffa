import { type ComponentProps, createContext, use, useMemo } from 'react'

import { barePart } from '../barePart.tsx'
import { ChartTable } from './ChartTable.tsx'
import { coloursOf, MOST_SERIES } from './colours.ts'
import { exact, figure } from './figures.ts'
import {
  type Axes,
  barOption,
  type BarOptions,
  type HeatDay,
  heatOption,
  lineOption,
  pieOption,
  type Slice,
  sliced,
} from './options.ts'
import { useDark } from './useDark.ts'

import './chart.css'

/** The label (or slice, or day) and the series that were clicked. */
export interface Picked {
  index: number
  series: number
}
interface Common {
  /** The picture in words, for those who cannot see it. */
  label: string
  height?: number
  onPick?: ((picked: Picked) => void) | undefined
}
/** A card shows its chart as a table when asked to; the chart itself knows both. */
export const AsTable = createContext(false)

const HEIGHT = 260
const useColours = () => coloursOf(useDark())
const Wait = ({ height }: { height: number }) => (
  <div className="plot wait" style={{ height }} aria-busy="true" />
)
const Plot = barePart(() => import('./Plot.tsx'), Wait)

function Drawing({
  height = HEIGHT,
  more = 0,
  ...p
}: Omit<ComponentProps<typeof Plot>, 'height'> & {
  height?: number | undefined
  /** Series that are left to the table. */ more?: number
}) {
  return (
    <>
      <Plot {...p} height={height} />
      {more > 0 && (
        <p className="quiet chart-note">
          图中为前 {MOST_SERIES} 项，另有 {more} 项见表格。
        </p>
      )}
    </>
  )
}
const rowsOf = ({ labels, series, unit, hints }: Axes) => ({
  heads: series.map((s) => s.name),
  rows: labels.map((name, i) => ({
    name,
    hint: hints?.[i],
    cells: series.map((s) => exact(s.values[i], unit)),
  })),
})

/** Change over time: up to five lines, each named at its end. */
export function LineChart({ label, height, onPick, ...axes }: Axes & Common) {
  const table = use(AsTable)
  const c = useColours()
  const option = useMemo(
    () => lineOption(axes, c),
    [axes.labels, axes.series, axes.unit, axes.hints, axes.running, c.card],
  )
  if (table) return <ChartTable label={label} {...rowsOf(axes)} onPick={onPick} />
  return (
    <Drawing
      option={option}
      label={label}
      height={height}
      axes={Math.min(MOST_SERIES, axes.series.length)}
      onPick={onPick}
      more={axes.series.length - MOST_SERIES}
    />
  )
}

/** Comparison: bars from zero, side by side or stacked, standing or lying. */
export function BarChart({ label, height, onPick, ...bars }: BarOptions & Common) {
  const table = use(AsTable)
  const c = useColours()
  const option = useMemo(
    () => barOption(bars, c),
    [bars.labels, bars.series, bars.unit, bars.hints, bars.stacked, bars.lying, c.card],
  )
  if (table) return <ChartTable label={label} {...rowsOf(bars)} onPick={onPick} />
  return (
    <Drawing
      option={option}
      label={label}
      height={height}
      axes={Math.min(MOST_SERIES, bars.series.length)}
      lying={bars.lying ?? false}
      onPick={onPick}
      more={bars.series.length - MOST_SERIES}
    />
  )
}

/** Shares of a whole, as a ring with its total. `index` of a pick counts in `slices`. */
export function PieChart({
  label,
  height,
  onPick,
  slices,
  unit = '',
}: Common & { slices: readonly Slice[]; unit?: string }) {
  const table = use(AsTable)
  const c = useColours()
  const option = useMemo(() => pieOption(slices, unit, c), [slices, unit, c.card])
  const total = slices.reduce((sum, s) => sum + s.value, 0)
  if (table)
    return (
      <ChartTable
        label={label}
        heads={[unit ? `数量（${unit}）` : '数量', '占比']}
        rows={slices.map((s) => ({
          name: s.name,
          cells: [exact(s.value), total ? `${figure((s.value / total) * 100)}%` : '--'],
        }))}
        onPick={onPick}
      />
    )
  const { shown, rest } = sliced(slices)
  const pick =
    onPick &&
    ((p: Picked) =>
      !(rest && p.index === shown.length - 1) &&
      onPick({ index: slices.indexOf(shown[p.index]!), series: 0 }))
  return <Drawing option={option} label={label} height={height} onPick={pick} />
}

/** A day a cell, weeks side by side, Monday on top. `index` of a pick counts in `days`. */
export function HeatCalendar({
  label,
  height = 220,
  onPick,
  days,
  unit = '',
}: Common & { days: readonly HeatDay[]; unit?: string }) {
  const table = use(AsTable)
  const c = useColours()
  const option = useMemo(() => heatOption(days, unit, c), [days, unit, c.card])
  if (table)
    return (
      <ChartTable
        label={label}
        heads={[unit ? `数值（${unit}）` : '数值']}
        rows={days.map((d) => ({ name: d.day, cells: [exact(d.value, unit)] }))}
        onPick={onPick}
      />
    )
  const known = days.map((d, i) => ({ d, i })).filter(({ d }) => d.value !== null)
  return (
    <Drawing
      option={option}
      label={label}
      height={height}
      onPick={onPick && ((p: Picked) => onPick({ index: known[p.index]!.i, series: 0 }))}
    />
  )
}
