import type { EChartsCoreOption } from 'echarts/core'

import type { Tone } from '../State.tsx'
import { type Colours, MOST_SERIES } from './colours.ts'
import { exact, figure } from './figures.ts'

/** One line, one kind of bar. `tone` is a state, `hue` pins a thing to the same colour on every page. */
export interface Series {
  name: string
  values: readonly (number | null)[]
  tone?: Tone
  hue?: number
}
export interface Slice {
  name: string
  value: number
  tone?: Tone
  hue?: number
}
export interface HeatDay {
  /** YYYY-MM-DD */
  day: string
  value: number | null
}
export interface Axes {
  labels: readonly string[]
  series: readonly Series[]
  unit?: string
  /** Said on hover and in the table beside a label: a small sample, a holiday. */
  hints?: readonly (string | undefined)[] | undefined
  /** The last label is a day that is not over: its value is drawn apart. */
  running?: boolean
}
export interface BarOptions extends Axes {
  stacked?: boolean
  /** Bars that lie, for long names. */
  lying?: boolean
  /** The width that the names have, in pixels. */
  nameWidth?: number | undefined
}

const escape = (text: string) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)
const MOST_SLICES = 7
const MOST_LABELLED_BARS = 16
/** More points than these are a line; fewer are points on a line. */
const FEW_POINTS = 14
const REST = '其他'

/** docs/looks.md allows five; the rest stays in the table. */
export const drawn = (series: readonly Series[]) => series.slice(0, MOST_SERIES)

/** Small slices beyond the seventh become one; what was cut keeps no click of its own. */
export function sliced(slices: readonly Slice[]): { shown: Slice[]; rest: boolean } {
  const some = slices.filter((s) => s.value > 0)
  if (some.length <= MOST_SLICES) return { shown: some, rest: false }
  return {
    shown: [
      ...some.slice(0, MOST_SLICES - 1),
      { name: REST, value: some.slice(MOST_SLICES - 1).reduce((sum, s) => sum + s.value, 0), tone: 'grey' },
    ],
    rest: true,
  }
}

