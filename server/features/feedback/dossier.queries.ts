import { alarmType, correctionStatus } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import type { FeedbackDetail } from '@zhuguan/contract/features/feedback/feedback.record.ts'
import { contactRelation } from '@zhuguan/contract/features/owners/owners.record.ts'
import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'
import { promiseState } from '@zhuguan/contract/features/promises/promises.record.ts'
import { threadKind } from '@zhuguan/contract/features/threads/threads.record.ts'

import type { Tx } from '../../database/connect.ts'
import { type OwnersTime, within as insideOf } from '../../kit/home-time.ts'
import { phoneText } from '../../kit/masked.ts'
import { bool, float8, int2, int4, row, text, timestamptz } from '../../kit/row.ts'
import { epoch } from '../../kit/statement.ts'
import { promisedTo } from '../promises/open-promises.reads.ts'

/** So much of each stands in a dossier; it says how much there is. */
export const MOST = 200

/** The time from $3 to $4, each of them open where there is nothing. */
const within = (moment: string): string => insideOf(moment, '$3', '$4')

/** Everything of the home that stands beside a case, the newest first; each counts all that there is. */
export async function besideCase(
  tx: Tx,
  tenant: string,
  of: Pick<FeedbackDetail, 'id' | 'site_id'>,
  { from, to }: OwnersTime,
) {
  const then = [tenant, of.site_id, from, to]
  const [clocks, people, thread, promises, alarms, orders, holds] = await Promise.all([
    tx.query(
      'dossier.clocks',
      row({ answerDueAt: timestamptz, answeredAt: timestamptz.null, closeDueAt: timestamptz.null }),
      `SELECT f.answer_due_at AS "answerDueAt", f.answered_at AS "answeredAt", f.close_due_at AS "closeDueAt"
       FROM feedback f
       WHERE f.tenant_id = $1 AND f.id = $2`,
      [tenant, of.id],
    ),
    tx.query(
      'dossier.people',
      row({
        name: text,
        relation: text.of(contactRelation),
        phone: text,
        since: timestamptz,
        until: timestamptz.null,
        isOwner: bool,
      }),
      `SELECT coalesce(h.name, o.name) AS name, h.relation, ${phoneText('coalesce(h.phone, o.phone)', false)} AS phone,
         h.since, h.ended_at AS until, h.owner_id IS NOT NULL AS "isOwner"
       FROM home_contacts h
       LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = h.owner_id
       WHERE h.tenant_id = $1 AND h.site_id = $2 AND ${within('h.since')}
       ORDER BY h.ended_at DESC NULLS FIRST, h.owner_id IS NULL, h.since
       LIMIT ${MOST}`,
      then,
    ),
    tx.query(
      'dossier.thread',
      row({
        at: timestamptz,
        who: text,
        kind: text.of(threadKind),
        words: text,
        pictures: int4,
        taken: bool,
        n: int4,
      }),
      `SELECT m.at, m.who, m.kind, m.words, cardinality(m.pictures) AS pictures, m.taken_at IS NOT NULL AS taken,
         count(*) OVER ()::int AS n
       FROM thread_messages m
       WHERE m.tenant_id = $1 AND m.site_id = $2 AND ${within('m.at')}
       ORDER BY m.seq DESC
       LIMIT ${MOST}`,
      then,
    ),
    tx.query(
      'dossier.promises',
      row({
        content: text,
        author: text,
        first: text,
        due: text,
        state: text.of(promiseState),
        objected: bool,
        n: int4,
      }),
      `SELECT p.content, coalesce(u.nickname, '') AS author, p.first_due::text AS first, p.due::text AS due, p.state,
         p.objected, count(*) OVER ()::int AS n
       FROM promises p
       LEFT JOIN users u ON u.tenant_id = $1 AND u.id = p.author_id
       WHERE p.tenant_id = $1 AND p.site_id = $2 AND ($3::timestamptz IS NULL OR ${promisedTo('$3')})
         AND ($4::timestamptz IS NULL OR p.made_at < $4)
       ORDER BY p.made_at DESC, p.id
       LIMIT ${MOST}`,
      then,
    ),
    tx.query(
      'dossier.alarms',
      row({ at: timestamptz, type: text.of(alarmType), status: int2.of(correctionStatus), n: int4 }),
      `SELECT a.at, a.type, a.correction_status AS status, count(*) OVER ()::int AS n
       FROM alarms a
       WHERE a.tenant_id = $1 AND a.site_id = $2 AND ${within('a.at')}
       ORDER BY a.at DESC, a.id
       LIMIT ${MOST}`,
      then,
    ),
    tx.query(
      'dossier.orders',
      row({ code: text, receiver: text, state: int2.of(orderState).null, expected: text, n: int4 }),
      `SELECT o.code, o.receiver_name AS receiver, o.order_state AS state, o.expected_on::text AS expected,
         count(*) OVER ()::int AS n
       FROM orders o
       WHERE o.tenant_id = $1 AND o.site_id = $2 AND ${within('o.made_at')}
       ORDER BY o.code DESC
       LIMIT ${MOST}`,
      then,
    ),
    tx.query(
      'dossier.holds',
      row({ camera: text, from: float8, to: float8, until: float8, reason: text, by: text, n: int4 }),
      `SELECT d.sn AS camera, ${epoch('h.from_at')} AS from, ${epoch('h.to_at')} AS to,
         ${epoch('h.until_at')} AS until, h.reason, h.held_by AS by, count(*) OVER ()::int AS n
       FROM recording_holds h
       JOIN devices d ON d.tenant_id = $1 AND d.id = h.device_id
       WHERE h.tenant_id = $1 AND h.site_id = $2 AND h.released_at IS NULL AND ${within('h.held_at')}
       ORDER BY h.from_at DESC, h.id
       LIMIT ${MOST}`,
      then,
    ),
  ])
  return {
    clocks: clocks.rows[0]!,
    people: people.rows,
    thread: thread.rows,
    promises: promises.rows,
    alarms: alarms.rows,
    orders: orders.rows,
    holds: holds.rows,
  }
}
export type Beside = Awaited<ReturnType<typeof besideCase>>
