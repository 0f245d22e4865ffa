import { BarChart, HeatmapChart, LineChart, PieChart } from 'echarts/charts'
import {
  CalendarComponent,
  GridComponent,
  LegendComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapContinuousComponent,
} from 'echarts/components'
import { type EChartsCoreOption, type EChartsType, init, use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { SVGRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'

import type { Picked } from './charts.tsx'

// SVG, because these charts are printed and hang on screens of any density; none has more than some hundred marks.
use([
  LineChart,
  BarChart,
  PieChart,
  HeatmapChart,
  GridComponent,
  TooltipComponent,
  LegendComponent,
  TitleComponent,
  CalendarComponent,
  VisualMapContinuousComponent,
  LabelLayout,
  SVGRenderer,
])

const MOTION_MS = 200
const still = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** The label and the series that lie nearest to a point inside the axes. */
function nearest(
  chart: EChartsType,
  series: number,
  lying: boolean,
  at: [number, number],
): Picked | undefined {
  if (!chart.containPixel('grid', at)) return undefined
  const index = Math.round(chart.convertFromPixel({ seriesIndex: 0 }, at)[lying ? 1 : 0]!)
  const values = chart.getOption().series as { data: (number | null)[] }[]
  const away = (s: number) => {
    const v = values[s]?.data[index]
    if (v === null || v === undefined) return Infinity
    const p = chart.convertToPixel({ seriesIndex: s }, lying ? [v, index] : [index, v])
    return Math.abs(p[lying ? 0 : 1]! - at[lying ? 0 : 1])
  }
  const by = Array.from({ length: series }, (_, s) => s).sort((a, b) => away(a) - away(b))
  return { index, series: by[0] ?? 0 }
}

/** The drawing itself; comes in a chunk of its own. `axes` says how many series a click chooses among. */
export default function Plot({
  option,
  label,
  height,
  axes,
  lying = false,
  onPick,
}: {
  option: EChartsCoreOption
  label: string
  height: number
  axes?: number | undefined
  lying?: boolean
  onPick?: ((p: Picked) => void) | undefined
}) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  const pick = useRef(onPick)
  pick.current = onPick
  useEffect(() => {
    const made = (chart.current = init(box.current, null, { renderer: 'svg' }))
    made.on(
      'click',
      (p) => p.dataIndex !== undefined && pick.current?.({ index: p.dataIndex, series: p.seriesIndex ?? 0 }),
    )
    const zr = made.getZr()
    // A thin line is hard to hit: anywhere inside the axes counts for the nearest point.
    zr.on('click', (e) => {
      const near = axes && !e.target ? nearest(made, axes, lying, [e.offsetX, e.offsetY]) : undefined
      if (near) pick.current?.(near)
    })
    zr.on('mousemove', (e) =>
      zr.setCursorStyle(
        pick.current && axes && made.containPixel('grid', [e.offsetX, e.offsetY]) ? 'pointer' : 'default',
      ),
    )
    const observer = new ResizeObserver(() => made.resize())
    observer.observe(box.current!)
    return () => {
      observer.disconnect()
      made.dispose()
      chart.current = undefined
    }
  }, [axes, lying])
  useEffect(() => {
    chart.current?.setOption(
      {
        animation: !still(),
        animationDuration: MOTION_MS,
        animationDurationUpdate: MOTION_MS,
        textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
        ...option,
      },
      { notMerge: true },
    )
  }, [option, axes, lying])
  return <div ref={box} className="plot" style={{ height }} role="img" aria-label={label} />
}