/** A day between two unknown ones has no line to stand on. */
const alone = (values: readonly (number | null)[], i: number) =>
  (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null

const tip = (c: Colours) => ({
  backgroundColor: c.card,
  borderColor: c.line,
  textStyle: { color: c.ink, fontSize: 13 },
  confine: true,
  transitionDuration: 0.1,
})
/** A row of the box that follows the pointer; a chart's own box knows no class. */
const line = (dot: string, name: string, value: string) =>
  [
    '<div style="display:flex;gap:8px;align-items:center">',
    `<i style="width:8px;height:8px;border-radius:50%;background:${dot}"></i>`,
    `<span style="flex:1">${escape(name)}</span><b>${escape(value)}</b></div>`,
  ].join('')

const withUnit = (value: number, unit = '') =>
  unit === '%' ? `${figure(value)}%` : `${figure(value)} ${unit}`

const NAME_WIDTH = 110
function axes({ labels, series, unit = '', hints }: Axes, c: Colours, lying = false, nameWidth = NAME_WIDTH) {
  const names = {
    type: 'category' as const,
    data: [...labels],
    axisLine: { lineStyle: { color: c.line } },
    axisTick: { show: false },
    axisLabel: {
      color: c.soft,
      hideOverlap: true,
      ...(lying ? { width: nameWidth, overflow: 'truncate' as const } : {}),
    },
    ...(lying ? { inverse: true } : {}),
  }
  // Zero-based always: a bar that starts elsewhere lies about its length.
  const values = {
    type: 'value' as const,
    min: 0,
    ...(unit === '%'
      ? { max: 100, interval: 25 }
      : {
          splitNumber: 4,
          ...(series.every((s) => s.values.every((v) => v === null || Number.isInteger(v)))
            ? { minInterval: 1 }
            : {}),
        }),
    axisLabel: { color: c.soft, formatter: (v: number) => (unit === '%' ? `${figure(v)}%` : figure(v)) },
    // What the numbers are stands once at the end of their axis.
    ...(unit === '%' || lying ? {} : { name: unit, nameGap: 10, nameTextStyle: { color: c.soft } }),
    splitLine: { lineStyle: { color: c.line } },
  }
  return {
    [lying ? 'yAxis' : 'xAxis']: names,
    [lying ? 'xAxis' : 'yAxis']: values,
    tooltip: {
      ...tip(c),
      trigger: 'axis' as const,
      axisPointer: { type: lying ? ('shadow' as const) : ('line' as const), lineStyle: { color: c.soft } },
      formatter: (at: { dataIndex: number } | { dataIndex: number }[]) => {
        const i = (Array.isArray(at) ? at[0] : at)?.dataIndex ?? 0
        return `<b>${escape(labels[i] ?? '')}</b>${drawn(series)
          .map((s, n) => line(c.of(s, n), s.name, exact(s.values[i], unit)))
          .join('')}${hints?.[i] ? `<small>${escape(hints[i])}</small>` : ''}`
      },
    },
  }
}
const legend = (c: Colours) => ({
  top: 0,
  left: 0,
  icon: 'roundRect',
  itemWidth: 12,
  itemHeight: 8,
  textStyle: { color: c.soft },
})

/** From the last whole day to the running one, dashed, with a hollow end. */
const runningLine = (s: Series, colour: string) => ({
  type: 'line',
  name: s.name,
  data: s.values.map((v, n) => (n < s.values.length - 2 ? null : v)),
  color: colour,
  symbol: 'emptyCircle',
  showAllSymbol: true,
  symbolSize: (_: unknown, p: { dataIndex: number }) => (p.dataIndex === s.values.length - 1 ? 7 : 0),
  lineStyle: { width: 2, type: 'dashed' },
  emphasis: { focus: 'none' },
})

export function lineOption(axesOf: Axes, c: Colours): EChartsCoreOption {
  const series = drawn(axesOf.series)
  const many = series.length > 1
  return {
    grid: {
      left: 8,
      right: many ? 96 : 16,
      top: 28,
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    ...axes(axesOf, c),
    series: [
      ...series.map((s, i) => ({
        type: 'line',
        name: s.name,
        data: axesOf.running ? s.values.map((v, n) => (n === s.values.length - 1 ? null : v)) : [...s.values],
        color: c.of(s, i),
        symbol: 'circle',
        showAllSymbol: true,
        symbolSize: (_: unknown, p: { dataIndex: number }) =>
          axesOf.labels.length <= FEW_POINTS || alone(s.values, p.dataIndex) ? 6 : 0,
        lineStyle: { width: 2 },
        connectNulls: false,
        emphasis: { focus: 'none' },
        ...(many
          ? {
              endLabel: {
                show: true,
                formatter: s.name,
                color: c.of(s, i),
                distance: 6,
                padding: [2, 0],
                width: 84,
                overflow: 'truncate',
              },
              labelLayout: { moveOverlap: 'shiftY' },
            }
          : { areaStyle: { opacity: 0.1 } }),
      })),
      ...(axesOf.running ? series.map((s, i) => runningLine(s, c.of(s, i))) : []),
    ],
  }
}

/** A bar that still grows. */
/** The end of a bar is round. */
const END = { lying: [0, 3, 3, 0], standing: [3, 3, 0, 0] }
const RUNNING_BAR = { opacity: 0.45 }

/** Over the bars: their legend, and what the numbers of a standing axis are. */
const roomAbove = (series: number, unit = '', lying = false) =>
  20 + (series > 1 ? 14 : 0) + (unit && unit !== '%' && !lying ? 14 : 0)

export function barOption(
  { stacked, lying = false, nameWidth, ...axesOf }: BarOptions,
  c: Colours,
): EChartsCoreOption {
  const series = drawn(axesOf.series)
  const labelled = series.length === 1 && axesOf.labels.length <= MOST_LABELLED_BARS
  return {
    ...(series.length > 1 ? { legend: legend(c) } : {}),
    grid: {
      left: 8,
      right: lying && labelled ? 72 : 12,
      top: roomAbove(series.length, axesOf.unit, lying),
      bottom: 4,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    ...axes(axesOf, c, lying, nameWidth),
    series: series.map((s, i) => ({
      type: 'bar',
      name: s.name,
      data: s.values.map((value, n) =>
        axesOf.running && n === s.values.length - 1 ? { value, itemStyle: RUNNING_BAR } : value,
      ),
      color: c.of(s, i),
      barMaxWidth: 28,
      ...(stacked ? { stack: 'all' } : {}),
      itemStyle: { borderRadius: stacked ? 0 : END[lying ? 'lying' : 'standing'] },
      label: {
        show: labelled,
        position: lying ? 'right' : 'top',
        color: c.soft,
        formatter: (p: { value: number | null }) => (p.value === null ? '' : withUnit(p.value, axesOf.unit)),
      },
    })),
  }
}

/** A ring with its total in the middle; every slice says its name and share. */
export function pieOption(slices: readonly Slice[], unit: string, c: Colours): EChartsCoreOption {
  const { shown } = sliced(slices)
  const total = slices.reduce((sum, s) => sum + s.value, 0)
  return {
    title: {
      text: figure(total),
      subtext: unit ? `合计（${unit}）` : '合计',
      left: 'center',
      top: 'middle',
      itemGap: 2,
      textStyle: { color: c.ink, fontSize: 22, fontWeight: 600 },
      subtextStyle: { color: c.soft, fontSize: 12 },
    },
    tooltip: {
      ...tip(c),
      trigger: 'item',
      formatter: (p: { name: string; value: number; percent: number; color: string }) =>
        line(p.color, p.name, `${exact(p.value, unit)}（${figure(p.percent)}%）`),
    },
    series: [
      {
        type: 'pie',
        radius: ['46%', '64%'],
        minAngle: 3,
        data: shown.map((s, i) => ({
          name: s.name,
          value: s.value,
          itemStyle: { color: c.of(s, i), borderColor: c.card, borderWidth: 2 },
        })),
        emphasis: { scaleSize: 4 },
        label: {
          color: c.ink,
          formatter: (p: { name: string; value: number; percent: number }) =>
            `${p.name} ${figure(p.value)}\n{share|${figure(p.percent)}%}`,
          rich: { share: { color: c.soft, fontSize: 12 } },
          // Whole on a narrow screen too: cut, a name says nothing.
          overflow: 'none',
        },
        labelLine: { length: 8, length2: 8, lineStyle: { color: c.line } },
      },
    ],
  }
}

/** Weeks from left to right, Monday on top; a day without a figure stays empty. */
export function heatOption(days: readonly HeatDay[], unit: string, c: Colours): EChartsCoreOption {
  const known = days.filter((d) => d.value !== null)
  const [first, last] = [days[0]?.day ?? '2026-01-01', days.at(-1)?.day ?? '2026-01-01']
  const max = unit === '%' ? 100 : Math.max(1, ...known.map((d) => d.value!))
  return {
    tooltip: {
      ...tip(c),
      formatter: (p: { value: [string, number]; color: string }) =>
        line(p.color, p.value[0], exact(p.value[1], unit)),
    },
    visualMap: {
      min: 0,
      max,
      calculable: false,
      orient: 'horizontal',
      right: 0,
      bottom: 0,
      itemWidth: 10,
      itemHeight: 90,
      text: [`多 ${figure(max)}${unit}`, '少 0'],
      textStyle: { color: c.soft },
      inRange: { color: c.heat },
    },
    calendar: {
      range: [first, last],
      top: 24,
      left: 34,
      right: 8,
      bottom: 34,
      cellSize: ['auto', 'auto'],
      splitLine: { lineStyle: { color: c.soft, opacity: 0.5 } },
      itemStyle: { color: 'transparent', borderColor: c.line },
      yearLabel: { show: false },
      dayLabel: { firstDay: 1, nameMap: ['日', '一', '二', '三', '四', '五', '六'], color: c.soft },
      monthLabel: { nameMap: Array.from({ length: 12 }, (_, i) => `${i + 1} 月`), color: c.soft },
    },
    series: [
      {
        type: 'heatmap',
        coordinateSystem: 'calendar',
        data: known.map((d) => [d.day, d.value]),
        itemStyle: { borderRadius: 2 },
      },
    ],
  }
}
