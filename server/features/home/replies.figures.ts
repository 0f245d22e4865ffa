import type { CardFigure, HomeRow } from '@zhuguan/contract/features/home/home.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { dayBegins, epoch } from '../../kit/statement.ts'
import { FIRST } from './most-rows.ts'
import type { Whole } from './sold.figures.ts'

const OWNED = `EXISTS (SELECT FROM home_contacts h
  WHERE h.tenant_id = $1 AND h.site_id = t.site_id AND h.owner_id IS NOT NULL AND h.ended_at IS NULL)`
const WAITING = `t.waiting_since IS NOT NULL AND ${OWNED}`

/** Homes that wait for an answer of ours. */
async function waitingNow(tx: Tx, scope: Scope) {
  const where = scoped(scope, 't').plain(WAITING)
  const { rows } = await tx.query(
    'home.replies',
    row({ n: int4, late: int4 }),
    `SELECT count(*)::int AS n, (count(*) FILTER (WHERE t.due_at < :now))::int AS late
     FROM threads t
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]!
}
/** The same at the end of each of these days: the last line of the thread by then was the home’s. */
async function waitingAtEnds(tx: Tx, scope: Scope, days: readonly string[]): Promise<number[]> {
  const where = scoped(scope, 't')
  const list = `$${where.values.push(days)}::date[]`
  const first = dayBegins(`$${where.values.push(days[0])}`)
  const end = dayBegins('(d.day + 1)')
  const { rows } = await tx.query(
    'home.replydays',
    row({ n: int4 }),
    `SELECT count(*) FILTER (WHERE x.side = 'owner')::int AS n
     FROM unnest(${list}) WITH ORDINALITY AS d(day, place)
     LEFT JOIN threads t ON ${where.text} AND ${OWNED} AND (t.changed_at >= ${first} OR t.waiting_since IS NOT NULL)
     LEFT JOIN LATERAL (
       SELECT m.side
       FROM thread_messages m
       WHERE m.tenant_id = $1 AND m.site_id = t.site_id AND m.at < ${end}
         AND (m.taken_at IS NULL OR m.taken_at >= ${end})
       ORDER BY m.seq DESC
       LIMIT 1) x ON true
     GROUP BY d.place
     ORDER BY d.place`,
    where.values,
  )
  return rows.map((r) => r.n)
}

const LIST = linkTo('OwnerList', { waiting: true, sort: 'waitingSince' })
export async function replyFigures(tx: Tx, scope: Scope | undefined, whole: Whole): Promise<CardFigure[]> {
  if (!scope) return []
  const [{ late, n }, ends] = await Promise.all([
    waitingNow(tx, scope),
    waitingAtEnds(tx, scope, whole.days.slice(0, -1)),
  ])
  const figure: CardFigure = {
    ...whole,
    card: 'replies',
    value: n,
    unit: '家',
    of: '现在',
    aside: late ? `${late} 家过了回复期限` : '',
    before: ends.at(-1)!,
    against: '较昨日结束时',
    better: 'less',
    trend: [...ends, n],
    link: LIST,
  }
  return [figure]
}

/** The person who has waited longest first. */
export async function replyRows(tx: Tx, scope: Scope): Promise<HomeRow[]> {
  const where = scoped(scope, 't').plain(WAITING)
  const { rows } = await tx.query(
    'home.replyrows',
    row({ id: uuid, title: text, owner: text, steward: text, at: float8, late: bool }),
    `SELECT t.site_id AS id, w.ws_name AS title, coalesce(o.name, '') AS owner, coalesce(u.nickname, '') AS steward,
       ${epoch('t.waiting_since')} AS at, t.due_at < :now AS late
     FROM threads t
     JOIN sites w ON w.tenant_id = $1 AND w.id = t.site_id
     LEFT JOIN owners o ON o.tenant_id = $1 AND o.id = w.owner_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = w.steward_id
     WHERE ${where.text}
     ORDER BY coalesce(t.due_at, t.waiting_since), t.site_id
     ${FIRST}`,
    where.values,
  )
  return rows.map(({ owner, steward, ...r }) => ({
    ...r,
    text: [owner, steward].filter(Boolean).join(' · '),
    picture: null,
    link: linkTo('OwnerInteract', { site_id: r.id }),
  }))
}
