import { invalid } from '../../kit/refuse.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { dayBegins, type Where } from '../../kit/statement.ts'

/** Days from and to, both included. */
export interface Span {
  from: string
  to: string
}
const MAX_DAYS = 400

/**
 * The days of a span that are over: totals and rankings are of these. Null when the span is the running day alone.
 */
export function wholeDays(span: Span, now: Date): Span | null {
  const yesterday = addDays(shanghaiDay(now), -1)
  if (span.from > yesterday) return null
  return { from: span.from, to: span.to < yesterday ? span.to : yesterday }
}

/** The days that were asked for, or the last `otherwise` days up to today. */
export function spanOf(
  q: { from?: string | undefined; to?: string | undefined },
  now: Date,
  otherwise: number,
): Span {
  const today = shanghaiDay(now)
  const to = q.to ?? today
  const from = q.from ?? addDays(to, 1 - otherwise)
  if (from > to) throw invalid('from', '开始日期不能晚于结束日期')
  if (addDays(from, MAX_DAYS) < to) throw invalid('from', `一次最多统计 ${MAX_DAYS} 天`)
  return { from, to }
}

/** Rows of which a moment lies in the span. */
export const between = (where: Where, span: Span, moment: string): Where =>
  where
    .add((p) => `${moment} >= ${dayBegins(p)}`, span.from)
    .add((p) => `${moment} < ${dayBegins(`(${p}::date + 1)`)}`, span.to)
/** Kept rows `k` of the days of the span. */
export const keptIn = (where: Where, span: Span): Where =>
  where.add((p) => `k.day >= ${p}::date`, span.from).add((p) => `k.day <= ${p}::date`, span.to)
