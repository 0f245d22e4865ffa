import { feedbackLevel } from '@zhuguan/contract/features/feedback/feedback.record.ts'

import type { Tx } from '../../database/connect.ts'
import { clocksOf } from '../settings/business-time.reads.ts'
import { settingOf } from '../settings/settings.reads.ts'
import type { FeedbackChange } from './feedback.queries.ts'

const HOUR_MS = 3_600_000
/** So much of a clock has run when whoever has it is reminded. */
const WARN = 0.75

export interface Place {
  tenant: string
  bc: string
}
type Level = FeedbackChange['level']
type Clock = 'Answer' | 'Close'

/** The clock of a level in a branch: day and night for what is urgent, by its hours of work for the rest. */
export async function timeOf(tx: Tx, { bc, tenant }: Place, level: Level) {
  if (level === feedbackLevel.code.urgent)
    return {
      after: (from: Date, ms: number) => new Date(from.getTime() + ms),
      between: (from: Date, to: Date) => to.getTime() - from.getTime(),
    }
  const clocks = await clocksOf(tx, 'feedbackEscalateHours', [{ tenant, bc }])
  return {
    after: (from: Date, ms: number) => clocks.after(bc, from, ms),
    between: (from: Date, to: Date) => clocks.between(bc, from, to),
  }
}

/** A clock that starts at `from`: where three quarters of it have run, and where it ends. */
export async function clockFrom(tx: Tx, place: Place, clock: Clock, level: Level, from: Date) {
  const hours = await settingOf<number>(tx, place.tenant, place.bc, `feedback${clock}Hours.${level}`)
  const time = await timeOf(tx, place, level)
  return { warn: time.after(from, hours * WARN * HOUR_MS), due: time.after(from, hours * HOUR_MS) }
}

/** The next step up, where nothing has been done meanwhile. */
export async function nextStep(tx: Tx, place: Place, level: Level, from: Date): Promise<Date> {
  const hours = await settingOf<number>(tx, place.tenant, place.bc, 'feedbackEscalateHours')
  return (await timeOf(tx, place, level)).after(from, hours * HOUR_MS)
}

/** Both clocks for a higher level: what ends sooner counts. */
export async function soonerFor(
  tx: Tx,
  place: Place,
  f: FeedbackChange,
  level: Level,
  now: Date,
): Promise<FeedbackChange> {
  const answer = await clockFrom(tx, place, 'Answer', level, now)
  const close = await clockFrom(tx, place, 'Close', level, now)
  const to = { ...f, level }
  if (f.answered_at === null && answer.due < f.answer_due_at)
    Object.assign(to, { answer_due_at: answer.due, answer_warn_at: answer.warn })
  if (f.close_due_at && close.due < f.close_due_at)
    Object.assign(to, { close_due_at: close.due, close_warn_at: close.warn })
  return to
}

/** A pause ends: the clock of closing goes on with what was left of it, and the time that it stood is remembered. */
export async function resumed(tx: Tx, place: Place, f: FeedbackChange, at: Date): Promise<FeedbackChange> {
  if (!f.paused_at || !f.paused_until) return f
  const began = f.paused_at
  // A clock that was put off, and one that stopped, ends where it was to end at the latest.
  const end = at < f.paused_until ? at : f.paused_until
  const time = await timeOf(tx, place, f.level)
  const shifted = (moment: Date | null) =>
    moment && moment > began ? time.after(end, time.between(began, moment)) : moment
  return {
    ...f,
    close_warn_at: shifted(f.close_warn_at),
    close_due_at: shifted(f.close_due_at),
    paused_at: null,
    paused_until: null,
    pause_for: null,
    pause_text: '',
    paused_s: f.paused_s + Math.max(0, Math.floor((end.getTime() - began.getTime()) / 1000)),
  }
}
