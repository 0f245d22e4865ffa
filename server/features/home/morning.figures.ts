import {
  type CardFigure,
  homeCard,
  MORNING_LINES,
  type MorningLine,
} from '@zhuguan/contract/features/home/home.record.ts'
import { stopBall } from '@zhuguan/contract/features/no-work/no-work.record.ts'
import { warningLevel } from '@zhuguan/contract/features/warnings/warnings.record.ts'
import { linkTo } from '@zhuguan/contract/links.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { int4, row, text } from '../../kit/row.ts'
import { scoped, siteScope } from '../../kit/scoped.ts'
import { TODAY } from '../../kit/statement.ts'
import { MISSED, STANDING, WAITED_ORDERS } from '../no-work/silent-sites.reads.ts'
import type { AsOf } from '../statistics/as-of.reads.ts'
import type { Standing } from './home.queries.ts'
import { dueOn, overdueFrom } from './promises.figures.ts'
import { LATE_COMPLAINTS } from './sold.figures.ts'
import { unclosedOf } from './warnings.figures.ts'

/** How far whoever is told in the morning reaches on the pages behind the lines that no card has. */
export interface MorningReach {
  standing: Scope | undefined
  ranks: Scope | undefined
}

/** The batch of orders that most of the sites wait for which should have people today. */
async function worstBatch(tx: Tx, scope: Scope) {
  const where = siteScope(scope).plain(`w.no_work <> '{}'`).plain(MISSED)
  const { rows } = await tx.query(
    'home.batch',
    row({ batch: text, n: int4 }),
    `SELECT a.batch, count(DISTINCT w.id)::int AS n
     FROM sites w
     ${STANDING}
     CROSS JOIN LATERAL (SELECT o.batch ${WAITED_ORDERS} AND o.batch <> '') a
     WHERE ${where.text}
     GROUP BY a.batch
     ORDER BY n DESC, a.batch
     LIMIT 1`,
    where.values,
  )
  return rows[0]
}
/** Sites of today's list that nobody has been to for days. */
async function unvisited(tx: Tx, scope: Scope): Promise<number> {
  const where = scoped(scope, 'k').plain(`k.day = ${TODAY} AND k.reasons @> '[{"code": "unvisited"}]'`)
  const { rows } = await tx.query(
    'home.unvisited',
    row({ n: int4 }),
    `SELECT count(*)::int AS n FROM site_ranks k WHERE ${where.text}`,
    where.values,
  )
  return rows[0]!.n
}
export async function morningFacts(tx: Tx, reach: MorningReach | undefined) {
  if (!reach) return undefined
  const [batch, alone] = await Promise.all([
    reach.standing && worstBatch(tx, reach.standing),
    reach.ranks ? unvisited(tx, reach.ranks) : 0,
  ])
  return { batch, unvisited: alone }
}
type Facts = NonNullable<Awaited<ReturnType<typeof morningFacts>>>

const BATCH_FROM = 2
/** What the sites that should have people wait for, if they wait for one thing; else where most of them wait. */
function heldBy(standing: Standing, n: number, batch: Facts['batch']): string {
  if (batch && batch.n === n && n >= BATCH_FROM) return `，都在等同一批订单（${batch.batch}）`
  const most = standing.toSorted((one, other) => other.missed - one.missed)[0]!
  if (most.missed === n)
    return n === 1 ? `，在等${stopBall.label(most.ball)}` : `，都在等${stopBall.label(most.ball)}`
  return `，最多的 ${most.missed} 个在等${stopBall.label(most.ball)}`
}
/** Nobody is expected before work begins; in the evening it is what became of the day. */
function missedLines(standing: Standing, { batch }: Facts, when: AsOf): MorningLine[] {
  const n = standing.reduce((sum, s) => sum + s.missed, 0)
  if (!when.begun || n === 0) return []
  const what = when.over ? '今天没有人施工' : '今天该有人没人'
  const lines: MorningLine[] = [
    {
      rule: 'missed',
      value: n,
      text: `${n} 个停工的工地${what}${heldBy(standing, n, batch)}`,
      link: linkTo('NoWork', { missed: true }),
    },
  ]
  if (batch && batch.n >= BATCH_FROM && batch.n < n)
    lines.push({
      rule: 'batch',
      value: batch.n,
      text: `其中 ${batch.n} 个在等同一批订单（${batch.batch}）`,
      link: linkTo('NoWork', { missed: true, batch: batch.batch }),
    })
  return lines
}

/**
 * What there is to ask about, the worst first. What a card counts is the card's number, so that line, card and list say
 * the same; `opens` leaves out what leads to a page that is not theirs.
 */
export function morningLines(
  facts: Facts,
  known: { figures: readonly CardFigure[]; standing: Standing; when: AsOf },
  opens: (line: { link: string }) => boolean,
): MorningLine[] {
  const { figures, standing, when } = known
  const { complaints, overdue, promises, quality, schedule } = homeCard.code
  const partOf = (card: CardFigure['card'], link: string) =>
    figures.find((f) => f.card === card)?.parts.find((p) => p.link === link)?.value ?? 0
  const counted = (name: MorningLine['rule'], value: number, text: string, link: string): MorningLine[] =>
    value > 0 ? [{ rule: name, value, text: `${value} ${text}`, link }] : []
  const { urgent } = warningLevel.code
  const alarming =
    partOf(schedule, unclosedOf('schedule', urgent)) + partOf(quality, unclosedOf('quality', urgent))
  const late = figures.find((f) => f.card === overdue)
  const today = when.today
  return [
    ...counted('complaints', partOf(complaints, LATE_COMPLAINTS), '条投诉过了时限', LATE_COMPLAINTS),
    ...counted(
      'broken',
      partOf(promises, overdueFrom(today)),
      '条对业主的承诺过了日子还没兑现',
      overdueFrom(today),
    ),
    ...missedLines(standing, facts, when),
    ...counted('urgent', alarming, '条紧急预警没有关闭', unclosedOf(undefined, urgent)),
    ...(late ? counted('overdue', late.value ?? 0, '条整改超期', late.link) : []),
    ...counted('due', partOf(promises, dueOn(today)), '条对业主的承诺今天到期', dueOn(today)),
    ...counted(
      'unvisited',
      facts.unvisited,
      '个工地好几天没人去过，在今天该巡的名单上',
      linkTo('PatrolRank', { reason: 'unvisited' }),
    ),
  ]
    .filter(opens)
    .slice(0, MORNING_LINES)
}
