import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'

export const boardSpan = defineCodes('boardSpan', '时间', {
  month: ['month', '月'],
  quarter: ['quarter', '季'],
  year: ['year', '年'],
})
/** The way of a home through all three systems. */
export const boardStep = defineCodes('boardStep', '步骤', {
  leads: ['leads', '新线索'],
  deposit: ['deposit', '收定金'],
  signed: ['signed', '签约'],
  started: ['started', '开工'],
  finished: ['finished', '完工'],
})
/** Figures that are counted by the week to see what is unusual. */
export const boardMeasure = defineCodes('boardMeasure', '指标', {
  leads: ['leads', '新线索'],
  signed: ['signed', '签约'],
  started: ['started', '开工'],
  finished: ['finished', '完工'],
  alarms: ['alarms', '报警'],
})

const count = z.number().int()
/** Null: the caller may not open the list that it counts. */
const seen = count.nullable()
const branch = z.object({
  bc_id: z.string(),
  bc_name: z.string(),
  leads: seen,
  deposit: seen,
  signed: seen,
  started: seen,
  finished: seen,
  building: seen,
  stopped: seen,
  overdue: seen,
  late: seen,
})
export type BoardBranch = z.output<typeof branch>

/** Steps by when they happened, in a span and in as many days of the one before; how things stand now. */
export const boardTotal = z.object({
  at: count,
  from: z.string(),
  to: z.string(),
  /** The span is not over: what it is compared with is as many days of the one before. */
  running: z.boolean(),
  beforeFrom: z.string(),
  beforeTo: z.string(),
  steps: z.array(
    z.object({
      step: boardStep.schema,
      n: count,
      before: count,
      /** Days from the step before, of the middle one of those that took it in the span. */
      days: z.number().nullable(),
    }),
  ),
  /** What was signed in the span comes to, for who may open the list of contracts. */
  money: z.string().nullable(),
  /** Pieces of material by state, 1 to 7. */
  flow: z.array(z.object({ state: count, n: count })).nullable(),
  branches: z.array(branch),
  /** The largest departures of the last seven whole days from the eight weeks before them, worst first. */
  said: z.array(
    z.object({
      bc_id: z.string(),
      bc_name: z.string(),
      measure: boardMeasure.schema,
      n: count,
      least: count,
      most: count,
      middle: z.number(),
      /** Most of it: a kind of alarm, a source of leads; and how many. */
      mostly: z.string(),
      mostlyN: count,
    }),
  ),
  weekFrom: z.string(),
  weekTo: z.string(),
})
export type BoardTotal = z.output<typeof boardTotal>
