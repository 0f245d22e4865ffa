import { customerHeld } from '@zhuguan/contract/features/customers/customers.record.ts'
import { followState } from '@zhuguan/contract/features/customers/follow-ups.record.ts'
import type { CardFigure, HomeRow } from '@zhuguan/contract/features/home/home.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int4, row, text, uuid } from '../../kit/row.ts'
import { scopedStores } from '../../kit/scoped.ts'
import { dayBegins, epoch, TODAY } from '../../kit/statement.ts'
import { OVERDUE } from '../customers/customers.reads.ts'
import { FIRST } from './most-rows.ts'
import type { Whole } from './sold.figures.ts'

const { pool } = customerHeld.code

/** Customers that nobody has followed up in time, what is planned for today beside them, and who waits in the pool. */
export async function customerFigures(tx: Tx, scope: Scope | undefined, whole: Whole): Promise<CardFigure[]> {
  if (!scope) return []
  const where = scopedStores(scope, 'k').plain(`k.held <> 'merged'`)
  const { rows } = await tx.query(
    'home.customers',
    row({ overdue: int4, today: int4, pool: int4 }),
    `SELECT count(*) FILTER (WHERE ${OVERDUE})::int AS overdue, coalesce(sum(f.n), 0)::int AS today,
       count(*) FILTER (WHERE k.held = '${pool}')::int AS pool
     FROM customers k
     LEFT JOIN LATERAL (
       SELECT count(*) AS n
       FROM follow_ups f
       WHERE f.tenant_id = $1 AND f.customer_id = k.id AND f.state = '${followState.code.planned}'
         AND f.at >= ${dayBegins(TODAY)} AND f.at < ${dayBegins(`(${TODAY} + 1)`)}) f ON k.next_at IS NOT NULL
     WHERE ${where.text}`,
    where.values,
  )
  const now = rows[0]!
  const day = whole.days.at(-1)!
  const figure: CardFigure = {
    ...whole,
    card: 'customers',
    value: now.overdue,
    unit: '位',
    of: '现在逾期',
    before: null,
    against: '',
    better: 'less',
    trend: [...whole.days.slice(1).map(() => null), now.overdue],
    link: linkTo('CustomerList', { overdue: true }),
    parts: [
      {
        label: '今天跟进',
        value: now.today,
        link: linkTo('FollowUp', { state: [followState.code.planned], from: day, to: day }),
      },
      { label: '公海', value: now.pool, link: linkTo('CustomerList', { held: [pool] }) },
    ],
  }
  return [figure]
}

/** The person who has waited longest first. */
export async function customerRows(tx: Tx, scope: Scope): Promise<HomeRow[]> {
  const where = scopedStores(scope, 'k').plain(OVERDUE)
  const { rows } = await tx.query(
    'home.customerrows',
    row({ id: uuid, title: text, community: text, consultant: text, at: float8, late: bool }),
    `SELECT k.id, k.name AS title, k.community, coalesce(u.nickname, '') AS consultant,
       ${epoch('least(k.answer_due, k.next_at)')} AS at, true AS late
     FROM customers k
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.consultant_id
     WHERE ${where.text}
     ORDER BY least(k.answer_due, k.next_at), k.id
     ${FIRST}`,
    where.values,
  )
  return rows.map(({ community, consultant, ...r }) => ({
    ...r,
    text: [community, consultant].filter(Boolean).join(' · '),
    picture: null,
    link: linkTo('CustomerInfo', { id: r.id }),
  }))
}
