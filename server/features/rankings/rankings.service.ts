import type { rankingsApi } from '@zhuguan/contract/features/rankings/rankings.api.ts'
import {
  COVERED_BY,
  ENOUGH_PATROLS,
  LEAST_WEIGHT,
  MOST_WEIGHT,
  type WeightedReason,
  YIELD_DAYS,
} from '@zhuguan/contract/features/rankings/rankings.record.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { found, outside, overtaken, Refused } from '../../kit/refuse.ts'
import { row, text, uuid } from '../../kit/row.ts'
import { hasBranch } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, shanghaiDay } from '../../kit/shanghai.ts'
import { branchName } from '../companies/companies.reads.ts'
import { weightHistory, weights, writeRanks, yields } from './rankings.queries.ts'

/** At most so much a week, up or down. */
const STEP = 0.1
/** So many patrols of the average are thought beside those that were made: few of them move little. */
const CAUTION = 5
const hundredths = (n: number) => Math.round(n * 100) / 100
const share = (found: number, n: number) => `${Math.round((found / n) * 100)}%`

/** The new weight when patrols for this reason find more, or less, than patrols do at large. */
export function learned(weight: number, of: Found, all: Found): number {
  const base = all.found / all.n
  const known = (of.found + CAUTION * base) / (of.n + CAUTION)
  const factor = Math.min(1 + STEP, Math.max(1 - STEP, known / base))
  return hundredths(Math.min(MOST_WEIGHT, Math.max(LEAST_WEIGHT, weight * factor)))
}
interface Found {
  n: number
  found: number
}
const mondayOf = (day: string): string => addDays(day, -((new Date(day).getUTCDay() + 6) % 7))

/** Once a week every weight that nobody holds goes a small step towards what its reason yielded. */
async function learn(tx: Tx, tenant: string, day: string, at: Date): Promise<void> {
  const week = mondayOf(day)
  const due = (await weights(tx, tenant, null)).filter(
    (w) => !w.pinned && (w.learnedOn === null || w.learnedOn < week),
  )
  if (due.length === 0) return
  const found = new Map((await yields(tx, tenant, day, null)).map((y) => [`${y.bc}|${y.code}`, y]))
  const next = due.flatMap(({ bc, reason, weight: was }) => {
    const [of, all] = [found.get(`${bc}|${reason}`), found.get(`${bc}|`)]
    if (!of || !all || of.n < ENOUGH_PATROLS || all.found === 0) return []
    const text =
      `${YIELD_DAYS} 天内为此去了 ${of.n} 次，${of.found} 次发现问题（${share(of.found, of.n)}），` +
      `全部巡检 ${all.n} 次（${share(all.found, all.n)}）`
    return [{ bc, reason, was, weight: learned(was, of, all), text }]
  })
  if (next.length === 0) return
  const { rows } = await tx.query(
    'rankings.learn',
    row({ bc: uuid, reason: text }),
    `INSERT INTO rank_weights AS k (tenant_id, bc_id, reason, weight, learned_on, changed_by, changed_at, version)
     SELECT $1::uuid, x.bc, x.reason, x.weight, $3::date, '系统', $4, 1
     FROM json_to_recordset($2::json) AS x(bc uuid, reason text, weight numeric)
     ON CONFLICT (tenant_id, bc_id, reason) DO UPDATE SET weight = excluded.weight, learned_on = excluded.learned_on,
       changed_by = excluded.changed_by, changed_at = excluded.changed_at, version = k.version + 1
     WHERE NOT k.pinned AND (k.learned_on IS NULL OR k.learned_on < excluded.learned_on)
     RETURNING k.bc_id AS bc, k.reason`,
    [tenant, JSON.stringify(next), week, at],
  )
  const kept = new Set(rows.map((r) => `${r.bc}|${r.reason}`))
  await writeHistory(
    tx,
    tenant,
    at,
    next
      .filter((w) => w.weight !== w.was && kept.has(`${w.bc}|${w.reason}`))
      .map((w) => ({ ...w, actor: '系统' })),
  )
}

