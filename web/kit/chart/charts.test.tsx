import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { ChartCard } from './ChartCard.tsx'
import { LineChart, PieChart } from './charts.tsx'
import { coloursOf } from './colours.ts'
import { exact, figure } from './figures.ts'
import { barOption, heatOption, lineOption, sliced } from './options.ts'

let root: Root
let box: HTMLElement
beforeEach(() => {
  ;(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true
  box = document.body.appendChild(document.createElement('div'))
  root = createRoot(box)
})
afterEach(() => {
  act(() => root.unmount())
  box.remove()
})
const c = coloursOf(false)
const series = (n: number) => Array.from({ length: n }, (_, i) => ({ name: `线${i + 1}`, values: [i, null] }))

test('numbers as people say them', () => {
  expect([9_800, 12_000, 340_000_000, 0.25, 0, null].map(figure)).toEqual([
    '9800',
    '1.2 万',
    '3.4 亿',
    '0.3',
    '0',
    '--',
  ])
  expect([exact(12_345, '人'), exact(98.5, '%'), exact(null, '人')]).toEqual(['12,345 人', '98.5%', '--'])
})
test('five series and no more are drawn, from zero, each with its name at its end', () => {
  const option = lineOption({ labels: ['a', 'b'], series: series(7) }, c) as {
    series: { endLabel: { formatter: string } }[]
    yAxis: { min: number }
  }
  expect(option.series.map((s) => s.endLabel.formatter)).toEqual(['线1', '线2', '线3', '线4', '线5'])
  expect(option.yAxis.min).toBe(0)
})
test('the hover names every series, and what a clerk typed is not markup', () => {
  const { tooltip } = barOption(
    {
      labels: ['<b>甲</b>'],
      series: [
        { name: '到场', values: [3] },
        { name: '缺勤', values: [null] },
      ],
      unit: '人',
      hints: ['样本 3'],
    },
    c,
  ) as { tooltip: { formatter: (at: object) => string } }
  const text = tooltip.formatter([{ dataIndex: 0 }])
  for (const part of ['到场', '3 人', '缺勤', '--', '样本 3', '&#60;b&#62;甲']) expect(text).toContain(part)
})
test('one thing has one colour wherever it stands; a state has the colour of its state', () => {
  expect(c.of({ hue: 2 }, 0)).toBe(c.of({}, 2))
  expect(c.of({ tone: 'bad' }, 0)).not.toBe(c.of({}, 0))
  expect(coloursOf(true).of({}, 0)).not.toBe(c.of({}, 0))
})
test('small slices become one, and a day without a figure is not drawn as zero', () => {
  const many = Array.from({ length: 9 }, (_, i) => ({ name: `项${i}`, value: 9 - i }))
  expect(sliced(many).shown.map((s) => s.name)).toEqual(['项0', '项1', '项2', '项3', '项4', '项5', '其他'])
  expect(sliced(many).shown.at(-1)!.value).toBe(3 + 2 + 1)
  const {
    series: [heat],
  } = heatOption(
    [
      { day: '2026-11-01', value: null },
      { day: '2026-11-02', value: 0 },
    ],
    '人',
    c,
  ) as { series: { data: unknown[] }[] }
  expect(heat!.data).toEqual([['2026-11-02', 0]])
})
test('behind the chart stands the same data as a table, and a figure opens what it counts', () => {
  const onPick = vi.fn()
  act(() =>
    root.render(
      <ChartCard title="出勤率">
        <LineChart
          label="出勤率"
          labels={['11-20', '11-21']}
          series={[
            { name: '杭州', values: [80, 90] },
            { name: '宁波', values: [null, 70] },
          ]}
          unit="%"
          onPick={onPick}
        />
      </ChartCard>,
    ),
  )
  act(() => [...box.querySelectorAll('button')].find((b) => b.textContent === '表')!.click())
  expect([...box.querySelectorAll('td')].map((t) => t.textContent)).toEqual([
    '11-20',
    '80%',
    '--',
    '11-21',
    '90%',
    '70%',
  ])
  act(() => [...box.querySelectorAll('button')].find((b) => b.textContent === '70%')!.click())
  expect(onPick).toHaveBeenCalledWith({ index: 1, series: 1 })
})
test('loading, error and emptiness each say so', () => {
  const refetch = vi.fn()
  const show = (of: { isPending: boolean; error: Error | null }, empty?: string) =>
    act(() =>
      root.render(
        <ChartCard title="图" of={{ ...of, refetch }} empty={empty}>
          <PieChart label="图" slices={[]} />
        </ChartCard>,
      ),
    )
  show({ isPending: true, error: null })
  expect(box.querySelector('[aria-busy=true]')).not.toBeNull()
  show({ isPending: false, error: new Error('连接不上') })
  expect(box.querySelector('[role=alert]')!.textContent).toContain('连接不上')
  act(() => [...box.querySelectorAll('button')].find((b) => b.textContent === '重试')!.click())
  expect(refetch).toHaveBeenCalled()
  show({ isPending: false, error: null }, '这段时间没有打卡。')
  expect(box.textContent).toContain('这段时间没有打卡。')
})
