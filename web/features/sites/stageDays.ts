import { type SiteDetail, stageState } from '@zhuguan/contract/features/sites/sites.record.ts'

export type Stage = SiteDetail['stages'][number]
const DAY_MS = 86_400_000
const at = (day: string) => Date.parse(day)
export const daysBetween = (from: string, to: string): number => Math.round((at(to) - at(from)) / DAY_MS)
const dayAfter = (day: string, n: number) => new Date(at(day) + n * DAY_MS).toISOString().slice(0, 10)

/** Days that a stage is behind its plan on `today`; below zero when it was ready early, null where nobody can say. */
export function behind(stage: Stage, today: string): number | null {
  const { plannedStart, plannedFinish, actualFinish, state } = stage
  if (!plannedStart || !plannedFinish) return null
  if (actualFinish) return daysBetween(plannedFinish, actualFinish)
  const due = state === stageState.code.waiting ? plannedStart : plannedFinish
  return today > due ? daysBetween(due, today) : null
}
/** Running and not yet past its end, though it began after the day that was planned. */
function lateStartText({ plannedStart, actualStart }: Stage): string {
  const late = plannedStart && actualStart ? daysBetween(plannedStart, actualStart) : 0
  return late > 0 ? `晚开始 ${late} 天` : ''
}
/** The same in words. */
export function behindText(stage: Stage, today: string): string {
  const days = behind(stage, today)
  if (days === null) return stage.actualFinish ? '' : lateStartText(stage)
  if (stage.state === stageState.code.waiting) return `应开始，已过 ${days} 天`
  if (!stage.actualFinish) return `已超期 ${days} 天`
  if (days === 0) return '按计划完成'
  return days > 0 ? `晚 ${days} 天` : `早 ${-days} 天`
}
const range = (from: string | null, to: string | null) => (from && to ? `${from} 至 ${to}` : '--')
export const planText = (s: Stage) => range(s.plannedStart, s.plannedFinish)
export const firstPlanText = (s: Stage) => range(s.baselineStart, s.baselineFinish)
export function actualText({ actualStart, actualFinish }: Stage): string {
  if (!actualStart) return '未开始'
  return actualFinish ? range(actualStart, actualFinish) : `${actualStart} 起`
}
export const replanned = (s: Stage): boolean =>
  !!s.baselineStart && (s.baselineStart !== s.plannedStart || s.baselineFinish !== s.plannedFinish)

export interface Axis {
  /** The span of the days; a single day's beginning, where only that is asked. */
  place: (from: string, to?: string) => { left: string; width?: string }
  ticks: readonly string[]
}
const STEPS = [1, 2, 7, 14, 28, 56, 91, 182]
const MOST_TICKS = 8
/** The days from the first to the last that any stage knows, and today while the site is not over. */
export function axisOf(stages: readonly Stage[], today: string | null): Axis | null {
  const known = stages
    .flatMap((s) => [
      s.plannedStart,
      s.plannedFinish,
      s.actualStart,
      s.actualFinish,
      s.baselineStart,
      s.baselineFinish,
    ])
    .filter((day): day is string => !!day)
  if (known.length === 0) return null
  const days = [...known, ...(today ? [today] : [])].sort()
  const [first, last] = [days[0]!, days.at(-1)!]
  const span = daysBetween(first, last) + 1
  const step = STEPS.find((s) => span / s <= MOST_TICKS) ?? 365
  return {
    place: (from, to) => ({
      left: `${(daysBetween(first, from) / span) * 100}%`,
      ...(to ? { width: `${((Math.max(0, daysBetween(from, to)) + 1) / span) * 100}%` } : {}),
    }),
    ticks: Array.from({ length: Math.ceil(span / step) }, (_, i) => dayAfter(first, i * step)),
  }
}
