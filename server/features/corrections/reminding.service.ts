import { correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import {
  correctionSource,
  correctionTurn,
  type CorrectionTurn as Turn,
} from '@zhuguan/contract/features/corrections/corrections.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Tx } from '../../database/connect.ts'
import { correctionsPerson } from '../../kit/kept-from.ts'
import { float8, row, text, type RowOf, uuid, uuids } from '../../kit/row.ts'
import type { Reminder, ReminderSource } from '../notifications/reminders.service.ts'
import { whoseTurn } from '../notifications/turns.service.ts'
import { COLUMNS, JOINS } from './corrections.queries.ts'
import { linkOf, namedIn, urgeOf } from './correctors.ts'

const { correcting, open } = correctionStatus.code

/** Hours before it is due, and how long ago a reminder may have been due to be told at all. */
const SOON = 2
const PAST = 48
/** Hours after it is due: who supervises hears too, hears once more, and then every week until it is closed. */
const LATE = 24
const LATER = 72
const WEEK = 168

const late = row({
  id: uuid,
  source: text.of(correctionSource),
  turn: text.of(correctionTurn),
  problem: text,
  siteName: text,
  site_id: uuid,
  bc_id: uuid,
  about_id: uuid.null,
  assignee_id: uuid.null,
  corrector_ids: uuids,
  reminder: text,
  hours: float8,
})
/** Steps of this clock that have not been told; a clock that begins anew has steps of its own. */
async function steps(tx: Tx, tenant: string, alarms: boolean) {
  const { rows } = await tx.query(
    'corrections.remind',
    late,
    `SELECT q.id, q.source, q.turn, q.problem, q."siteName", q.site_id, q.bc_id, q.about_id, q.assignee_id,
       q.corrector_ids, q.reminder, q.hours
     FROM (
     SELECT ${COLUMNS}, ${correctionsPerson('k', 'about_id')} AS about_id,
       x.reminder || floor(extract(epoch FROM k.due_at))::text AS reminder, l.hours
     FROM corrections k
     ${JOINS}
     CROSS JOIN LATERAL (SELECT (extract(epoch FROM (:now - k.due_at)) / 3600)::float8 AS hours) l
     CROSS JOIN LATERAL (SELECT CASE
       WHEN l.hours < 0 THEN 'soon:'
       WHEN l.hours < ${LATE} THEN 'due:'
       WHEN l.hours < ${LATER} THEN 'late:'
       WHEN l.hours < ${WEEK} THEN 'later:'
       ELSE 'week' || floor(l.hours / ${WEEK})::text || ':' END AS reminder,
       CASE
       WHEN l.hours < ${LATE} THEN 0
       WHEN l.hours < ${LATER} THEN ${LATE}
       WHEN l.hours < ${WEEK} THEN ${LATER}
       ELSE floor(l.hours / ${WEEK}) * ${WEEK} END AS since) x
     WHERE k.tenant_id = $1 AND k.correction_status IN (1, 2) AND (k.source = 'alarm') = $2
       AND k.due_at <= :now + interval '${SOON} hours' AND l.hours - x.since <= ${PAST}
       AND NOT EXISTS (
         SELECT 1
         FROM reminders m
         WHERE m.tenant_id = $1 AND m.cause_kind = CASE WHEN $2 THEN 'alarm' ELSE 'correction' END
           AND m.cause_id = k.id::text
           AND m.step = x.reminder || floor(extract(epoch FROM k.due_at))::text)
     ORDER BY k.id
     LIMIT 500
     FOR UPDATE OF k SKIP LOCKED) q`,
    [tenant, alarms],
  )
  return rows
}
const LATES = {
  assign: 'lateAssign',
  correct: 'lateCorrect',
  verify: 'lateVerify',
  answer: 'lateAnswer',
} as const
const TODO: Readonly<Record<Turn, string>> = {
  assign: '指派',
  correct: '整改',
  verify: '复核',
  answer: '答复申诉',
  none: '处理',
}
/** Before it is due whoever corrects hears, at its time whoever's turn it is, after that who supervises too. */
async function reminderOf(
  tx: Tx,
  tenant: string,
  machine: 'alarm' | 'correction',
  c: RowOf<typeof late>,
): Promise<Reminder> {
  const what = `${c.siteName} 的“${c.problem}”`
  const isSoon = c.hours < 0
  const isLate = c.hours >= LATE
  const link = linkOf(c)
  const change = isLate && c.turn !== 'none' ? LATES[c.turn] : urgeOf(c.turn)
  const people = await whoseTurn(tx, machine, change, {
    tenant,
    place: { bc_id: c.bc_id, site_id: c.site_id },
    named: namedIn(c),
    link,
  })
  const days = c.hours < LATER ? '一' : String(Math.floor(c.hours / 24))
  const overdue = isLate ? `超期已满${days}天，仍未办结，请${TODO[c.turn]}` : `已超期，请${TODO[c.turn]}`
  return {
    id: c.id,
    step: c.reminder,
    user: isSoon && c.turn !== 'correct' ? [] : [...people.keys()],
    title: isSoon ? `${what}快到截止时间，请整改` : `${what}${overdue}`,
    link,
    site: c.site_id,
  }
}
const source = (kind: 'alarm' | 'correction'): ReminderSource => ({
  kind,
  many: (n) => ({
    title: `${n} 条${kind === 'alarm' ? '报警' : '整改'}快到或已过期限，请处理`,
    link: linkTo(kind === 'alarm' ? 'AlarmEvent' : 'Correction', { correctionStatus: [open, correcting] }),
  }),
  async due(tx, tenant) {
    const reminders: Reminder[] = []
    for (const c of await steps(tx, tenant, kind === 'alarm'))
      reminders.push(await reminderOf(tx, tenant, kind, c))
    return reminders
  },
})

export const correctionReminders: readonly ReminderSource[] = [source('alarm'), source('correction')]
