import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { siteStage } from '../sites/sites.record.ts'

const WEIGHTED = {
  alarms: ['alarms', '未整改报警'],
  untidy: ['untidy', '整洁度差'],
  silence: ['silence', '无人施工'],
  unvisited: ['unvisited', '久未巡检'],
  covering: ['covering', '即将隐蔽'],
  promises: ['promises', '承诺到期或未兑现'],
  complaints: ['complaints', '未结投诉'],
} as const
/** What a site can say for itself; each has a weight. */
export const weightedReason = defineCodes('weightedReason', '依据', WEIGHTED)
/** A reason of the morning's list. Chance has a share instead of a weight, which nobody takes from it. */
export const rankReason = defineCodes('rankReason', '原因', { ...WEIGHTED, random: ['random', '随机抽查'] })
export type WeightedReason = (typeof weightedReason.values)[number]
/** The weight of each as long as nothing was learned and nobody set it. */
export const FIRST_WEIGHTS: Readonly<Record<WeightedReason, number>> = {
  alarms: 1,
  untidy: 0.8,
  silence: 0.8,
  unvisited: 1,
  covering: 1.2,
  promises: 0.8,
  complaints: 1,
}
/** Never less, so that a reason can come back; never more, so that none is all. */
export const LEAST_WEIGHT = 0.2
export const MOST_WEIGHT = 3
/** A patrol counts for a reason when the site was listed for it on that day or at most so many days before. */
export const COUNTS_DAYS = 2
/** Over how many days it is reckoned what a reason yielded. */
export const YIELD_DAYS = 60
/** Of fewer patrols nothing is learned and no share is told. */
export const ENOUGH_PATROLS = 10

/** A place where something is hidden behind a wall or a floor, and the thing that hides it. */
export const COVERED_BY: Readonly<Record<string, string>> = {
  plumbing: '封槽',
  waterproof: '铺贴',
  carpentry: '封板',
}
export const reasonGiven = z.object({
  code: rankReason.schema,
  /** The number of records or of days; nothing for chance. */
  n: z.number().int().nullable(),
  /** The stage that is about to be covered. */
  stage: z.string().nullable(),
  /** The points that it added to the score. */
  points: z.number(),
})
export type ReasonGiven = z.output<typeof reasonGiven>

function covering(stage: string | null, n: number): string {
  const what = `${siteStage.label(stage)}${COVERED_BY[stage ?? ''] ?? '完工'}`
  if (n > 0) return `${siteStage.label(stage)} ${n} 天后${COVERED_BY[stage ?? ''] ?? '完工'}`
  return n === 0 ? `今天${what}` : `${what}过期 ${-n} 天`
}
/** A reason in words. */
export function reasonWords({ code, n, stage }: Pick<ReasonGiven, 'code' | 'n' | 'stage'>): string {
  const days = n ?? 0
  switch (code) {
    case 'alarms':
      return `${days} 条未整改报警`
    case 'untidy':
      return `近 7 天 ${days} 次整洁度差`
    case 'silence':
      return `连续 ${days} 天无人施工`
    case 'unvisited':
      return `${days} 天没人去过`
    case 'covering':
      return covering(stage, days)
    case 'promises':
      return `${days} 条承诺到期或未兑现`
    case 'complaints':
      return `${days} 条未结投诉`
    case 'random':
      return rankReason.label(code)
  }
}

export const rankRow = z.object({
  /** The site's. */
  id: z.string(),
  siteName: z.string(),
  bc_id: z.string(),
  bc_name: z.string(),
  stage: z.string().nullable(),
  managerName: z.string(),
  rank: z.number().int(),
  score: z.number(),
  reasons: z.array(reasonGiven),
  /** The last patrol that was handed in, of whatever kind. */
  lastAt: z.number().int().nullable(),
  /** Somebody has looked since the list was made. */
  doneAt: z.number().int().nullable(),
})
export type RankRow = z.output<typeof rankRow>

export const weightRow = z.object({
  reason: weightedReason.schema,
  weight: z.number(),
  /** Set by hand: it does not learn. */
  pinned: z.boolean(),
  by: z.string(),
  at: z.number().int().nullable(),
  /** Patrols that were made because of it, and how many of them found something. */
  n: z.number().int(),
  found: z.number().int(),
  version: z.number().int(),
})
export type WeightRow = z.output<typeof weightRow>
export const weightsOfBranch = z.object({
  bc_id: z.string(),
  bc_name: z.string(),
  weights: z.array(weightRow),
  /** The part that chance picked. */
  random: z.object({ n: z.number().int(), found: z.number().int() }),
  /** All patrols of the branch, listed or not. */
  all: z.object({ n: z.number().int(), found: z.number().int() }),
  /** Newest first. */
  history: z.array(
    z.object({
      at: z.number().int(),
      actor: z.string(),
      reason: weightedReason.schema,
      was: z.number(),
      weight: z.number(),
      text: z.string(),
    }),
  ),
})

/** The user log\'s names for the fields of a weight. */
export const rankWeightLog = logged('巡检权重', {
  bc_id: ['分公司', 'company'],
  reason: ['依据', weightedReason],
  weight: '权重',
  pinned: '固定',
  text: ['说明', 'personal'],
})
