import { z } from 'zod'

import { siteStage } from '../sites/sites.record.ts'

/** A question as the home reads it: staff by post and surname, and of their words only what is asked. */
export const ownerQuestion = z.object({
  id: z.string(),
  words: z.string(),
  options: z.array(z.string()),
  neededBy: z.string(),
  rest: z.boolean(),
  /** Days past it, while nothing is decided: the works wait for the home. */
  lateDays: z.number().int().nullable(),
  stage: siteStage.schema.nullable(),
  pictures: z.array(z.string()),
  costs: z.boolean(),
  estimate: z.string(),
  /** 项目管家 李 */
  askedBy: z.string(),
  askedAt: z.number().int(),
  answered: z.boolean(),
  /** The reason why it is not asked any more; nothing while it is. */
  withdrawnFor: z.string(),
  closedAt: z.number().int().nullable(),
  answers: z.array(
    z.object({
      name: z.string(),
      /** Of whoever looks. */
      own: z.boolean(),
      choice: z.number().int().nullable(),
      words: z.string(),
      counts: z.boolean(),
      at: z.number().int(),
      /** Staff wrote it down for them. */
      recorded: z.boolean(),
    }),
  ),
  /** Whoever looks may still say something. */
  mayAnswer: z.boolean(),
})
export type OwnerQuestion = z.output<typeof ownerQuestion>
