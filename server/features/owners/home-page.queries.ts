import { consentHow, consentState } from '@zhuguan/contract/features/consents/consents.record.ts'
import {
  feedbackChannel,
  feedbackKind,
  feedbackPause,
  feedbackStatus,
} from '@zhuguan/contract/features/feedback/feedback.record.ts'
import type {
  HomeFeedback,
  HomePage,
  HomePromise,
} from '@zhuguan/contract/features/owners/home-page.record.ts'
import { promiseAct, promiseState } from '@zhuguan/contract/features/promises/promises.record.ts'
import { siteStage, siteStatus, stageState } from '@zhuguan/contract/features/sites/sites.record.ts'
import { principalPost } from '@zhuguan/contract/features/users/users.record.ts'
import { SCORE_DAYS } from '@zhuguan/contract/kit/score.ts'

import type { Tx } from '../../database/connect.ts'
import { homeSince } from '../../kit/home-time.ts'
import type { ShownLink } from '../../kit/link-kind.ts'
import { bool, float8, int2, int4, row, text, texts, uuid } from '../../kit/row.ts'
import { epoch, TODAY } from '../../kit/statement.ts'
import { FEEDBACK_DUE as DUE } from '../deadlines/feedback-due.reads.ts'
import { OVERDUE } from '../feedback/feedback.reads.ts'
import { dismissed } from '../promises/objected.reads.ts'
import { OPEN, promisedTo } from '../promises/open-promises.reads.ts'
import { settingSql } from '../settings/settings.reads.ts'
import { STAGE_STATE, WARRANTY_UNTIL } from '../sites/sites.reads.ts'
import type { HomeContact } from './home-devices.queries.ts'

const MOST = 50
const { cancelled, closed } = feedbackStatus.code
/** Days in which the owner may object to a promise that was kept, and is asked how content they are. */
const WEEK = 7
const day = (column: string, as: string) => `${column}::text AS "${as}"`

/** The home itself and its stages. */
export async function homeBehind(tx: Tx, tenant: string, site: string) {
  const [homes, stages] = await Promise.all([
    tx.query(
      'homepage.home',
      row({
        ws_name: text,
        status: int2.of(siteStatus),
        startDate: text.null,
        plannedFinish: text.null,
        actualFinish: text.null,
        warrantyUntil: text.null,
        steward: text,
      }),
      `SELECT w.ws_name, w.status, ${day('w.start_date', 'startDate')}, ${day('w.planned_finish', 'plannedFinish')},
         ${day('w.actual_finish', 'actualFinish')}, (${WARRANTY_UNTIL})::text AS "warrantyUntil",
         coalesce(s.nickname, '') AS steward
       FROM sites w
       LEFT JOIN users s ON s.tenant_id = $1 AND s.id = w.steward_id
       WHERE w.tenant_id = $1 AND w.id = $2`,
      [tenant, site],
    ),
    tx.query(
      'homepage.stages',
      row<HomePage['stages'][number]>({
        stage: text.of(siteStage),
        state: int4.of(stageState),
        plannedStart: text.null,
        plannedFinish: text.null,
        actualStart: text.null,
        actualFinish: text.null,
      }),
      `SELECT g.stage, ${STAGE_STATE} AS state, ${day('g.planned_start', 'plannedStart')},
         ${day('g.planned_finish', 'plannedFinish')}, ${day('g.actual_start', 'actualStart')},
         ${day('g.actual_finish', 'actualFinish')}
       FROM site_stages g
       WHERE g.tenant_id = $1 AND g.site_id = $2
       ORDER BY g.sort`,
      [tenant, site],
    ),
  ])
  return { ...homes.rows[0]!, stages: stages.rows }
}

