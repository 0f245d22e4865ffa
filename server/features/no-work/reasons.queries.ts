import { orderState } from '@zhuguan/contract/features/pieces/pieces.record.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { homeSince } from '../../kit/home-time.ts'
import { bool, row, type RowOf, text, uuid } from '../../kit/row.ts'
import { siteScope } from '../../kit/scoped.ts'
import { TODAY } from '../../kit/statement.ts'
import { OPEN } from '../questions/undecided.reads.ts'
import { restDaySql } from '../settings/settings.reads.ts'
import { NOT_THERE } from './missing-goods.reads.ts'

/** Something that a reason may name: what it is called, and the day that it has itself. */
const named = row({ id: uuid, name: text, words: text, day: text })
export type Named = RowOf<typeof named>

/** A site of the scope. */
export async function siteIn(tx: Tx, scope: Scope, id: string): Promise<string | undefined> {
  const where = siteScope(scope).add((p) => `w.id = ${p}::uuid`, id)
  const { rows } = await tx.query(
    'nowork.site',
    row({ id: uuid }),
    `SELECT w.id FROM sites w WHERE ${where.text}`,
    where.values,
  )
  return rows[0]?.id
}
/** Orders of a site whose goods are not all there; the day is the last for which one of them was promised. */
export async function ordersUnderWay(tx: Tx, tenant: string, site: string): Promise<Named[]> {
  const { rows } = await tx.query(
    'nowork.orders',
    named,
    `SELECT o.id, o.code AS name, string_agg(DISTINCT l.name, '、') AS words,
       max(coalesce(l.promised_on, o.expected_on))::text AS day
     FROM orders o
     JOIN pieces p ON p.tenant_id = $1 AND p.order_id = o.id AND p.order_state IN (${NOT_THERE})
     JOIN order_lines l ON l.tenant_id = $1 AND l.id = p.line_id
     WHERE o.tenant_id = $1 AND o.site_id = $2
     GROUP BY o.id, o.code
     ORDER BY o.code`,
    [tenant, site],
  )
  return rows
}

/** What the owner of today has not decided. */
export async function openQuestions(tx: Tx, tenant: string, site: string): Promise<Named[]> {
  const { rows } = await tx.query(
    'nowork.questions',
    named,
    `SELECT q.id, q.words AS name, q.words, q.needed_by::text AS day
     FROM questions q
     WHERE q.tenant_id = $1 AND q.site_id = $2 AND ${OPEN} AND q.asked_at >= ${homeSince('q.site_id')}
     ORDER BY q.needed_by, q.id`,
    [tenant, site],
  )
  return rows
}

/** What else bears on a reason: goods that nobody has ordered, and the last day of a rest that runs. */
export async function aroundReasons(tx: Tx, tenant: string, site: string) {
  const { rows } = await tx.query(
    'nowork.around',
    row({ toOrder: bool, restsUntil: text.null }),
    `SELECT EXISTS (SELECT FROM pieces p WHERE p.tenant_id = $1 AND p.site_id = w.id
         AND p.order_state = ${orderState.code.toOrder}) AS "toOrder",
       CASE WHEN ${restDaySql('$1', 'w.bc_id', TODAY)} THEN (SELECT min(x.day)::date - 1
         FROM generate_series(${TODAY} + 1, ${TODAY} + 60, interval '1 day') AS x(day)
         WHERE NOT ${restDaySql('$1', 'w.bc_id', 'x.day::date')})::text END AS "restsUntil"
     FROM sites w
     WHERE w.tenant_id = $1 AND w.id = $2`,
    [tenant, site],
  )
  return rows[0]!
}
