import {
  likelyCause,
  type NoWorkRow,
  stopBall,
  stopReason,
} from '@zhuguan/contract/features/no-work/no-work.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'

import { dayBegins, TODAY } from '../../kit/statement.ts'
import { OPEN, STAGE_WAITS } from '../questions/undecided.reads.ts'
import { missingGoods, NOT_THERE } from './missing-goods.reads.ts'

// Whose turn it is at a site `w` that stands still, in a statement whose tenant is $1.

const { toOrder } = orderState.code
const { branch, clerk, keeper, manager, nobody, owner, supplier } = stopBall.code
const { device, material } = stopReason.code
const { blind, goods } = likelyCause.code
const quoted = (code: string) => `'${code}'`

/** The reason that was said holds: until its day, and as long as what it names is open (docs/decisions/0590). */
export const reasonHolds = (w: string): string =>
  `(${w}.stop_reason IS NOT NULL AND coalesce(${w}.stop_until >= ${TODAY}, true)
     AND (${w}.stop_question_id IS NULL OR EXISTS (SELECT FROM questions q
       WHERE q.tenant_id = $1 AND q.id = ${w}.stop_question_id AND ${OPEN}))
     AND (${w}.stop_order_id IS NULL OR EXISTS (SELECT FROM pieces p
       WHERE p.tenant_id = $1 AND p.order_id = ${w}.stop_order_id AND p.order_state IN (${NOT_THERE}))))`

/** Of the site's present stage. */
export const PRESENT = { tenant: '$1', site: 'w.id', stage: 'w.stage' }
const NAMED_ORDER = `FROM orders o WHERE o.tenant_id = $1 AND o.id = w.stop_order_id`
const LACKS = missingGoods(PRESENT)
const LACKS_ORDER = `${LACKS} AND p.order_state = ${toOrder}`
/** What has to be ordered first is the clerk's, the rest is with whoever delivers. */
const goodsBall = (from: string) =>
  `CASE WHEN EXISTS (SELECT ${from}) THEN ${quoted(clerk)} ELSE ${quoted(supplier)} END`

const MEMBERS = `FROM site_members sm WHERE sm.tenant_id = $1 AND sm.site_id = w.id`
const DAYS = `FROM site_days d WHERE d.tenant_id = $1 AND d.site_id = w.id`
const begins = (day: string) => dayBegins(`(${day})`)
/** The first day of its present run: after somebody was last there, else since it began. */
const RUN_BEGAN = begins(`coalesce((SELECT max(d.day) + 1 ${DAYS} AND d.present > 0), w.start_date)`)

interface Cause {
  when: string
  ball: string
  since: string
}
/** What the data say, the first that is so. */
const CAUSES: Readonly<Record<NoWorkRow['likely'], Cause>> = {
  blind: {
    when: 'w.devices_total > 0 AND w.devices_online = 0',
    ball: quoted(keeper),
    since: `(SELECT max(s.to_at) FROM devices d
       JOIN device_spans s ON s.tenant_id = $1 AND s.device_id = d.id AND s.state = 1
       WHERE d.tenant_id = $1 AND d.site_id = w.id AND d.deleted_at IS NULL)`,
  },
  owner: {
    when: `EXISTS (SELECT ${STAGE_WAITS})`,
    ball: quoted(owner),
    since: `(SELECT min(q.asked_at) ${STAGE_WAITS})`,
  },
  nobody: {
    when: `NOT EXISTS (SELECT ${MEMBERS} AND sm.left_on IS NULL)`,
    ball: quoted(manager),
    since: begins(`coalesce((SELECT max(sm.left_on) + 1 ${MEMBERS}), w.start_date)`),
  },
  goods: {
    when: `EXISTS (SELECT ${LACKS})`,
    ball: goodsBall(LACKS_ORDER),
    // Nobody wants them before their stage.
    since: `greatest(${begins('least(g.planned_start, g.actual_start)')}, coalesce((SELECT min(p.since) ${LACKS_ORDER}),
       (SELECT min(o.made_at) FROM orders o WHERE o.tenant_id = $1 AND o.id IN (SELECT p.order_id ${LACKS}))))`,
  },
  rest: {
    when: `EXISTS (SELECT ${DAYS} AND d.day = ${TODAY} AND d.rest)`,
    ball: quoted(nobody),
    since: begins(`coalesce((SELECT max(d.day) + 1 ${DAYS} AND d.day < ${TODAY} AND NOT d.rest), ${TODAY})`),
  },
  waiting: {
    when: 'g.actual_start IS NULL',
    ball: quoted(manager),
    since: `CASE WHEN g.planned_start <= ${TODAY} THEN ${begins('g.planned_start')} ELSE ${RUN_BEGAN} END`,
  },
  late: {
    when: `g.actual_finish IS NULL AND g.planned_finish < ${TODAY}`,
    ball: quoted(manager),
    since: begins('g.planned_finish + 1'),
  },
  none: { when: 'true', ball: quoted(manager), since: RUN_BEGAN },
}