/** What of a week an owner is told, since the home is theirs: facts, never who worked or what somebody wrote. */
export async function weekOf(tx: Tx, tenant: string, { since, site_id }: HomeContact) {
  const sinceDay = `($3::timestamptz AT TIME ZONE 'Asia/Shanghai')::date`
  const { rows } = await tx.query(
    'homepage.week',
    row({ kind: text, stage: text.of(siteStage).null, at: float8, n: int4 }),
    `SELECT kind, stage, ${epoch('at')} AS at, n FROM (
       SELECT 'begun' AS kind, g.stage, g.actual_start::timestamp AT TIME ZONE 'Asia/Shanghai' AS at, 1 AS n
       FROM site_stages g
       WHERE g.tenant_id = $1 AND g.site_id = $2 AND g.actual_start > ${TODAY} - ${WEEK}
         AND g.actual_start >= ${sinceDay}
       UNION ALL
       SELECT 'accepted', g.stage, g.actual_finish::timestamp AT TIME ZONE 'Asia/Shanghai', 1
       FROM site_stages g
       WHERE g.tenant_id = $1 AND g.site_id = $2 AND g.actual_finish > ${TODAY} - ${WEEK}
         AND g.actual_finish >= ${sinceDay}
       UNION ALL
       SELECT 'patrols', NULL, max(p.submitted_at), count(*)::int
       FROM patrols p
       WHERE p.tenant_id = $1 AND p.site_id = $2 AND p.submitted_at > :now - interval '${WEEK} days'
         AND p.submitted_at >= $3
       HAVING count(*) > 0
       UNION ALL
       SELECT 'arrived', NULL, max(d.delivered_at), count(*)::int
       FROM dispatches d
       WHERE d.tenant_id = $1 AND d.site_id = $2 AND d.delivered_at > :now - interval '${WEEK} days'
         AND d.delivered_at >= $3
       HAVING count(*) > 0) k
     ORDER BY at DESC, kind, stage`,
    [tenant, site_id, since],
  )
  return rows
}

/**
 * Who of the company made a link of somebody of the home in a week, and what devices came in, by whom of the company or
 * by a device of theirs; `alone`: nobody but the maker of the link stands behind it.
 */
export async function accessOf(tx: Tx, tenant: string, { since, site_id }: HomeContact) {
  const { rows } = await tx.query(
    'homepage.access',
    row({
      at: float8,
      person: text,
      device: text,
      alone: bool,
      post: int2.of(principalPost).null,
      name: text.null,
    }),
    `SELECT ${epoch('k.at')} AS at, coalesce(h.name, o.name) AS person, k.device, k.alone, u.nickname AS name,
       CASE u.id WHEN w.steward_id THEN ${principalPost.code.steward}::smallint
         WHEN w.manager_id THEN ${principalPost.code.manager}::smallint ELSE u.post END AS post
     FROM (
       SELECT l.target_id AS contact_id, l.made_at AS at, l.made_by AS by, '' AS device, false AS alone
       FROM links l
       WHERE l.tenant_id = $1 AND l.kind = 'owner'
         AND l.target_id IN (SELECT c.id FROM home_contacts c WHERE c.tenant_id = $1 AND c.site_id = $2)
       UNION ALL
       SELECT d.contact_id, d.bound_at, d.allowed_by, d.name, d.only_hand IS NOT NULL
       FROM home_devices d
       WHERE d.tenant_id = $1 AND d.site_id = $2 AND d.state = 'bound') k
     JOIN home_contacts h ON h.tenant_id = $1 AND h.id = k.contact_id AND h.site_id = $2 AND h.ended_at IS NULL
     JOIN sites w ON w.tenant_id = $1 AND w.id = $2
     LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.by
     WHERE k.at > :now - interval '${WEEK} days' AND k.at >= $3
     ORDER BY k.at DESC, person
     LIMIT 20`,
    [tenant, site_id, since],
  )
  return rows
}

/** What staff wrote down in a week as the answer of this contact, whether they want to look. */
export async function writtenDownFor(tx: Tx, tenant: string, { id, since }: HomeContact) {
  const { rows } = await tx.query(
    'homepage.writtendown',
    row({ at: float8, answeredOn: text, agrees: bool, how: text.of(consentHow), name: text }),
    `SELECT ${epoch('x.recorded_at')} AS at, x.answered_on::text AS "answeredOn",
       x.state <> ${consentState.code.refused} AS agrees, x.how, x.recorded_by AS name
     FROM consents x
     WHERE x.tenant_id = $1 AND x.kind = 'ownerVideo' AND x.subject_id = $2 AND x.how <> 'electronic'
       AND x.recorded_at > :now - interval '${WEEK} days' AND x.recorded_at >= $3
     ORDER BY x.recorded_at DESC, x.id
     LIMIT 10`,
    [tenant, id, since],
  )
  return rows
}

