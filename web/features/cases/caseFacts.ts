import type { FieldCase } from '@zhuguan/contract/features/cases/cases.record.ts'

const joined = (...words: (string | null)[]): string => words.filter(Boolean).join(' · ')
export const daysOf = (k: FieldCase): string =>
  k.days === null ? '' : `${k.finished ? '工期' : '已施工'} ${k.days} 天`
/** How it looks, and how big it is and what it costs: each has a line of its own on a card, so that none is cut. */
export const looksOf = (k: FieldCase): string => joined(k.style, k.layout)
export const sizeOf = (k: FieldCase): string => joined(k.areaRange, k.priceRange)
export const factsOf = (k: FieldCase): string => joined(looksOf(k), sizeOf(k))