const said = (ball: string, since = 'w.stop_since') => ({ ball, since })
/** What a person says. */
const REASONS: Readonly<Record<NonNullable<NoWorkRow['reason']>, Omit<Cause, 'when'>>> = {
  material: said(
    `CASE WHEN w.stop_order_id IS NULL THEN ${quoted(clerk)} ELSE ${goodsBall(
      `FROM pieces p WHERE p.tenant_id = $1 AND p.order_id = w.stop_order_id AND p.order_state = ${toOrder}`,
    )} END`,
    `coalesce((SELECT o.made_at ${NAMED_ORDER}), w.stop_since)`,
  ),
  owner: said(
    quoted(owner),
    `coalesce((SELECT q.asked_at FROM questions q WHERE q.tenant_id = $1 AND q.id = w.stop_question_id), w.stop_since)`,
  ),
  crew: said(quoted(manager)),
  process: said(quoted(manager)),
  weather: said(quoted(nobody)),
  dispute: said(quoted(branch)),
  holiday: said(quoted(nobody)),
  device: said(quoted(keeper)),
  other: said(quoted(manager)),
}

const whens = (of: string, parts: Readonly<Record<string, Omit<Cause, 'when'>>>, column: 'ball' | 'since') =>
  `CASE ${of} ${Object.entries(parts)
    .map(([code, part]) => `WHEN '${code}' THEN ${part[column]}`)
    .join('\n       ')} END`
const either = (column: 'ball' | 'since') =>
  `CASE WHEN h.reason IS NULL THEN ${whens('h.likely', CAUSES, column)}
     ELSE ${whens('h.reason', REASONS, column)} END`
const LIKELY = `CASE ${Object.entries(CAUSES)
  .map(([code, { when }]) => `WHEN ${when} THEN '${code}'`)
  .join('\n       ')} END`

/**
 * To be joined to sites `w`: their stage `g`; the reason in force and what the data say, `h`; whose turn it is since
 * when, `b`. Kept apart (OFFSET 0), so that what is asked of a site is worked out once.
 */
export const STANDING = `LEFT JOIN site_stages g ON g.tenant_id = $1 AND g.site_id = w.id AND g.stage = w.stage
   CROSS JOIN LATERAL (SELECT CASE WHEN ${reasonHolds('w')} THEN w.stop_reason END AS reason,
     ${LIKELY} AS likely OFFSET 0) h
   CROSS JOIN LATERAL (SELECT ${either('ball')} AS ball, ${either('since')} AS since OFFSET 0) b`

/**
 * People should be there today and nobody is. Not on a day of rest, not where nothing is seen or the device alone is at
 * fault, and not where only its day is waited for.
 */
export const MISSED = `(b.ball <> '${nobody}' AND h.likely <> '${blind}' AND h.reason IS DISTINCT FROM '${device}'
     AND EXISTS (SELECT ${DAYS} AND d.day = ${TODAY} AND NOT d.rest AND d.present = 0))`

/** The orders `o` that the site waits for: the one that was named, else those of its present stage. */
export const WAITED_ORDERS = `FROM orders o
     WHERE o.tenant_id = $1 AND CASE WHEN h.reason IS NOT NULL THEN h.reason = '${material}' AND o.id = w.stop_order_id
       ELSE h.likely = '${goods}' AND o.id IN (SELECT p.order_id ${LACKS}) END`
export const ORDER_NAMED = `CASE WHEN h.reason = '${material}' THEN
       (SELECT json_build_object('id', o.id, 'code', o.code) ${NAMED_ORDER}) END`