/** What was done last of a promise that its owner is told, and when. */
const TOLD = `SELECT e.act, ${epoch('e.at')} AS at, e.text
       FROM promise_events e
       WHERE e.tenant_id = $1 AND e.promise_id = p.id AND e.act IN ('extend', 'uphold', 'dismiss', 'break', 'withdraw')
       ORDER BY e.at DESC, e.id DESC LIMIT 1`
const promiseColumns = `p.id, p.content, p.due::text AS due, p.first_due::text AS "firstDue", p.state,
   ${OPEN} AND p.due < ${TODAY} AS late, ${epoch('k.at')} AS "keptAt",
   greatest((k.at AT TIME ZONE 'Asia/Shanghai')::date - p.due, 0) AS "lateDays", p.objected,
   p.state = 'kept' AND NOT p.objected AND NOT ${dismissed('p.id')} AND $4::uuid IS NULL
     AND :now < k.at + interval '${WEEK} days' AS "mayObject",
   coalesce(k.pictures, '{}') AS pictures, y.act AS said, y.at AS "saidAt", coalesce(y.text, '') AS "saidFor"`
/**
 * Since it is theirs; what the owner of before was promised was taken over if it was open then. A device behind which
 * `hand` stands alone objects to nothing.
 */
export async function promisesFor(
  tx: Tx,
  tenant: string,
  of: HomeContact,
  hand: string | null,
): Promise<HomePromise[]> {
  const { rows } = await tx.query(
    'homepage.promises',
    row<HomePromise>({
      id: uuid,
      content: text,
      due: text,
      firstDue: text,
      state: text.of(promiseState),
      late: bool,
      keptAt: float8.null,
      lateDays: int4,
      objected: bool,
      mayObject: bool,
      pictures: texts,
      said: text.of(promiseAct).null,
      saidAt: float8.null,
      saidFor: text,
    }),
    `SELECT ${promiseColumns}
     FROM promises p
     LEFT JOIN LATERAL (SELECT e.at, e.pictures FROM promise_events e
       WHERE p.state = 'kept' AND e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'keep'
       ORDER BY e.at DESC LIMIT 1) k ON true
     LEFT JOIN LATERAL (${TOLD}) y ON true
     WHERE p.tenant_id = $1 AND p.site_id = $2 AND ${promisedTo('$3')}
     ORDER BY ${OPEN} DESC, CASE WHEN ${OPEN} THEN p.due END, p.due DESC, p.id
     LIMIT ${MOST}`,
    [tenant, of.site_id, of.since, hand],
  )
  return rows
}

const REOPEN = `f.closed_at + interval '1 day' * ${settingSql('feedbackReopenDays', '$1', 'f.bc_id')}::text::float8`
const PAUSED = 'f.paused_until > :now'
/** The last line of one kind in a feedback. */
const lastLine = (act: 'answer' | 'cancel') => `FROM feedback_events e
       WHERE e.tenant_id = $1 AND e.feedback_id = f.id AND e.act = '${act}'
       ORDER BY e.at DESC, e.id DESC LIMIT 1`
