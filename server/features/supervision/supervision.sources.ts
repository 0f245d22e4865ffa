import { feedbackKind, feedbackStatus } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { taskState } from '@zhuguan/contract/features/patrols/plans.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { Figure } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import { warningEnd } from '@zhuguan/contract/features/warnings/warnings.record.ts'
import type { Code } from '@zhuguan/contract/kit/codes.ts'

import { correctionKept } from '../../kit/kept-from.ts'
import { dayBegins } from '../../kit/statement.ts'
import { isTold } from '../feedback/feedback.reads.ts'
import { ENDS, isKeptBy, isOver, type PromiseDay, whoseAt } from '../promises/kept-promises.reads.ts'
import { ledThen } from '../sites/leads.reads.ts'
import { columns, known, only, type Told } from './evidence.ts'
import { waiting } from './waiting.ts'

/**
 * What is supervised, each kind of record said once: figures count these rows and lists show them. Every statement has
 * the same first values: $1 the tenant, $2 the branch, $3 and $4 the first and last day, $5 who reads.
 */
const BEGIN = dayBegins('$3')
const END = dayBegins('($4::date + 1)')
export const within = (moment: string) => `${moment} >= ${BEGIN} AND ${moment} < ${END}`
const seconds = (from: string, to: string) => `greatest(extract(epoch FROM ${to} - ${from}), 0)::int`

/** The times in which somebody led a site of the branch that was not over before the span began. */
const LED = `SELECT l.of_site AS site_id, l.user_id, l.post, l.from_at, coalesce(l.to_at, 'infinity') AS to_at,
       w.start_date
     FROM site_leads l
     JOIN sites w ON w.tenant_id = $1 AND w.id = l.of_site AND w.bc_id = $2 AND w.deleted_at IS NULL
       AND (w.actual_finish IS NULL OR w.actual_finish >= $3::date)
       AND (w.terminated_at IS NULL OR w.terminated_at >= ${BEGIN})
     WHERE l.tenant_id = $1 AND l.from_at < ${END} AND (l.to_at IS NULL OR l.to_at > ${BEGIN})`
/** The person who has a post in the branch, and who led there in the span: also who has left since. */
const PEOPLE = `SELECT u.id, u.nickname,
       coalesce(u.post, (SELECT max(d.post) FROM led d WHERE d.user_id = u.id)) AS post,
       u.status <> 1 OR u.deleted_at IS NOT NULL AS stopped
     FROM users u
     WHERE u.tenant_id = $1 AND (u.id IN (SELECT d.user_id FROM led d)
       OR u.bc_id = $2 AND u.post IS NOT NULL AND u.status = 1 AND u.deleted_at IS NULL)`
const HOMES = `SELECT d.user_id AS person, d.site_id, min(d.from_at) AS since,
       least(max(d.to_at), ${END}, :now) AS at
     FROM led d
     WHERE d.start_date <= $4::date AND d.from_at <= :now
     GROUP BY d.user_id, d.site_id`

/** Occurrences whose window ended in the span and of which it is decided what became of them. */
const tasks = (told: Told) => `${columns('task', {
  id: 't.id',
  person: 'x.person',
  site: 't.site_id',
  since: 't.opens_at',
  at: 't.closes_at',
  took: 'NULL',
  bad: 't.outcome IS NULL',
})}
     FROM patrol_tasks t
     CROSS JOIN LATERAL unnest(t.user_ids) AS x(person)
     WHERE t.tenant_id = $1 AND t.bc_id = $2 AND ${within('t.closes_at')}
       AND t.outcome IS DISTINCT FROM ${taskState.code.excused}
       AND (t.outcome IS NOT NULL OR t.lapses_at <= :now) ${only(told.tasks)}`

/** A correction of a feedback may be kept from whom it is about or from who asks (docs/decisions/0580). */
export const OPEN_TO_BOTH = `(NOT s.may_hide OR EXISTS (SELECT FROM corrections k
       WHERE k.tenant_id = $1 AND k.id = s.correction_id AND NOT ${correctionKept('k', 's.user_id')}
         AND NOT ${correctionKept('k', '$5')}))`
