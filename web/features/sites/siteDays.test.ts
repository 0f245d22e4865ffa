import type { TimelineEvent } from '@zhuguan/contract/features/timeline/timeline.api.ts'
import { expect, test } from 'vitest'

import { axisOf, behindText, type Stage } from './stageDays.ts'
import { daysOf, everyDay, runText } from './timelineDays.ts'

const at = (text: string) => Date.parse(`${text}+08:00`) / 1000
let n = 0
const event = (when: string, kind: TimelineEvent['kind'], actor = ''): TimelineEvent => ({
  id: String((n += 1)),
  kind,
  at: at(when),
  title: `${actor} ${kind}`,
  actor,
  ref_id: null,
  picture: null,
  mark: null,
  state: null,
})

test('what machines repeat is one line of its day; what a person should see stands alone', () => {
  const days = daysOf([
    event('2026-11-22T00:05:00', 'clockin', '甲'),
    event('2026-11-21T18:30:00', 'clockin', '甲'),
    event('2026-11-21T18:10:00', 'clockin', '乙'),
    event('2026-11-21T18:00:00', 'clockin', '甲'),
    event('2026-11-21T12:00:00', 'alarm', 'CAM-1'),
    event('2026-11-21T08:00:00', 'device', 'CAM-1'),
    event('2026-11-21T07:59:00', 'device', 'CAM-2'),
  ])
  expect(days.map((d) => [d.day, d.lines.map((l) => l.events.length)])).toEqual([
    ['2026-11-22', [1]],
    ['2026-11-21', [3, 1, 1, 1]],
  ])
  expect(runText(days[1]!.lines[0]!.events)).toBe('打卡 3 次：甲、乙')
})

test('days on which nothing happened take their width too', () => {
  const line = everyDay(
    [
      { day: '2026-11-01', count: 3 },
      { day: '2026-11-20', count: 1 },
    ],
    at('2026-11-22T10:00:00'),
  )
  expect(line).toHaveLength(22)
  expect(line.filter((d) => d.count > 0).map((d) => d.day)).toEqual(['2026-11-01', '2026-11-20'])
  expect(everyDay([], at('2026-11-22T10:00:00'))).toHaveLength(14)
})

const stage = (state: Stage['state'], plan: [string, string] | null, actual: (string | null)[]): Stage => ({
  stage: 'tiling',
  state,
  sort: 5,
  plannedStart: plan?.[0] ?? null,
  plannedFinish: plan?.[1] ?? null,
  actualStart: actual[0] ?? null,
  actualFinish: actual[1] ?? null,
  baselineStart: null,
  baselineFinish: null,
  acceptedBy: '',
})

test('a stage says how far it is from its plan; without a plan it says nothing, and no day is made up', () => {
  const plan: [string, string] = ['2026-11-10', '2026-11-19']
  const said = (state: Stage['state'], actual: (string | null)[], of: [string, string] | null = plan) =>
    behindText(stage(state, of, actual), '2026-11-22')
  expect(said(3, ['2026-11-10', '2026-11-22'])).toBe('晚 3 天')
  expect(said(3, ['2026-11-10', '2026-11-17'])).toBe('早 2 天')
  expect(said(3, ['2026-11-10', '2026-11-19'])).toBe('按计划完成')
  expect(said(2, ['2026-11-10'])).toBe('已超期 3 天')
  expect(said(2, ['2026-11-13'], ['2026-11-10', '2026-11-30'])).toBe('晚开始 3 天')
  expect(said(1, [])).toBe('应开始，已过 12 天')
  expect(said(2, ['2026-11-10'], null)).toBe('')
  expect(axisOf([stage(1, null, [])], '2026-11-22')).toBeNull()
  // Ten days, and today two after them.
  expect(axisOf([stage(1, plan, [])], '2026-11-21')!.place('2026-11-19', '2026-11-21')).toEqual({
    left: '75%',
    width: '25%',
  })
})
