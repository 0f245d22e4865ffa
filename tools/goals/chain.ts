import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'

import { connect } from '../../server/database/connect.ts'
import { verifyLog } from '../../server/features/userlogs/log-walk.ts'
import { sealLog } from '../../server/features/userlogs/userlogs.service.ts'
import { sized } from '../size.ts'
import { dice, type Result, signIn } from './client.ts'
import { setStage } from './stage.ts'

const LINES = sized(300, 10)

/** G-25: the log of what people did is changed by somebody who owns the database, in two hundred ways; each is found. Control: untouched, the chain holds. */
export async function chain(seed: number): Promise<Result> {
  const stage = await setStage()
  const { below, pick } = dice(seed)
  const db = connect(stage.logins, { max: 2 })
  try {
    const { url, process: server } = await stage.serve()
    const gm = await signIn(url, 'branch_gm')
    const {
      rows: [home],
    } = await stage.owner.query<{ tenant: string; bc: string }>(
      `SELECT tenant_id AS tenant, bc_id AS bc FROM companies WHERE code = 'HZ'`,
    )
    const { tenant, bc } = home!
    for (let i = 0; i < LINES; i += 1)
      await gm.ask(sitesApi.add, { body: { ws_name: `工地${i}`, bc_id: bc, address: '某路' } })
    await gm.ask(sitesApi.export)
    server.kill('SIGKILL')
    const scope = { tenant, bcs: null, sites: null, user: null }
    // Sealed by steps, as the clock does: several signed heads.
    for (let sealed = 1; sealed;) sealed = await db.tx(scope, (tx) => sealLog(tx, tenant, stage.secretKey))
    const check = () => verifyLog((look) => db.tx(scope, look, { readOnly: true }), tenant, stage.secretKey)
    const before = await check()
    await stage.owner.query(`SET app.tenant = '*'`)
    const last = (
      await stage.owner.query<{ last: number }>(
        `SELECT max(seq)::int AS last FROM user_logs WHERE tenant_id = $1`,
        [tenant],
      )
    ).rows[0]!.last
    const columns: Record<string, string> = {
      at: `at + interval '1 second'`,
      user_name: `user_name || 'x'`,
      user_id: 'gen_random_uuid()',
      ip: `'10.9.9.9'`,
      agent: `agent || 'x'`,
      system: `'yx'`,
      action: `action || 'x'`,
      object: `object || 'x'`,
      object_id: `object_id || 'x'`,
      outcome: `CASE outcome WHEN 'done' THEN 'refused' ELSE 'done' END`,
      before: `'{"forged":1}'`,
      after: `'{"forged":1}'`,
      hash: `md5(hash)`,
    }
    const ways: (() => string)[] = [
      () => {
        const [c, to] = pick(Object.entries(columns))
        return `UPDATE user_logs SET ${c} = ${to} WHERE tenant_id = '${tenant}' AND seq = ${1 + below(last)}`
      },
      () => `DELETE FROM user_logs WHERE tenant_id = '${tenant}' AND seq = ${1 + below(last)}`,
      () => {
        const a = 1 + below(last - 1)
        return `UPDATE user_logs SET seq = -seq WHERE tenant_id = '${tenant}' AND seq IN (${a}, ${a + 1}); UPDATE user_logs SET seq = ${2 * a + 1} + seq WHERE tenant_id = '${tenant}' AND seq < 0`
      },
      () =>
        `UPDATE user_logs SET seq = seq + 1000000 WHERE tenant_id = '${tenant}' AND seq > ${below(last)}; UPDATE user_logs SET seq = seq - 999999 WHERE tenant_id = '${tenant}' AND seq > 1000000; INSERT INTO user_logs (tenant_id, id, action, seq, hash) SELECT tenant_id, gen_random_uuid(), '伪造', g, 'x' FROM (SELECT '${tenant}'::uuid AS tenant_id, coalesce((SELECT g FROM generate_series(1, ${last + 1}) g WHERE NOT EXISTS (SELECT 1 FROM user_logs l WHERE l.tenant_id = '${tenant}' AND l.seq = g) LIMIT 1), 1) AS g) x`,
      () => `UPDATE log_heads SET signature = md5(signature) WHERE tenant_id = '${tenant}'`,
      () =>
        `UPDATE log_heads SET hash = md5(hash) WHERE tenant_id = '${tenant}' AND seq = (SELECT seq FROM log_heads WHERE tenant_id = '${tenant}' ORDER BY random() LIMIT 1)`,
      () => `DELETE FROM user_logs WHERE tenant_id = '${tenant}' AND seq > ${last - 1 - below(20)}`,
      () =>
        // Behind the other's lines, which may have the same numbers.
        `UPDATE user_logs SET tenant_id = (SELECT id FROM tenants WHERE id <> '${tenant}' LIMIT 1), seq = seq + 1000000
         WHERE tenant_id = '${tenant}' AND seq = ${1 + below(last)}`,
    ]
    let found = 0
    const missed: string[] = []
    for (let i = 0; i < 200; i += 1) {
      const text = ways[i < 120 ? 0 : i % ways.length]!()
      await stage.owner.query('BEGIN')
      await stage.owner.query(
        `CREATE TEMP TABLE kept_logs ON COMMIT PRESERVE ROWS AS SELECT * FROM user_logs; CREATE TEMP TABLE kept_heads ON COMMIT PRESERVE ROWS AS SELECT * FROM log_heads; ${text}`,
      )
      await stage.owner.query('COMMIT')
      if ((await check()).ok) missed.push(text)
      else found += 1
      await stage.owner.query(
        'BEGIN; DELETE FROM user_logs; DELETE FROM log_heads; INSERT INTO user_logs SELECT * FROM kept_logs; INSERT INTO log_heads SELECT * FROM kept_heads; DROP TABLE kept_logs, kept_heads; COMMIT',
      )
    }
    const after = await check()
    for (const m of missed) console.log(`seed ${seed} missed: ${m}`)
    const control = before.ok && after.ok && before.checked >= LINES
    return {
      value: `lines ${before.checked}, tamperings 200, found ${found}, control ${control ? 'holds' : 'BROKEN'}`,
      ok: found === 200 && control,
    }
  } finally {
    await db.close()
    await stage.close()
  }
}
