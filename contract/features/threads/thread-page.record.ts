import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { typed, uploaded } from '../../kit/fields.ts'

/** The person who speaks in the thread of a home. */
export const threadSide = defineCodes('threadSide', '谁说的', {
  owner: ['owner', '业主'],
  staff: ['staff', '我们'],
})
/** By which way it was said; what was said elsewhere is written down by staff. */
export const threadChannel = defineCodes('threadChannel', '渠道', {
  page: ['page', '业主页面'],
  phone: ['phone', '电话'],
  wechat: ['wechat', '微信'],
  meet: ['meet', '当面'],
})

/** So long own words may be taken back, in seconds. */
export const TAKE_BACK_S = 120
export const MOST_WORDS = 1_000
export const MOST_PICTURES = 6
/** Words, pictures, or both. */
export const said = {
  words: typed()
    .max(MOST_WORDS, { error: `一条最多 ${MOST_WORDS} 个字` })
    .default('')
    .meta({ title: '留言' }),
  pictures: z
    .array(uploaded)
    .max(MOST_PICTURES, { error: `最多 ${MOST_PICTURES} 张照片` })
    .default([])
    .meta({ title: '照片' }),
}

/** A line as whoever is of the home reads it: of us the post and the surname, and nothing of who else is told. */
export const ownMessage = z.object({
  id: z.string(),
  seq: z.number().int(),
  side: threadSide.schema,
  channel: threadChannel.schema,
  who: z.string(),
  words: z.string(),
  pictures: z.array(z.string()),
  at: z.number().int(),
  isTaken: z.boolean(),
  /** The reader’s own words from the page: they may be taken back for a while. */
  mine: z.boolean(),
})
export type OwnMessage = z.output<typeof ownMessage>
export const ownThread = z.object({
  messages: z.array(ownMessage),
  /** There are earlier ones. */
  more: z.boolean(),
  /** The clock of the server, by which the time to take something back runs. */
  now: z.number().int(),
})
export type OwnThread = z.output<typeof ownThread>