/** The cause alone: what staff wrote beside it is for the house. */
const WHY_CANCELLED = `coalesce((SELECT split_part(e.words, '：', 1) ${lastLine('cancel')}), '')`
/** Of the home in their time, but for what is kept from `hand`, who alone stands behind the device; `id`: this one. */
export async function feedbackFor(
  tx: Tx,
  tenant: string,
  of: HomeContact,
  { hand, id = null }: { hand: string | null; id?: string | null },
): Promise<HomeFeedback[]> {
  const isTold = (f: string) => `($5::uuid IS NULL OR ${f}.hidden_from IS DISTINCT FROM $5)`
  const { rows } = await tx.query(
    'homepage.feedback',
    row<HomeFeedback>({
      id: uuid,
      no: text,
      kind: text.of(feedbackKind),
      words: text,
      recorded: bool,
      status: int2.of(feedbackStatus),
      enteredAt: float8,
      dueAt: float8.null,
      overdue: bool,
      answeredAt: float8.null,
      answer: text,
      pausedAt: float8.null,
      pausedUntil: float8.null,
      pauseFor: text.of(feedbackPause).null,
      pauseText: text,
      closedAt: float8.null,
      result: text,
      cancelledFor: text,
      ofNo: text.null,
      score: int2.null,
      typed: bool,
      mayScore: bool,
      mayReopen: bool,
    }),
    `SELECT f.id, f.no, f.kind, f.words, f.channel <> '${feedbackChannel.code.link}' AS recorded, f.status,
       ${epoch('f.entered_at')} AS "enteredAt",
       ${epoch(`(${DUE})`)} AS "dueAt",
       ${OVERDUE} AS overdue, ${epoch('a.at')} AS "answeredAt", coalesce(a.words, '') AS answer,
       CASE WHEN ${PAUSED} THEN ${epoch('f.paused_at')} END AS "pausedAt",
       CASE WHEN ${PAUSED} THEN ${epoch('f.paused_until')} END AS "pausedUntil",
       CASE WHEN ${PAUSED} THEN f.pause_for END AS "pauseFor",
       CASE WHEN ${PAUSED} THEN f.pause_text ELSE '' END AS "pauseText",
       ${epoch('f.closed_at')} AS "closedAt", f.result,
       CASE f.status WHEN ${cancelled} THEN ${WHY_CANCELLED} ELSE '' END AS "cancelledFor",
       (SELECT o.no FROM feedback o
        WHERE o.tenant_id = $1 AND o.id = f.of_id AND o.site_id = $2 AND o.home_at >= $3
          AND ${isTold('o')}) AS "ofNo", f.score,
       f.scored_by <> '' AS typed, f.status = ${closed} AND (f.score IS NULL OR f.scored_by <> '')
         AND :now < f.closed_at + interval '${SCORE_DAYS} days' AS "mayScore",
       f.status = ${closed} AND f.kind <> '${feedbackKind.code.praise}'
         AND :now <= ${REOPEN} AND $5::uuid IS NULL AS "mayReopen"
     FROM feedback f
     LEFT JOIN LATERAL (SELECT e.at, e.words ${lastLine('answer')}) a ON f.answered_at IS NOT NULL
     WHERE f.tenant_id = $1 AND f.site_id = $2 AND f.home_at >= $3 AND ($4::uuid IS NULL OR f.id = $4)
       AND ${isTold('f')}
     ORDER BY f.status, f.entered_at DESC, f.id
     LIMIT ${MOST}`,
    [tenant, of.site_id, of.since, id, hand],
  )
  return rows
}

const THEIRS = { feedback: 'x.home_at >= $4', promises: promisedTo('$4', 'x') } as const
/** The version of what the owner speaks of, where it is of their home and their time. */
export async function versionOf(
  tx: Tx,
  tenant: string,
  of: HomeContact,
  { id, table }: { id: string; table: keyof typeof THEIRS },
): Promise<number | undefined> {
  const { rows } = await tx.query(
    `homepage.${table}version`,
    row({ version: int4 }),
    `SELECT x.version FROM ${table} x
     WHERE x.tenant_id = $1 AND x.id = $2 AND x.site_id = $3 AND ${THEIRS[table]}`,
    [tenant, id, of.site_id, of.since],
  )
  return rows[0]?.version
}
/** A picture that proves a promise of this contact's home, on a device that was let in. */
export async function showsPicture(tx: Tx, link: ShownLink, key: string): Promise<boolean> {
  const { rows } = await tx.query(
    'homepage.picture',
    row({ shown: bool }),
    `SELECT EXISTS (
       SELECT 1
       FROM home_devices d
       JOIN home_contacts h ON h.tenant_id = $1 AND h.id = d.contact_id AND h.ended_at IS NULL
       JOIN promises p ON p.tenant_id = $1 AND p.site_id = h.site_id AND ${promisedTo(homeSince('h.site_id'))}
       JOIN promise_events e ON e.tenant_id = $1 AND e.promise_id = p.id AND e.act = 'keep' AND $4 = ANY (e.pictures)
       WHERE d.tenant_id = $1 AND d.link_id = $2 AND d.device = $3 AND d.state = 'bound') AS shown`,
    [link.tenant, link.id, link.device, key],
  )
  return rows[0]!.shown
}