/** Corrections `s` for each of their people (docs/decisions/0667), at one of their moments in the span. */
const came = (told: Told, moment: string) => `FROM people p
     JOIN supervised_corrections s ON s.tenant_id = $1 AND s.user_id = p.id AND s.bc_id = $2
       AND ${within(moment)} AND ${moment} <= :now
     WHERE ${OPEN_TO_BOTH} ${only(told.corrections)}`
const correction = (told: Told, moment: string, took: string, bad: string) => `${columns('correction', {
  id: 's.correction_id',
  person: 's.user_id',
  site: 's.of_site',
  since: 's.since',
  at: moment,
  took,
  bad,
})}
     ${came(told, moment)}`
/** Their time ran out while somebody had them. */
const late = (told: Told) => correction(told, 's.ran_out', 'NULL', '1')
/** They were verified, and count on the day on which they were handed in. */
const handed = (told: Told) => correction(told, 's.handed', 's.took', '0')
/** From when somebody first had a correction until they first did something about it. */
const responses = (told: Told) => correction(told, 's.acted', 's.response', '0')

/** Whoever kept the home then: its steward, without one its manager. */
const keeper = (
  site: string,
  moment: string,
) => `LEFT JOIN LATERAL (SELECT l.user_id, l.from_at FROM site_leads l
       WHERE ${ledThen(site, moment)}
       ORDER BY l.post = ${principalPost.code.steward} DESC
       LIMIT 1) b ON true`
const STAFF = `m.side = 'staff' AND m.taken_at IS NULL`
/** What a home said, and the first answer to it. What needed none (silence) is no answer, and no wait either. */
const words = (told: Told) => `${columns('thread', {
  id: 'm.id',
  person: 'b.user_id',
  site: 'm.site_id',
  since: 'q.at',
  at: 'm.at',
  took: seconds('greatest(q.at, b.from_at)', 'm.at'),
  bad: '0',
})}
     FROM thread_messages m
     CROSS JOIN LATERAL (SELECT min(o.at) AS at FROM thread_messages o
       WHERE o.tenant_id = $1 AND o.site_id = m.site_id AND o.side = 'owner' AND o.taken_at IS NULL AND o.seq < m.seq
         AND o.seq > coalesce((SELECT max(s.seq) FROM thread_messages s
           WHERE s.tenant_id = $1 AND s.site_id = m.site_id AND s.side = 'staff' AND s.taken_at IS NULL
             AND s.kind <> 'progress' AND s.seq < m.seq), 0)) q
     ${keeper('m.site_id', 'm.at')}
     WHERE m.tenant_id = $1 AND m.bc_id = $2 AND ${STAFF} AND m.kind = 'words' AND ${within('m.at')}
       AND q.at IS NOT NULL AND b.user_id IS NOT NULL ${only(told.words)}`
const answers = (told: Told) => `${columns('feedback', {
  id: 'f.id',
  person: 'coalesce(f.assignee_id, b.user_id)',
  site: 'f.site_id',
  since: 'f.entered_at',
  at: 'f.answered_at',
  took: seconds('f.entered_at', 'f.answered_at'),
  bad: '0',
})}
     FROM feedback f
     ${keeper('f.site_id', 'f.answered_at')}
     WHERE f.tenant_id = $1 AND f.bc_id = $2 AND ${within('f.answered_at')}
       AND ${known('coalesce(f.assignee_id, b.user_id)')} AND coalesce(f.assignee_id, b.user_id) IS NOT NULL
       AND NOT EXISTS (SELECT FROM feedback_events e
         WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND e.act = 'transfer' AND e.at > f.answered_at)
       ${only(told.feedback)}`
/**
 * About them, or of a home that they led when it was entered, though it was finished long before. `kept`: those that
 * are kept from them, apart.
 */
const complaints = (told: Told, kept: boolean) => `${columns('feedback', {
  id: 'f.id',
  person: 'x.person',
  site: 'f.site_id',
  since: 'f.entered_at',
  at: 'f.entered_at',
  took: 'NULL',
  bad: '1',
})}
     FROM feedback f
     CROSS JOIN LATERAL (SELECT l.user_id AS person FROM site_leads l
         WHERE ${ledThen('f.site_id', 'f.entered_at')}
       UNION SELECT f.about_id WHERE f.about_id IS NOT NULL) x
     WHERE f.tenant_id = $1 AND f.bc_id = $2 AND f.kind = '${feedbackKind.code.complaint}'
       AND f.status <> ${feedbackStatus.code.cancelled} AND ${within('f.entered_at')}
       AND ${kept ? `f.hidden_from = x.person AND ${isTold('$5')}` : known('x.person')} ${only(told.feedback)}`

