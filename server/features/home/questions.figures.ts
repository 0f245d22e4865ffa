import type { CardFigure, HomeRow } from '@zhuguan/contract/features/home/home.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { bool, float8, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { dayBegins, epoch } from '../../kit/statement.ts'
import { LATE, OPEN } from '../questions/undecided.reads.ts'
import { FIRST } from './most-rows.ts'
import type { Whole } from './sold.figures.ts'

/** Homes whose owners have something to decide, and of those the homes where a day is over. */
async function waitingNow(tx: Tx, scope: Scope) {
  const where = scoped(scope, 'q').plain(OPEN)
  const { rows } = await tx.query(
    'home.questions',
    row({ n: int4, late: int4, all: int4 }),
    `SELECT count(DISTINCT q.site_id)::int AS n, (count(DISTINCT q.site_id) FILTER (WHERE ${LATE}))::int AS late,
       count(*)::int AS "all"
     FROM questions q
     WHERE ${where.text}`,
    where.values,
  )
  return rows[0]!
}
/** The same at the end of each of these days. */
async function waitingAtEnds(tx: Tx, scope: Scope, days: readonly string[]): Promise<number[]> {
  const where = scoped(scope, 'q')
  const list = `$${where.values.push(days)}::date[]`
  const first = `$${where.values.push(days[0])}`
  const end = dayBegins('(t.day + 1)')
  const { rows } = await tx.query(
    'home.questiondays',
    row({ n: int4 }),
    `SELECT count(DISTINCT q.site_id)::int AS n
     FROM unnest(${list}) WITH ORDINALITY AS t(day, place)
     LEFT JOIN questions q ON ${where.text} AND (q.closed_at IS NULL OR q.closed_at >= ${dayBegins(first)})
       AND q.asked_at < ${end} AND (q.closed_at IS NULL OR q.closed_at >= ${end})
     GROUP BY t.place
     ORDER BY t.place`,
    where.values,
  )
  return rows.map((r) => r.n)
}

export async function questionFigures(tx: Tx, scope: Scope | undefined, whole: Whole): Promise<CardFigure[]> {
  if (!scope) return []
  const [{ all, late, n }, ends] = await Promise.all([
    waitingNow(tx, scope),
    waitingAtEnds(tx, scope, whole.days.slice(0, -1)),
  ])
  const figure: CardFigure = {
    ...whole,
    card: 'questions',
    value: n,
    unit: '家',
    aside: n ? `共 ${all} 个问题` : '',
    of: '现在',
    before: ends.at(-1)!,
    against: '较昨日结束时',
    better: 'less',
    trend: [...ends, n],
    link: linkTo('OwnerList', { question: 'open' }),
    parts: [{ label: '有逾期', value: late, link: linkTo('OwnerList', { question: 'late' }), late: true }],
  }
  return [figure]
}

/** The order in which the overdue are first. */
export async function questionRows(tx: Tx, scope: Scope): Promise<HomeRow[]> {
  const where = scoped(scope, 'q').plain(OPEN)
  const { rows } = await tx.query(
    'home.questionrows',
    row({ id: uuid, title: text, site_id: uuid, site: text, at: float8, late: bool }),
    `SELECT q.id, q.words AS title, q.site_id, w.ws_name AS site,
       ${epoch(dayBegins('q.needed_by'))} AS at, ${LATE} AS late
     FROM questions q
     JOIN sites w ON w.tenant_id = $1 AND w.id = q.site_id
     WHERE ${where.text}
     ORDER BY q.needed_by, q.id
     ${FIRST}`,
    where.values,
  )
  return rows.map(({ site, site_id, ...q }) => ({
    ...q,
    text: site,
    picture: null,
    link: linkTo('OwnerInfo', { site_id }),
  }))
}
