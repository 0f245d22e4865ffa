import { z } from 'zod'

import { feedbackKind, feedbackPause, feedbackStatus } from '../feedback/feedback.record.ts'
import { promiseAct, promiseState } from '../promises/promises.record.ts'
import { receptionPurpose, receptionState } from '../receptions/receptions.record.ts'
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
  /** Days after its day on which it was kept; 0 in time, and where it is not. */
  lateDays: z.number().int(),
  objected: z.boolean(),
  /** Kept less than a week ago, and not objected to. */
  mayObject: z.boolean(),
  /** The proof that it was kept. */
  pictures: z.array(z.string()),
  /** What was last said of it: put off, judged, not kept or taken back; when and why. */
  said: promiseAct.schema.nullable(),
  saidAt: z.number().int().nullable(),
  saidFor: z.string(),
})
export type HomePromise = z.output<typeof homePromise>

/** A feedback as an owner reads it: their words, its state, and the time until which somebody answers. */
export const homeFeedback = z.object({
  id: z.string(),
  no: z.string(),
  kind: feedbackKind.schema,
  words: z.string(),
  /** Staff wrote it down for them: said on the telephone, in the shop, or by nobody. */
  recorded: z.boolean(),
  status: feedbackStatus.schema,
  enteredAt: z.number().int(),
  dueAt: z.number().int().nullable(),
  overdue: z.boolean(),
  /** The last words to the owner in this round. */
  answeredAt: z.number().int().nullable(),
  answer: z.string(),
  /** While it waits: since when and until when, for whom, and for what. */
  pausedAt: z.number().int().nullable(),
  pausedUntil: z.number().int().nullable(),
  pauseFor: feedbackPause.schema.nullable(),
  pauseText: z.string(),
  /** When it was closed or cancelled. */
  closedAt: z.number().int().nullable(),
  /** The answer that was given to it. */
  result: z.string(),
  /** The reason why it was cancelled, and the other one that it repeats or follows. */
  cancelledFor: z.string(),
  ofNo: z.string().nullable(),
  score: z.number().int().nullable(),
  /** Typed by staff for them (代填): their own takes its place. */
  typed: z.boolean(),
  mayScore: z.boolean(),
  mayReopen: z.boolean(),
})
export type HomeFeedback = z.output<typeof homeFeedback>

/** When somebody of the home is expected at the site, by whom, and what became of it. */
export const homeVisit = z.object({
  id: z.string(),
  at: z.number().int(),
  purpose: receptionPurpose.schema,
  state: receptionState.schema,
  endedAt: z.number().int().nullable(),
  /** Why nobody came, or it was called off. */
  why: z.string(),
  /** 项目管家 王 */
  host: z.string(),
  score: z.number().int().nullable(),
  /** Typed by staff for them (代填): their own takes its place. */
  typed: z.boolean(),
  /** Over for less than a week, and not scored by themselves. */
  mayScore: z.boolean(),
})
export type HomeVisit = z.output<typeof homeVisit>

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
  /** The events of the last seven days, the newest first. */
  week: z.array(z.object({ at: z.number().int(), text: z.string() })),
  visits: z.array(homeVisit),
  promises: z.array(homePromise),
  feedback: z.array(homeFeedback),
  /** Of the company a surname is enough there. */
  devices: z.array(homeDevice.omit({ boundBy: true }).extend({ mine: z.boolean() })),
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
