import {
  type CorrectionSource,
  correctionSource,
} from '@zhuguan/contract/features/corrections/corrections.record.ts'
import type { CardFigure, HomeRow } from '@zhuguan/contract/features/home/home.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int4, row, text, uuid } from '../../kit/row.ts'
import { addDays, startOfDay } from '../../kit/shanghai.ts'
import { dayBegins, epoch } from '../../kit/statement.ts'
import { knownCorrections, overdue, PROBLEM } from '../corrections/corrections.reads.ts'
import type { AlarmsAt } from './home.queries.ts'
import { FIRST } from './most-rows.ts'
import type { Whole } from './sold.figures.ts'

/** Corrections past their time, by what found them. */
async function overdueNow(tx: Tx, scope: Scope) {
  const where = knownCorrections(scope).plain(overdue('k'))
  const { rows } = await tx.query(
    'home.overdue',
    row({ source: text.of(correctionSource), n: int4 }),
    `SELECT k.source, count(*)::int AS n FROM corrections k WHERE ${where.text} GROUP BY k.source`,
    where.values,
  )
  return rows
}
/** The number of corrections without an alarm that were past their time at the end of each of these days. */
async function othersAtEnds(tx: Tx, scope: Scope, days: readonly string[]): Promise<number[]> {
  const where = knownCorrections(scope).plain(`k.source <> 'alarm'`)
  const ends = `$${where.values.push(days.map((d) => startOfDay(addDays(d, 1))))}`
  const first = dayBegins(`$${where.values.push(days[0])}`)
  const { rows } = await tx.query(
    'home.overduedays',
    row({ n: int4 }),
    `SELECT count(x.due_at)::int AS n
     FROM unnest(${ends}::timestamptz[]) WITH ORDINALITY AS t(at, place)
     LEFT JOIN (SELECT k.due_at, k.closed_at FROM corrections k
       WHERE ${where.text} AND (k.closed_at IS NULL OR k.closed_at >= ${first})) x
       ON x.due_at < t.at AND (x.closed_at IS NULL OR x.closed_at >= t.at)
     GROUP BY t.place
     ORDER BY t.place`,
    where.values,
  )
  return rows.map((r) => r.n)
}

const listOf = (source?: CorrectionSource) => linkTo('Correction', { overdue: true, source })
/** Everything to be corrected whose time is over; nothing where the page of corrections is not theirs. */
export async function overdueOf(tx: Tx, scope: Scope | undefined, days: readonly string[]) {
  if (!scope) return undefined
  const [now, before] = await Promise.all([overdueNow(tx, scope), othersAtEnds(tx, scope, days)])
  return { now, before }
}
type Overdue = Awaited<ReturnType<typeof overdueOf>>

/** One figure over all corrections, alarms a part of it; who has no list of corrections sees the alarms alone. */
export function overdueFigure(
  all: Overdue,
  alarms: AlarmsAt,
  ends: readonly AlarmsAt[],
  whole: Whole,
): CardFigure {
  const past = ends.map((e, i) => e.overdue + (all?.before[i] ?? 0))
  const value = all ? all.now.reduce((sum, r) => sum + r.n, 0) : alarms.overdue
  return {
    ...whole,
    card: 'overdue',
    value,
    unit: '条',
    aside: all ? '' : '只含报警',
    of: '现在',
    before: past.at(-1)!,
    against: '较昨日结束时',
    better: 'less',
    trend: [...past, value],
    parts: all
      ? correctionSource.options.map((o) => ({
          label: o.label,
          value: all.now.find((r) => r.source === o.value)?.n ?? 0,
          link: listOf(o.value),
        }))
      : [],
    link: all ? listOf() : linkTo('AlarmEvent', { overdue: true }),
  }
}

/** The order in which the one whose time ended first is first. */
export async function overdueRows(tx: Tx, scope: Scope): Promise<HomeRow[]> {
  const where = knownCorrections(scope).plain(overdue('k'))
  const { rows } = await tx.query(
    'home.overduerows',
    row({ id: uuid, title: text, site: text, who: text, picture: text.null, at: float8 }),
    `SELECT k.id, ${PROBLEM} AS title, w.ws_name AS site, coalesce(u.nickname, '') AS who,
       coalesce(a.picture, k.pictures[1]) AS picture, ${epoch('k.due_at')} AS at
     FROM corrections k
     JOIN sites w ON w.tenant_id = $1 AND w.id = k.site_id
     LEFT JOIN alarms a ON a.tenant_id = $1 AND a.id = k.id
     LEFT JOIN users u ON u.tenant_id = $1 AND u.id = k.assignee_id
     WHERE ${where.text}
     ORDER BY k.due_at, k.id
     ${FIRST}`,
    where.values,
  )
  return rows.map(({ site, who, ...k }) => ({
    ...k,
    text: [site, who].filter(Boolean).join(' · '),
    late: true,
    link: linkTo('Correction', { id: k.id }),
  }))
}
