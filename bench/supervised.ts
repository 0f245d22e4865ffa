import { api } from '@zhuguan/contract/api.ts'
import type { Supervised } from '@zhuguan/contract/features/supervision/supervision.record.ts'

import { recountSupervised } from '../server/features/supervision/supervised-days.service.ts'
import { fillCorrections } from './alarm-figures.ts'
import { type Ground, quantile, type Say } from './ground.ts'
import { MIDST, TIMES } from './size.ts'

/** Each correction of the branch with its turn and the moment in which its manager began, and the days counted. */
async function fillTurns(g: Ground, from: string): Promise<void> {
  const { home, owner } = g
  const done = `FROM corrections k WHERE k.bc_id = $1 AND k.assignee_id IS NOT NULL AND k.closed_at IS NOT NULL`
  // Without what is kept statement by statement, which is counted afterwards as the night counts it.
  for (const table of ['correction_turns', 'correction_logs'])
    await owner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  await owner.query(
    `INSERT INTO correction_turns (tenant_id, correction_id, from_at, user_id, due_at, to_at, ended)
     SELECT k.tenant_id, k.id, k.at, k.assignee_id, k.due_at, k.closed_at, 'submitted' ${done}
     ON CONFLICT DO NOTHING`,
    [home.bc],
  )
  await owner.query(
    `INSERT INTO correction_logs (tenant_id, id, correction_id, at, action, actor)
     SELECT k.tenant_id, gen_random_uuid(), k.id, k.at + (k.closed_at - k.at) / 3, '开始整改', '' ${done}
`,
    [home.bc],
  )
  for (const table of ['correction_turns', 'correction_logs'])
    await owner.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
  await owner.query('ANALYZE correction_turns, correction_logs')
  const at = performance.now()
  await owner.query('BEGIN')
  await recountSupervised(
    { run: (_name, text, values) => owner.query(text, [...(values ?? [])]) },
    home.tenant,
    from,
  )
  await owner.query('COMMIT')
  console.log(`the night's count of them: ${((performance.now() - at) / 1_000).toFixed(0)} s`)
  await owner.query(
    'VACUUM ANALYZE correction_turns, correction_logs, supervised_corrections, supervised_days, supervised_times',
  )
}

/** Corrections of each manager that were verified, ran late and were begun, and their times, from the rows. */
const COUNTED = `SELECT k.person AS id, (count(*) FILTER (WHERE k.what = 'corrected'))::int AS corrected,
     (count(*) FILTER (WHERE k.what = 'late'))::int AS late,
     (count(*) FILTER (WHERE k.what = 'responded'))::int AS responded,
     ${['corrected', 'responded']
       .flatMap((what) =>
         [0.5, 0.9].map(
           (
             share,
           ) => `percentile_disc(${share}) WITHIN GROUP (ORDER BY k.took) FILTER (WHERE k.what = '${what}')
             AS "${what}${share * 100}"`,
         ),
       )
       .join(', ')}
   FROM (SELECT t.user_id AS person, 'corrected' AS what, t.to_at AS at,
         greatest(extract(epoch FROM t.to_at - t.from_at), 0)::int AS took
       FROM correction_turns t JOIN corrections c ON c.tenant_id = t.tenant_id AND c.id = t.correction_id
       WHERE c.bc_id = $1 AND c.correction_status = 3 AND t.ended = 'submitted'
     UNION ALL SELECT t.user_id, 'late', t.due_at, NULL
       FROM correction_turns t JOIN corrections c ON c.tenant_id = t.tenant_id AND c.id = t.correction_id
       WHERE c.bc_id = $1 AND c.correction_status <> 4 AND t.due_at >= t.from_at
         AND t.due_at < least(t.to_at, now())
     UNION ALL SELECT t.user_id, 'responded', l.at, greatest(extract(epoch FROM l.at - t.from_at), 0)::int
       FROM correction_turns t JOIN corrections c ON c.tenant_id = t.tenant_id AND c.id = t.correction_id
       JOIN LATERAL (SELECT min(l.at) AS at FROM correction_logs l WHERE l.tenant_id = t.tenant_id
         AND l.correction_id = t.correction_id AND l.action IN ('开始整改', '提交整改照片')
         AND l.at >= t.from_at AND l.at <= coalesce(t.to_at, now())) l ON true
       WHERE c.bc_id = $1 AND c.correction_status <> 4) k
   WHERE k.at >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai'
     AND k.at < ($3::date + 1)::timestamp AT TIME ZONE 'Asia/Shanghai'
   GROUP BY 1`
interface Counted {
  id: string
  corrected: number
  late: number
  responded: number
  corrected50: number
  corrected90: number
  responded50: number
  responded90: number
}
/** The full minute, ten minutes or hour within which a time is told. */
function stepOf(seconds: number): number {
  const [, step] = [
    [3_600, 60],
    [86_400, 600],
    [Infinity, 3_600],
  ].find(([most]) => seconds <= most!)!
  return Math.ceil(seconds / step!) * step!
}

/** All figures of a branch's people from kept days beside seven of them counted from the rows, and equal to these. */
export async function supervised(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  if (!wants('P-05-supervise')) return
  const { from, to } = await fillCorrections(g.owner, g.home.bc)
  await fillTurns(g, from)
  const headers = { ...(await g.signIn('branch_gm')), 'content-type': 'application/json' }
  const path = `${api.supervision.people.path}?pageSize=100&from=${from}&to=${to}`
  const timed = async <T>(what: () => Promise<T>): Promise<{ ms: number; got: T }> => {
    const at = performance.now()
    const got = await what()
    return { ms: performance.now() - at, got }
  }
  const ours: number[] = []
  const bare: number[] = []
  let equal = true
  for (let i = 0; i < TIMES; i += 1) {
    const page = await timed(async () => {
      const answer = await fetch(g.ours.url + path, { method: 'POST', headers })
      return ((await answer.json()) as { data: { list: Supervised[] } }).data.list
    })
    const rows = await timed(async () => (await g.owner.query<Counted>(COUNTED, [g.home.bc, from, to])).rows)
    ours.push(page.ms)
    bare.push(rows.ms)
    const told = new Map(
      page.got.map((p) => [
        p.id,
        `${p.corrected} ${p.correctionP50} ${p.correctionP90} ` +
          `${p.responded} ${p.responseP50} ${p.responseP90} ${p.late}`,
      ]),
    )
    equal &&= rows.got.every((r) => {
      const [c50, c90, r50, r90] = [r.corrected50, r.corrected90, r.responded50, r.responded90].map(stepOf)
      return told.get(r.id) === `${r.corrected} ${c50} ${c90} ${r.responded} ${r50} ${r90} ${r.late}`
    })
  }
  const middle = (all: number[]) =>
    quantile(
      all.toSorted((a, b) => a - b),
      MIDST / TIMES,
    )
  const counted = await g.owner.query<{ n: string }>('SELECT count(*) AS n FROM correction_turns')
  say(
    'P-05-supervise',
    `ManageSupervise over ${Number(counted.rows[0]!.n).toLocaleString('en')} turns of corrections`,
    `${middle(ours).toFixed(0)} ms, ${equal ? 'equal to the rows' : 'NOT EQUAL'}`,
    `${middle(bare).toFixed(0)} ms live GROUP BY of seven of its figures`,
    `${(middle(bare) / middle(ours)).toFixed(1)}×`,
    '≥ 8×, equal',
    middle(bare) / middle(ours) >= 8 && equal,
  )
}
