import type { CaseProposal, FieldCase } from '@zhuguan/contract/features/cases/cases.record.ts'

const joined = (...words: (string | null)[]): string => words.filter(Boolean).join(' · ')
export const daysOf = (k: FieldCase): string =>
  k.days === null ? '' : `${k.finished ? '工期' : '已施工'} ${k.days} 天`
/** Look, size and price: each has a line of its own on a card, so that none is cut. */
export const looksOf = (k: FieldCase): string => joined(k.style, k.layout)
export const sizeOf = (k: FieldCase): string => joined(k.areaRange, k.priceRange)
export const factsOf = (k: FieldCase): string => joined(looksOf(k), sizeOf(k))

/** Reasons for a home, in the order in which they count. */
export const reasonsOf = (s: CaseProposal): string[] => [
  s.pairs > 0 ? `${s.pairs} 组前后对比` : '没有同一机位的对比',
  s.tidy === null ? `整洁样本不足（${s.tidyOf} 次）` : `整洁 ${s.tidy}%（${s.tidyOf} 次）`,
  ...(s.onTime === null ? [] : [s.onTime ? '按期' : '已超计划']),
  ...(s.praises > 0 ? [`表扬 ${s.praises} 条`] : []),
]
