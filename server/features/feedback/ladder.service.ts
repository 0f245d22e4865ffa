import { TOP_RUNG } from '@zhuguan/contract/features/feedback/feedback.actions.ts'
import {
  feedbackKind,
  feedbackLevel,
  feedbackStatus,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'
import type { RoleCode } from '@zhuguan/contract/kit/page.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { SYSTEM_NAME } from '../../kit/nobody.ts'
import { bool, int2, int4, row, type RowOf, text, timestamptz, uuid } from '../../kit/row.ts'
import { wholeGroup } from '../../kit/scoped.ts'
import { FEEDBACK_DUE as DUE } from '../deadlines/feedback-due.reads.ts'
import type { Reminder, ReminderSource } from '../notifications/reminders.service.ts'
import { whoIsHere, whoseIt, whoseTurn } from '../notifications/turns.service.ts'
import { settingOf } from '../settings/settings.reads.ts'
import { holdersOf } from '../users/role-holders.reads.ts'
import { standingOf } from '../users/standing.reads.ts'
import { nextStep } from './clocks.ts'
import { HANDLE, nameOf, namedIn, noticeOf, tellAct } from './feedback-telling.ts'
import { KEEPER, OPEN } from './feedback.reads.ts'
import { addSupervisors, supervisorsOf } from './ladder.queries.ts'
import { endPauses } from './pausing.service.ts'
import { closeSettled } from './settled.service.ts'

const { handling, open } = feedbackStatus.code

/** Who is brought in, step after step. */
const RUNGS: readonly RoleCode[] = ['service', 'branch_gm', 'hq_ops']
const WORDS = ['', '升级到客服', '升级到分公司总经理', '升级到集团运营']

interface Climbing {
  id: string
  bc_id: string
  site_id: string
  about_id: string | null
  assignee_id: string | null
  rung: number
}
/** The person whom the branch names for a step, or who stands in; where it names nobody, all who hold the post. */
async function peopleOf(tx: Tx, tenant: string, f: Climbing, rung: number) {
  const except = [f.about_id, f.assignee_id]
  const named = await settingOf<string>(tx, tenant, f.bc_id, `escalatePerson.${rung as 1 | 2 | 3}`)
  if (!named) return holdersOf(tx, { tenant, site: f.site_id, role: RUNGS[rung - 1]!, right: HANDLE, except })
  const ids = await whoIsHere(tx, {
    tenant,
    among: [named],
    except: except.filter((id) => id !== null),
    label: HANDLE,
    page: 'FeedbackList',
    place: { bc_id: f.bc_id, site_id: f.site_id },
    receiver: false,
  })
  return standingOf(tx, wholeGroup(tenant), { people: ids, bc: null })
}

/**
 * One step up: whoever holds the next post there hears of it from now on, and the assignee keeps it. A post that nobody
 * has, or whose people have it already, is stepped over; nothing where nobody is left.
 */
export async function climb(tx: Tx, tenant: string, f: Climbing) {
  const known = (await supervisorsOf(tx, tenant, f.id)).map((s) => s.id)
  for (let rung = f.rung + 1; rung <= TOP_RUNG; rung += 1) {
    const people = await peopleOf(tx, tenant, f, rung)
    if (people.length === 0) continue
    const ids = people.map((p) => p.id)
    await addSupervisors(tx, { tenant, feedback: f.id, people: ids, rung })
    // Brought in before a reopening, they are told all the same: it is their turn to look again.
    if (f.rung > 0 && ids.every((id) => known.includes(id))) continue
    return { rung, people: ids, words: `${WORDS[rung]} ${people.map((p) => p.nickname).join('、')}` }
  }
  return undefined
}

const late = row({
  id: uuid,
  no: text,
  kind: text.of(feedbackKind),
  level: int2.of(feedbackLevel),
  status: int2.of(feedbackStatus),
  bc_id: uuid,
  site_id: uuid,
  siteName: text,
  hidden_from: uuid.null,
  about_id: uuid.null,
  assignee_id: uuid.null,
  steward_id: uuid.null,
  rung: int2,
  climbed_at: timestamptz.null,
  due: timestamptz,
  round: int4,
  isLate: bool,
})
type Late = RowOf<typeof late>
/** What of a clock has run three quarters and was not told, or has run out and has steps to go. */
async function waiting(tx: Tx, tenant: string): Promise<Late[]> {
  const answering = `(f.answered_at IS NULL AND f.answer_warn_at <= :now)`
  const closing = `(f.paused_at IS NULL AND f.close_warn_at <= :now)`
  const { rows } = await tx.query(
    'feedback.waiting',
    late,
    `SELECT f.id, f.no, f.kind, f.level, f.status, f.bc_id, f.site_id, w.ws_name AS "siteName", f.hidden_from,
       f.about_id, f.assignee_id, ${KEEPER} AS steward_id, f.rung, f.climbed_at, x.due, f.round,
       x.due <= :now AS "isLate"
     FROM feedback f
     JOIN sites w ON w.tenant_id = $1 AND w.id = f.site_id
     CROSS JOIN LATERAL (SELECT ${DUE} AS due) x
     WHERE f.tenant_id = $1 AND ${OPEN} AND (${answering} OR ${closing}) AND x.due IS NOT NULL
       AND CASE
         WHEN x.due <= :now THEN f.rung < ${TOP_RUNG}
         ELSE NOT EXISTS (
           SELECT FROM reminders m
           WHERE m.tenant_id = $1 AND m.cause_kind = 'feedback' AND m.cause_id = f.id::text
             AND m.step = 'warn:' || floor(extract(epoch FROM x.due))::text) END
     ORDER BY f.id
     LIMIT 500
     FOR UPDATE OF f SKIP LOCKED`,
    [tenant],
  )
  return rows
}

/**
 * The step that is due by now. One at a look: the hours to the next are counted from when this one is told, so that
 * after a day on which nobody could take them its people have their time all the same.
 */
async function step(tx: Tx, tenant: string, f: Late): Promise<Reminder | undefined> {
  const { link, place } = noticeOf(f)
  const at =
    f.climbed_at && f.climbed_at >= f.due
      ? await nextStep(tx, { tenant, bc: f.bc_id }, f.level, f.climbed_at)
      : f.due
  if (at > tx.now) return undefined
  const up = await climb(tx, tenant, f)
  const rung = up?.rung ?? TOP_RUNG
  await tx.run(
    'feedback.climb',
    'UPDATE feedback SET rung = $3, climbed_at = :now WHERE tenant_id = $1 AND id = $2',
    [tenant, f.id, rung],
  )
  if (!up) return undefined
  const named = { ...namedIn(f), followers: up.people }
  const told = await whoseTurn(tx, 'feedback', 'step', { tenant, place, link, named })
  await tellAct(tx, { tenant, nickname: SYSTEM_NAME }, f, { act: 'escalate', words: `超期，${up.words}` })
  return {
    id: f.id,
    step: `step${rung}:${f.round}:${f.due.getTime()}`,
    user: [...told.keys()],
    title: `${nameOf(f)}超过期限，升级到您这里，请督促`,
    link,
    site: f.site_id,
    whose: whoseIt('feedback', 'step', named),
  }
}

/** Three quarters of its time have run: whoever has it hears once. */
async function warning(tx: Tx, tenant: string, f: Late): Promise<Reminder> {
  const { link, place } = noticeOf(f)
  const isOpen = f.status === feedbackStatus.code.open
  const about = { tenant, place, link, named: namedIn(f) }
  const change = isOpen ? 'warnOpen' : 'warn'
  const people = await whoseTurn(tx, 'feedback', change, about)
  return {
    id: f.id,
    step: `warn:${Math.floor(f.due.getTime() / 1000)}`,
    user: [...people.keys()],
    title: `${nameOf(f)}快到期限，请${isOpen ? '受理' : '处理'}`,
    link,
    site: f.site_id,
    whose: whoseIt('feedback', change, about.named),
  }
}

/** Pauses that are over, homes whose contract is settled, then what is late: each reminder and step once. */
export const feedbackReminders: ReminderSource = {
  kind: 'feedback',
  many: (n) => ({
    title: `${n} 条反馈快到或已过期限，请处理或督促`,
    link: linkTo('FeedbackList', { status: [open, handling] }),
  }),
  async due(tx, tenant) {
    await endPauses(tx, tenant)
    await closeSettled(tx, tenant)
    const reminders: Reminder[] = []
    for (const f of await waiting(tx, tenant)) {
      const one = f.isLate ? await step(tx, tenant, f) : await warning(tx, tenant, f)
      if (one) reminders.push(one)
    }
    return reminders
  },
}
