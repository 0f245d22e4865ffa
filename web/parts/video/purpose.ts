import type { viewPurpose } from '@zhuguan/contract/features/video/purposes.record.ts'
import type { Code } from '@zhuguan/contract/kit/codes.ts'

/** The reason why somebody looks; `said` where they said it themselves. */
export interface Purpose {
  purpose: Code<typeof viewPurpose>
  words: string
  said: boolean
}
