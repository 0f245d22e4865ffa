import { z } from 'zod'

import { feedbackKind, feedbackStatus } from '../feedback/feedback.record.ts'
import { promiseState } from '../promises/promises.record.ts'
import { siteStage, siteStatus, stageState } from '../sites/sites.record.ts'
import { homeDevice } from './home-devices.record.ts'

/** What an owner reads of a promise, and whether they may still say that it was not kept. */
export const homePromise = z.object({
  id: z.string(),
  content: z.string(),
  due: z.string(),
  firstDue: z.string(),
  state: promiseState.schema,
  late: z.boolean(),
  keptAt: z.number().int().nullable(),
  objected: z.boolean(),
  /** Kept less than a week ago, and not objected to. */
  mayObject: z.boolean(),
  /** What proves that it was kept. */
  pictures: z.array(z.string()),
})
export type HomePromise = z.output<typeof homePromise>

/** What an owner reads of a feedback: their words, where it stands, until when somebody answers. */
export const homeFeedback = z.object({
  id: z.string(),
  no: z.string(),
  kind: feedbackKind.schema,
  words: z.string(),
  status: feedbackStatus.schema,
  enteredAt: z.number().int(),
  dueAt: z.number().int().nullable(),
  overdue: z.boolean(),
  closedAt: z.number().int().nullable(),
  /** What was done about it. */
  result: z.string(),
  score: z.number().int().nullable(),
  mayScore: z.boolean(),
  mayReopen: z.boolean(),
})
export type HomeFeedback = z.output<typeof homeFeedback>

/** All that a bound device of a contact is told of the home: nobody who works there, no alarm, no price. */
export const homePage = z.object({
  name: z.string(),
  ws_name: z.string(),
  status: siteStatus.schema,
  startDate: z.string().nullable(),
  plannedFinish: z.string().nullable(),
  actualFinish: z.string().nullable(),
  /** The last day of the warranty of a finished home. */
  warrantyUntil: z.string().nullable(),
  /** By post and surname: 项目管家 王. */
  steward: z.string(),
  stages: z.array(
    z.object({
      stage: siteStage.schema,
      state: stageState.schema,
      plannedStart: z.string().nullable(),
      plannedFinish: z.string().nullable(),
      actualStart: z.string().nullable(),
      actualFinish: z.string().nullable(),
    }),
  ),
  /** What happened in the last seven days, the newest first. */
  week: z.array(z.object({ at: z.number().int(), text: z.string() })),
  promises: z.array(homePromise),
  feedback: z.array(homeFeedback),
  devices: z.array(homeDevice.extend({ mine: z.boolean() })),
  /** When all of this was so. */
  at: z.number().int(),
})
export type HomePage = z.output<typeof homePage>

/** A device that nobody has allowed yet is told its code, and one that was removed that it was. */
export const homeState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('asking'), code: z.string() }),
  z.object({ state: z.literal('removed') }),
  z.object({ state: z.literal('bound'), page: homePage }),
])
export type HomeState = z.output<typeof homeState>
