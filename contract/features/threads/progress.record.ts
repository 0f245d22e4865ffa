import { z } from 'zod'

/** An item of today that may be told, in the words of the house. */
const happened = z.object({ key: z.string(), text: z.string() })
/** A picture that an inspector took in the home today. */
const shot = z.object({
  key: z.string(),
  /** The record that was looked at. */
  title: z.string(),
  /** It shows what was not in order: proposed, but chosen by hand. */
  failed: z.boolean(),
  at: z.number().int(),
})

/** What is proposed to be told to a home of this day. */
export const progressProposal = z.object({
  site_id: z.string(),
  siteName: z.string(),
  ownerName: z.string(),
  /** The place of the newest line; whoever sends says that they have seen it. */
  newest: z.number().int(),
  /** Words of the home wait for an answer, which this is not. */
  waits: z.boolean(),
  day: z.string(),
  happened: z.array(happened),
  pictures: z.array(shot),
  /** What was already told of today, the newest first. */
  sent: z.array(z.object({ at: z.number().int(), who: z.string() })),
})
export type ProgressProposal = z.output<typeof progressProposal>

/** A home of today: how much there is to tell, and whether it was told. */
export const progressHome = z.object({
  site_id: z.string(),
  siteName: z.string(),
  ownerName: z.string(),
  happened: z.number().int(),
  pictures: z.number().int(),
  sentAt: z.number().int().nullable(),
})
export type ProgressHome = z.output<typeof progressHome>

/** The message that is written of what was chosen; whoever sends it edits it. */
export const progressWords = (day: string, happened: readonly { text: string }[]): string => {
  const [, month, date] = day.split('-').map(Number)
  return `今日进度（${month}月${date}日）：${happened.map((h) => h.text).join('；')}`
}
