import { z } from 'zod'

import { defineCodes } from '../../kit/codes.ts'
import { logged } from '../../kit/logged.ts'
import { contactRelation } from '../owners/owners.record.ts'
import { threadChannel, threadSide } from './thread-page.record.ts'

/** A line: words with pictures, that nothing has to be said to what stands before it, or what was done today. */
export const threadKind = defineCodes('threadKind', '留言种类', {
  words: ['words', '留言'],
  silence: ['silence', '无需回复'],
  progress: ['progress', '今日进度'],
})
/** What a message was made into. */
export const threadOutcome = defineCodes('threadOutcome', '转为', {
  feedback: ['feedback', '反馈'],
  promise: ['promise', '承诺'],
  reception: ['reception', '到访'],
  question: ['question', '待业主决定'],
})

/** So many a branch keeps. */
export const MOST_TEMPLATES = 30

export const threadMessage = z.object({
  id: z.string(),
  /** Its place in the thread. */
  seq: z.number().int(),
  kind: threadKind.schema,
  side: threadSide.schema,
  channel: threadChannel.schema,
  who: z.string(),
  /** The member of staff who wrote down what the home said; empty where the words are their own. */
  enteredBy: z.string(),
  user_id: z.string().nullable(),
  words: z.string(),
  pictures: z.array(z.string()),
  at: z.number().int(),
  takenAt: z.number().int().nullable(),
  /** The first sight of our line by somebody of the home, and who it was; nobody: unread since `at`. */
  seenAt: z.number().int().nullable(),
  seenBy: z.string(),
  /** Of the home, and nobody has answered it yet. */
  waits: z.boolean(),
})
export type ThreadMessage = z.output<typeof threadMessage>

export const threadDetail = z.object({
  site_id: z.string(),
  siteName: z.string(),
  bc_id: z.string(),
  ownerName: z.string(),
  steward_id: z.string().nullable(),
  /** When the present owner's time began: what was said before is somebody else's. */
  since: z.number().int().nullable(),
  /** The place of the newest line; whoever sends says that they have seen it. */
  newest: z.number().int(),
  waitingSince: z.number().int().nullable(),
  dueAt: z.number().int().nullable(),
  /** Who of the home may have said something. */
  contacts: z.array(z.object({ id: z.string(), name: z.string(), relation: contactRelation.schema })),
  /** What was made of its messages. */
  outcomes: z.array(z.object({ message_id: z.string(), kind: threadOutcome.schema, id: z.string() })),
  templates: z.array(z.string()),
  templatesVersion: z.number().int(),
})
export type ThreadDetail = z.output<typeof threadDetail>

/** What the user log tells of a thread: that something was said, never what. */
export const threadLog = logged('业主互动', {
  site_id: ['工地', 'site'],
  side: ['谁说的', threadSide],
  channel: ['渠道', threadChannel],
  pictures: '照片',
  outcome: ['转为', threadOutcome],
  texts: '常用语',
  from: '从',
  to: '到',
  text: ['说明', 'personal'],
})