const promises = (told: Told, day: PromiseDay) => `${columns('promise', {
  id: 'p.id',
  person: whoseAt(day),
  site: 'p.site_id',
  since: 'p.made_at',
  at: dayBegins(day),
  took: 'NULL',
  bad: `NOT coalesce(${isKeptBy(day)}, false)`,
})}
     FROM promises p
     ${ENDS}
     WHERE p.tenant_id = $1 AND p.bc_id = $2 AND ${day} BETWEEN $3::date AND $4::date AND ${isOver(day)}
       ${only(told.promises)}`
const { done, hand, replanned } = warningEnd.code
/** The leader of the site when they ended in one of these ways. */
const warnings = (told: Told, ...ends: Code<typeof warningEnd>[]) => `${columns('warning', {
  id: 'v.id',
  person: 'l.user_id',
  site: 'v.site_id',
  since: 'v.opened_at',
  at: 'v.closed_at',
  took: 'NULL',
  bad: `v.ended = '${replanned}'`,
})}
     FROM warnings v
     JOIN site_leads l ON ${ledThen('v.site_id', 'v.closed_at')}
     WHERE v.tenant_id = $1 AND v.bc_id = $2 AND ${within('v.closed_at')}
       AND v.ended IN (${ends.map((end) => `'${end}'`).join(', ')})
       ${only(told.warnings)}`

const SITES = `${columns('site', {
  id: 'w.id',
  person: 'x.person',
  site: 'w.id',
  since: 'NULL::timestamptz',
  at: dayBegins('coalesce(w.start_date, w.planned_start, $3::date)'),
  took: 'NULL',
  bad: '0',
})}
     FROM sites w
     CROSS JOIN LATERAL (SELECT w.steward_id AS person WHERE w.steward_id IS NOT NULL
       UNION SELECT w.manager_id WHERE w.manager_id IS NOT NULL) x
     WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = ${siteStatus.code.building} AND w.deleted_at IS NULL`

/** All of them by name, before a SELECT; what a statement does not read is not worked out. */
export const sources = (told: Told): string => `WITH led AS MATERIALIZED (${LED}),
   people AS MATERIALIZED (${PEOPLE}),
   homes AS (${HOMES}),
   s_task AS (${tasks(told)}),
   s_late AS (${late(told)}),
   s_corrected AS (${handed(told)}),
   s_response AS (${responses(told)}),
   s_answer AS (${words(told)} UNION ALL ${answers(told)}),
   s_complaint AS (${complaints(told, false)}),
   s_kept AS (${complaints(told, true)}),
   s_first AS (${promises(told, 'p.first_due')}),
   s_present AS (${promises(told, 'p.due')}),
   s_warning AS (${warnings(told, done, replanned)}),
   s_hand AS (${warnings(told, hand)}),
   s_waiting AS (${waiting(told)}),
   s_site AS (${SITES})`

/** The records of a figure among them. */
export const RECORDS: Readonly<Record<Figure, string>> = {
  open: 's_waiting r',
  sites: 's_site r',
  homes: `(SELECT 'site' AS kind, h.site_id AS id, h.person, h.site_id, h.since, h.at, NULL::int AS took, 0 AS bad
     FROM homes h) r`,
  planned: 's_task r',
  patrolled: '(SELECT * FROM s_task x WHERE x.bad = 0) r',
  missed: '(SELECT * FROM s_task x WHERE x.bad = 1) r',
  answered: 's_answer r',
  responded: 's_response r',
  corrected: 's_corrected r',
  late: 's_late r',
  complaints: 's_complaint r',
  kept: 's_kept r',
  firstDue: 's_first r',
  firstBroken: '(SELECT * FROM s_first x WHERE x.bad = 1) r',
  presentDue: 's_present r',
  presentBroken: '(SELECT * FROM s_present x WHERE x.bad = 1) r',
  done: '(SELECT * FROM s_warning x WHERE x.bad = 0) r',
  replanned: '(SELECT * FROM s_warning x WHERE x.bad = 1) r',
  // The cause may go on: neither done nor moved, and so in no rank.
  byHand: 's_hand r',
}
