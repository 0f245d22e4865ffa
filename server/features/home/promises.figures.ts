import type { CardFigure, HomeRow } from '@zhuguan/contract/features/home/home.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { addDays } from '../../kit/shanghai.ts'
import { dayBegins, epoch, TODAY } from '../../kit/statement.ts'
import { OPEN } from '../promises/open-promises.reads.ts'
import { FIRST } from './most-rows.ts'
import type { Whole } from './sold.figures.ts'

/** Due today or before and still open. */
async function dueNow(tx: Tx, scope: Scope) {
  const where = scoped(scope, 'p').plain(`${OPEN} AND p.due <= ${TODAY}`)
  const { rows } = await tx.query(
    'home.promises',
    row({ n: int4, late: int4 }),
    `SELECT count(*)::int AS n, (count(*) FILTER (WHERE p.due < ${TODAY}))::int AS late
     FROM promises p
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]!
}
/** The same at the end of each of these days, by the ledger. */
async function dueAtEnds(tx: Tx, scope: Scope, days: readonly string[]): Promise<number[]> {
  const where = scoped(scope, 'p')
  const list = `$${where.values.push(days)}::date[]`
  const first = `$${where.values.push(days[0])}`
  const before = `e.at < ${dayBegins('(t.day + 1)')}`
  const of = `e.tenant_id = $1 AND e.promise_id = p.id AND ${before}`
  const { rows } = await tx.query(
    'home.promisedays',
    row({ n: int4 }),
    `SELECT count(p.id)::int AS n
     FROM unnest(${list}) WITH ORDINALITY AS t(day, place)
     LEFT JOIN promises p ON ${where.text} AND (${OPEN} OR p.changed_at >= ${dayBegins(first)})
       AND p.first_due <= t.day AND p.made_at < ${dayBegins('(t.day + 1)')}
       AND coalesce((SELECT max(e.to_due) FROM promise_events e WHERE ${of} AND e.act = 'extend'), p.first_due) <= t.day
       AND NOT EXISTS (
         SELECT FROM promise_events e WHERE ${of} AND e.act IN ('keep', 'break', 'withdraw'))
     GROUP BY t.place
     ORDER BY t.place`,
    where.values,
  )
  return rows.map((r) => r.n)
}

const dueFrom = (asked: { from?: string; to: string }) =>
  linkTo('PromiseList', { state: ['open', 'extended'], ...asked })
export const overdueFrom = (today: string) => dueFrom({ to: addDays(today, -1) })
export const dueOn = (today: string) => dueFrom({ from: today, to: today })
export async function promiseFigures(tx: Tx, scope: Scope | undefined, whole: Whole): Promise<CardFigure[]> {
  if (!scope) return []
  const today = whole.days.at(-1)!
  const [{ late, n }, ends] = await Promise.all([
    dueNow(tx, scope),
    dueAtEnds(tx, scope, whole.days.slice(0, -1)),
  ])
  const figure: CardFigure = {
    ...whole,
    card: 'promises',
    value: n,
    unit: '条',
    of: '现在',
    before: ends.at(-1)!,
    against: '较昨日结束时',
    better: 'less',
    trend: [...ends, n],
    link: dueFrom({ to: today }),
    parts: [
      { label: '已逾期', value: late, link: overdueFrom(today), late: true },
      { label: '今天到期', value: n - late, link: dueOn(today) },
    ],
  }
  return [figure]
}

/** The longest due first. */
export async function promiseRows(tx: Tx, scope: Scope): Promise<HomeRow[]> {
  const where = scoped(scope, 'p').plain(`${OPEN} AND p.due <= ${TODAY}`)
  const { rows } = await tx.query(
    'home.promiserows',
    row({ id: uuid, title: text, site: text, responsible: text, at: float8, late: bool }),
    `SELECT p.id, p.content AS title, w.ws_name AS site, coalesce(u.nickname, '') AS responsible,
       ${epoch(dayBegins('p.due'))} AS at, p.due < ${TODAY} AS late
     FROM promises p
     JOIN sites w ON w.tenant_id = $1 AND w.id = p.site_id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = p.responsible_id
     WHERE ${where.text}
     ORDER BY p.due, p.id
     ${FIRST}`,
    where.values,
  )
  return rows.map(({ responsible, site, ...p }) => ({
    ...p,
    text: [site, responsible].filter(Boolean).join(' · '),
    picture: null,
    link: linkTo('PromiseList', { id: p.id }),
  }))
}
