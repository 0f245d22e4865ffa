import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { patrolKind } from '../patrols/patrols.record.ts'
import { rankReason } from '../rankings/rankings.record.ts'

export const patrolBy = defineCodes('patrolBy', '巡检统计维度', {
  day: ['day', '日期'],
  branch: ['branch', '分公司'],
  site: ['site', '工地'],
  person: ['person', '巡检人'],
  reason: ['reason', '该巡原因'],
})
/** Whether somebody was on a site that plans wanted to be patrolled. */
export const patrolCoverage = defineCodes('patrolCoverage', '是否巡到', {
  covered: ['covered', '巡到过'],
  uncovered: ['uncovered', '一次没巡'],
})

/** Patrols that plans wanted by the end of its window: each is in one of the five. */
const tasks = {
  tasks: z.number().int(),
  done: z.number().int(),
  late: z.number().int(),
  missed: z.number().int(),
  /** Not done, and may still be done. */
  waiting: z.number().int(),
  excused: z.number().int(),
}
export type TaskCounts = { [F in keyof typeof tasks]: number }
export const sumOfTasks = (cells: readonly TaskCounts[]): TaskCounts => {
  const sum = (field: keyof TaskCounts) => cells.reduce((n, cell) => n + cell[field], 0)
  return {
    tasks: sum('tasks'),
    done: sum('done'),
    late: sum('late'),
    missed: sum('missed'),
    waiting: sum('waiting'),
    excused: sum('excused'),
  }
}
/** 巡检完成率 in percent: of what is not excused, what was done in time or late; null where nothing was wanted. */
export const doneRate = (t: TaskCounts): number | null => {
  const wanted = t.tasks - t.excused
  return wanted > 0 ? Math.round(((t.done + t.late) / wanted) * 1000) / 10 : null
}
export const taskCell = z.object({ key: z.string(), name: z.string(), ...tasks })
export type TaskCell = z.output<typeof taskCell>

/** Patrols that were handed in, and those with a finding: a problem, or an untidy site. */
const yielded = {
  made: z.number().int(),
  found: z.number().int(),
  problems: z.number().int(),
}
export const patrolFigures = z.object({
  days: z.array(taskCell),
  branches: z.array(taskCell),
  /** Sites that plans wanted in the span, and those of them where somebody was. */
  sites: z.object({ due: z.number().int(), covered: z.number().int() }),
  /** By how much what was late came after the end of its window, in seconds; nothing of too few. */
  late: z.object({
    n: z.number().int(),
    p50: z.number().int().nullable(),
    p90: z.number().int().nullable(),
  }),
  kinds: z.array(z.object({ kind: patrolKind.schema, ...yielded })),
  /** Patrols that were handed in at most two days after the morning's list named their site, by its reasons. */
  reasons: z.array(z.object({ reason: rankReason.schema, made: z.number().int(), found: z.number().int() })),
})

export const patrolSite = z.object({
  id: z.string(),
  name: z.string(),
  bc_name: z.string(),
  ...tasks,
})
export type PatrolSite = z.output<typeof patrolSite>
export const patrolPerson = z.object({ id: z.string(), name: z.string(), ...yielded })
export type PatrolPerson = z.output<typeof patrolPerson>
