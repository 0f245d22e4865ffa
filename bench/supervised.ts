import { api } from '@zhuguan/contract/api.ts'
import type { Supervised } from '@zhuguan/contract/features/supervision/supervision.record.ts'
import type pg from 'pg'

import { fillCorrections } from './alarm-figures.ts'
import { type Ground, quantile, type Say } from './ground.ts'
import { MIDST, TIMES } from './size.ts'

/** Each correction of the branch with its turn and the moment in which its manager began. */
async function fillTurns(owner: pg.Client, bc: string): Promise<void> {
  const done = `FROM corrections k WHERE k.bc_id = $1 AND k.assignee_id IS NOT NULL AND k.closed_at IS NOT NULL`
  await owner.query(
    `INSERT INTO correction_turns (tenant_id, correction_id, from_at, user_id, due_at, to_at, ended)
     SELECT k.tenant_id, k.id, k.at, k.assignee_id, k.due_at, k.closed_at, 'submitted' ${done}
     ON CONFLICT DO NOTHING`,
    [bc],
  )
  await owner.query(
    `INSERT INTO correction_logs (tenant_id, id, correction_id, at, action, actor)
     SELECT k.tenant_id, gen_random_uuid(), k.id, k.at + (k.closed_at - k.at) / 3, '开始整改', '' ${done}`,
    [bc],
  )
  await owner.query('VACUUM ANALYZE correction_turns, correction_logs')
}

/** Of each manager the corrections that were verified and how long they took, from the rows themselves. */
const COUNTED = `SELECT k.assignee_id AS id, count(*)::int AS n,
     percentile_disc(0.5) WITHIN GROUP (ORDER BY k.took) AS p50,
     percentile_disc(0.9) WITHIN GROUP (ORDER BY k.took) AS p90
   FROM (SELECT assignee_id, greatest(extract(epoch FROM closed_at - at), 0)::int AS took
     FROM corrections
     WHERE bc_id = $1 AND correction_status = 3 AND assignee_id IS NOT NULL
       AND closed_at >= $2::date::timestamp AT TIME ZONE 'Asia/Shanghai'
       AND closed_at < ($3::date + 1)::timestamp AT TIME ZONE 'Asia/Shanghai') k
   GROUP BY 1`

/** All figures of a branch's people beside three of them that are counted from the rows, and equal to these. */
export async function supervised(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  if (!wants('P-05-supervise')) return
  const { from, to } = await fillCorrections(g.owner, g.home.bc)
  await fillTurns(g.owner, g.home.bc)
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
    const rows = await timed(
      async () =>
        (
          await g.owner.query<{ id: string; n: number; p50: number; p90: number }>(COUNTED, [
            g.home.bc,
            from,
            to,
          ])
        ).rows,
    )
    ours.push(page.ms)
    bare.push(rows.ms)
    const told = new Map(page.got.map((p) => [p.id, `${p.corrected} ${p.correctionP50} ${p.correctionP90}`]))
    equal &&= rows.got.every((r) => told.get(r.id) === `${r.n} ${r.p50} ${r.p90}`)
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
    `${middle(bare).toFixed(0)} ms three of its figures`,
    `${(middle(bare) / middle(ours)).toFixed(2)}×`,
    'equal',
    equal,
  )
}