interface Line {
  bc: string
  reason: string
  was: number
  weight: number
  text: string
  actor: string
}
const writeHistory = (tx: Tx, tenant: string, at: Date, lines: readonly Line[]) =>
  tx.run(
    'rankings.log',
    `INSERT INTO rank_weight_logs (tenant_id, id, bc_id, reason, at, actor, was, weight, text)
     SELECT $1::uuid, x.id, x.bc, x.reason, $3, x.actor, x.was, x.weight, x.text
     FROM json_to_recordset($2::json)
       AS x(id uuid, bc uuid, reason text, actor text, was numeric, weight numeric, text text)`,
    [tenant, JSON.stringify(lines.map((l) => ({ ...l, id: uuidv7() }))), at],
  )

/** The morning: what was learned, and which sites to patrol today and why. Done twice it does nothing. */
export async function rankSites(tx: Tx, tenant: string, day: string, at: Date): Promise<string> {
  await learn(tx, tenant, day, at)
  const n = await writeRanks(tx, tenant, { day, stages: Object.keys(COVERED_BY) })
  return n ? `${n} 个工地` : ''
}

/** The weight of each reason in a branch, its yield, and the history of the weight. */
export async function weightsOf(tx: Tx, scope: Scope, bc: string, today: string) {
  if (!hasBranch(scope, bc)) throw outside()
  const { tenant } = scope
  const bc_name = found(await branchName(tx, tenant, bc))
  const yielded = await yields(tx, tenant, today, bc)
  const of = (code: string) => {
    const { n = 0, found: hits = 0 } = yielded.find((y) => y.code === code) ?? {}
    return { n, found: hits }
  }
  const kept = await weights(tx, tenant, bc)
  return {
    bc_id: bc,
    bc_name,
    weights: kept.map(({ at, by, pinned, reason, version, weight }) => ({
      reason,
      weight,
      pinned,
      by,
      at,
      version,
      ...of(reason),
    })),
    random: of('random'),
    all: of(''),
    history: await weightHistory(tx, tenant, bc),
  }
}

type Fixing = BodyOf<(typeof rankingsApi)['setWeight']>
type Freeing = BodyOf<(typeof rankingsApi)['freeWeight']>
/** A person sets a weight, which then stays, or lets it learn again from where it is. */
export async function setWeight(
  tx: Tx,
  call: Call,
  body: Freeing & Partial<Pick<Fixing, 'weight'>>,
): Promise<void> {
  const { nickname, scope, tenant } = call.user
  const { bc_id: bc, kind, reason: why, version } = body
  if (!hasBranch(scope, bc)) throw outside()
  found(await branchName(tx, tenant, bc))
  const before = (await weights(tx, tenant, bc)).find((w) => w.reason === kind)!
  if (before.version !== version)
    throw overtaken('项权重', before.at === null ? undefined : { name: before.by, at: before.at })
  const pinned = body.weight !== undefined
  if (!pinned && !before.pinned) throw new Refused('这项权重没有固定，本来就在按效果学习')
  const weight = hundredths(body.weight ?? before.weight)
  if (!(await writeWeight(tx, call, { bc, reason: kind, weight, pinned, version }))) throw overtaken('项权重')
  await writeHistory(tx, tenant, call.now(), [
    {
      bc,
      reason: kind,
      was: before.weight,
      weight,
      text: pinned ? `固定：${why}` : `恢复学习：${why}`,
      actor: nickname,
    },
  ])
  await call.log(tx, {
    action: pinned ? '设置巡检权重' : '恢复权重学习',
    object: 'ranking',
    objectId: bc,
    before: { weight: before.weight, pinned: before.pinned },
    after: { bc_id: bc, reason: kind, weight, pinned, text: why },
  })
}
async function writeWeight(
  tx: Tx,
  call: Call,
  w: { bc: string; reason: WeightedReason; weight: number; pinned: boolean; version: number },
): Promise<boolean> {
  const { rowCount } = await tx.run(
    'rankings.set',
    `INSERT INTO rank_weights AS k (tenant_id, bc_id, reason, weight, pinned, learned_on, changed_by, changed_at,
       version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, :now, 1)
     ON CONFLICT (tenant_id, bc_id, reason) DO UPDATE SET weight = excluded.weight, pinned = excluded.pinned,
       changed_by = excluded.changed_by, changed_at = excluded.changed_at, version = k.version + 1
     WHERE k.version = $8`,
    [
      call.user.tenant,
      w.bc,
      w.reason,
      w.weight,
      w.pinned,
      mondayOf(shanghaiDay(call.now())),
      call.user.nickname,
      w.version,
    ],
  )
  return rowCount === 1
}
