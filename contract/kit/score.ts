import { z } from 'zod'

/** So low a score of an owner is called back. */
export const LOW_SCORE = 2
/** From so good a score on somebody is content. */
export const GOOD_SCORE = 4
/** Of fewer scores a rate says nothing. */
export const FEW_SCORES = 5
/** So many days the people of a home are asked. */
export const SCORE_DAYS = 7
/** Why a score is not taken: the home's own stands, and what staff typed (代填) gives way to the home's own alone. */
export const ownScoreStands = (
  of: { score: number | null; scoredBy: string },
  actor: { id: string },
): string | undefined =>
  of.score === null || (of.scoredBy !== '' && actor.id === '') ? undefined : '已经有满意度'
/** Nor is it a week after the end, whoever gives it. */
export const unlessTooLate = (end: string, at: number | null, now: number): string | undefined =>
  at !== null && now >= at + SCORE_DAYS * 86_400 ? `${end}已满 ${SCORE_DAYS} 天，不能再评分` : undefined
const VALUES = [5, 4, 3, 2, 1] as const
/** To choose from, the best first. */
export const scores = { options: VALUES.map((value) => ({ value, label: `${value} 分` })) }
export const score = z
  .number({ error: '请选择 1 到 5 分' })
  .int()
  .min(1, { error: '至少 1 分' })
  .max(5, { error: '最多 5 分' })
  .meta({ title: '满意度' })
