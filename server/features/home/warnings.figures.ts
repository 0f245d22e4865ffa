import { type CardFigure, homeCard, type HomeRow } from '@zhuguan/contract/features/home/home.record.ts'
import { siteStage } from '@zhuguan/contract/features/sites/sites.record.ts'
import {
  deviationWords,
  warningKind,
  warningLevel,
  warningRule,
} from '@zhuguan/contract/features/warnings/warnings.record.ts'
import type { Code } from '@zhuguan/contract/kit/codes.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int2, int4, row, text, uuid } from '../../kit/row.ts'
import { scoped } from '../../kit/scoped.ts'
import { dayBegins, epoch } from '../../kit/statement.ts'
import { UNCLOSED } from '../warnings/warnings.reads.ts'
import { FIRST } from './most-rows.ts'
import type { Whole } from './sold.figures.ts'

type Kind = Code<typeof warningKind>
const { urgent } = warningLevel.code
const CARD = { schedule: homeCard.code.schedule, quality: homeCard.code.quality } as const satisfies Record<
  Kind,
  string
>

/** Warnings that are not closed, by kind and level. */
async function unclosedNow(tx: Tx, scope: Scope) {
  const where = scoped(scope, 'v').plain(UNCLOSED)
  const { rows } = await tx.query(
    'home.warnings',
    row({ kind: text.of(warningKind), level: int2.of(warningLevel), n: int4 }),
    `SELECT v.kind, v.level, count(*)::int AS n FROM warnings v WHERE ${where.text} GROUP BY v.kind, v.level`,
    where.values,
  )
  return rows
}
/** The number that was not closed at the end of each of these days. */
async function unclosedAtEnds(tx: Tx, scope: Scope, days: readonly string[]) {
  const where = scoped(scope, 'v')
  const list = `$${where.values.push(days)}::date[]`
  const first = `$${where.values.push(days[0])}`
  const end = dayBegins('(t.day + 1)')
  const count = (kind: Kind) => `(count(v.id) FILTER (WHERE v.kind = '${kind}'))::int AS ${kind}`
  const { rows } = await tx.query(
    'home.warningdays',
    row({ schedule: int4, quality: int4 }),
    `SELECT ${warningKind.values.map(count).join(', ')}
     FROM unnest(${list}) WITH ORDINALITY AS t(day, place)
     LEFT JOIN warnings v ON ${where.text} AND (v.closed_at IS NULL OR v.closed_at >= ${dayBegins(first)})
       AND v.opened_at < ${end} AND (v.closed_at IS NULL OR v.closed_at >= ${end})
     GROUP BY t.place
     ORDER BY t.place`,
    where.values,
  )
  return rows
}

/** Unclosed ones, of a kind or of both. */
export const unclosedOf = (kind: Kind | undefined, level?: number) =>
  linkTo('WarningList', { kind, state: ['open', 'handling'], level })
export async function warningFigures(tx: Tx, scope: Scope | undefined, whole: Whole): Promise<CardFigure[]> {
  if (!scope) return []
  const [now, ends] = await Promise.all([
    unclosedNow(tx, scope),
    unclosedAtEnds(tx, scope, whole.days.slice(0, -1)),
  ])
  return warningKind.values.map((kind) => {
    const of = now.filter((r) => r.kind === kind)
    const value = of.reduce((sum, r) => sum + r.n, 0)
    const trend = ends.map((d) => d[kind])
    return {
      ...whole,
      card: CARD[kind],
      value,
      unit: '条',
      of: '现在',
      before: trend.at(-1)!,
      against: '较昨日结束时',
      better: 'less',
      trend: [...trend, value],
      link: unclosedOf(kind),
      parts: [...warningLevel.options].reverse().map((o) => ({
        label: o.label,
        value: of.find((r) => r.level === o.value)?.n ?? 0,
        link: unclosedOf(kind, o.value),
      })),
    }
  })
}

/** The worst first. */
export const warningRows =
  (kind: Kind) =>
  async (tx: Tx, scope: Scope): Promise<HomeRow[]> => {
    const where = scoped(scope, 'v').plain(`v.kind = '${kind}' AND ${UNCLOSED}`)
    const { rows } = await tx.query(
      `home.${kind}rows`,
      row({
        id: uuid,
        site: text,
        rule: text.of(warningRule),
        stage: text.of(siteStage).null,
        about: text,
        deviation: int4,
        level: int2.of(warningLevel),
        at: float8,
      }),
      `SELECT v.id, w.ws_name AS site, v.rule, v.stage, v.about, v.deviation, v.level, ${epoch('v.opened_at')} AS at
       FROM warnings v
       JOIN sites w ON w.tenant_id = $1 AND w.id = v.site_id
       WHERE ${where.text}
       ORDER BY v.place, v.opened_at DESC, v.id
       ${FIRST}`,
      where.values,
    )
    return rows.map((r) => ({
      id: r.id,
      title: `${r.stage ? siteStage.label(r.stage) : r.about}${warningRule.label(r.rule)}`,
      text: `${r.site} · ${deviationWords(r.rule, r.deviation)}`,
      picture: null,
      at: r.at,
      late: r.level === urgent,
      link: linkTo('WarningList', { id: r.id }),
    }))
  }
