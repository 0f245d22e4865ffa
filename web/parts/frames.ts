import type { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { Code } from '@zhuguan/contract/kit/codes.ts'

export interface Frame {
  key: string
  day: string
  stage: Code<typeof siteStage> | null
}
/** The pictures of a home that are a film, in the order of their days. */
export const framesOf = (k: { film: readonly string[]; pictures: readonly Frame[] }): Frame[] =>
  k.film.flatMap((key) => k.pictures.filter((p) => p.key === key))
