import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'

import { connect } from '../../server/database/connect.ts'
import { blackenLog } from '../../server/features/userlogs/blackening.service.ts'
import { verifyLog } from '../../server/features/userlogs/log-walk.ts'
import { sealLog } from '../../server/features/userlogs/userlogs.service.ts'
import { sized } from '../size.ts'
import { dice, type Result, signIn } from './client.ts'
import { setStage } from './stage.ts'

const LINES = sized(300, 10)

/** Words that every fourth line says of somebody, and a line of a release before all in its chain. */
const OWNER = '阎请忘'

/**
 * G-25: the log of what people did is changed by somebody who owns the database, in two hundred ways, and then in as
 * many more over lines out of which a person was taken; each is found. Control: untouched, the chain holds each time.
 */
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
      await gm.ask(sitesApi.add, {
        body: { ws_name: `工地${i}`, bc_id: bc, address: '某路', owner: i % 4 ? `业主${i}` : OWNER },
      })
    await gm.ask(sitesApi.export)
    server.kill('SIGKILL')
    const scope = { tenant, bcs: null, sites: null, user: null }
    await stage.owner.query(`SET app.tenant = '*'`)
    await stage.owner.query(
      `INSERT INTO user_logs (tenant_id, id, user_name, action, object, object_id, after, at)
       SELECT $1, gen_random_uuid(), 'steward', '编辑联系人', 'contact', 'old',
         jsonb_build_object('name', $2::text, 'n', n), now()
       FROM generate_series(1, $3::int) n`,
      [tenant, OWNER, LINES],
    )
    // Sealed by steps, as the clock does: several signed heads.
    for (let sealed = 1; sealed;) sealed = await db.tx(scope, (tx) => sealLog(tx, tenant, stage.secretKey))
    const check = () => verifyLog((look) => db.tx(scope, look, { readOnly: true }), tenant, stage.secretKey)
    const before = await check()
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
    const tables = ['user_logs', 'log_heads', 'log_blackened']
    const each = (statement: (table: string) => string) => tables.map(statement).join('; ')
    async function tamper(text: string) {
      await stage.owner.query('BEGIN')
      await stage.owner.query(
        `${each((t) => `CREATE TEMP TABLE kept_${t} ON COMMIT PRESERVE ROWS AS SELECT * FROM ${t}`)}; ${text}`,
      )
      await stage.owner.query('COMMIT')
      if ((await check()).ok) missed.push(text)
      else found += 1
      await stage.owner.query(
        `BEGIN; ${each(
          (t) => `DELETE FROM ${t}; INSERT INTO ${t} SELECT * FROM kept_${t}; DROP TABLE kept_${t}`,
        )}; COMMIT`,
      )
    }
    for (let i = 0; i < 200; i += 1) await tamper(ways[i < 120 ? 0 : i % ways.length]!())
    const between = await check()

    // The person is taken out of it: the same once more, and what only such lines and their entries bear.
    const done = await db.tx(scope, (tx) => blackenLog(tx, tenant, stage.secretKey, [OWNER]))
    const black = (
      await stage.owner.query<{ seq: string }>(
        `SELECT seq FROM log_blackened WHERE tenant_id = $1 ORDER BY seq`,
        [tenant],
      )
    ).rows.map((r) => Number(r.seq))
    const besides = (
      await stage.owner.query<{ seq: string }>(
        `SELECT l.seq FROM user_logs l WHERE l.tenant_id = $1 AND l.beside <> '{}' AND l.seq <> ALL ($2::bigint[])
         ORDER BY l.seq`,
        [tenant, black],
      )
    ).rows.map((r) => Number(r.seq))
    const at = (seqs: readonly number[]) => `tenant_id = '${tenant}' AND seq = ${pick(seqs)}`
    const besideOf = (pair: string, values = 'jsonb_each(beside)') =>
      `UPDATE user_logs SET beside = (SELECT jsonb_object_agg(${pair}) FROM ${values} e) WHERE ${at(besides)}`
    const entryColumns = ['previous', 'was', 'stands', 'signature']
    const over: (() => string)[] = [
      () => {
        const [c, to] = pick(Object.entries(columns))
        return `UPDATE user_logs SET ${c} = ${to} WHERE ${at(black)}`
      },
      () => {
        const c = pick(entryColumns)
        return `UPDATE log_blackened SET ${c} = md5(${c}) WHERE ${at(black)}`
      },
      () => `DELETE FROM log_blackened WHERE ${at(black)}`,
      () => `DELETE FROM user_logs WHERE ${at(black)}`,
      // What was taken out is put back, or something else in its place.
      () =>
        `UPDATE user_logs SET after = jsonb_set(after, '{name}', '"${pick([OWNER, '别人'])}"') WHERE ${at(black)}`,
      () => `UPDATE user_logs SET beside = '{"x": ["y", "z"]}' WHERE ${at(black)}`,
      // Lines that nobody asked to be forgotten lose a value, all values, or get another, with an entry or without.
      () => `UPDATE user_logs SET beside = NULL WHERE ${at(besides)}`,
      () => besideOf('e.key, e.value', `(SELECT * FROM jsonb_each(beside) OFFSET 1)`),
      () => besideOf(`e.key, jsonb_set(e.value, '{1}', '"别人"')`),
      () => besideOf('md5(e.key) || md5(e.key), e.value'),
      () => {
        const line = at(besides)
        return `UPDATE user_logs SET after = '{"forged":1}' WHERE ${line};
          INSERT INTO log_blackened
          SELECT l.tenant_id, l.seq, p.hash, l.hash, b.stands, b.signature, b.at
          FROM (SELECT * FROM user_logs WHERE ${line}) l
          JOIN user_logs p ON p.tenant_id = l.tenant_id AND p.seq = l.seq - 1,
            (SELECT * FROM log_blackened LIMIT 1) b`
      },
      () => `UPDATE log_blackened SET seq = seq + 1000000 WHERE ${at(black)}`,
      () => `UPDATE log_blackened SET at = at + interval '1 hour' WHERE ${at(black)}`,
    ]
    for (let i = 0; i < 200; i += 1) await tamper(over[i % over.length]!())
    const after = await check()
    for (const m of missed) console.log(`seed ${seed} missed: ${m}`)
    const blackened = black.length
    const holds = before.ok && between.ok && after.ok && before.checked >= LINES
    const control =
      holds && before.blackened === 0 && after.blackened === blackened && done.lines === blackened
    const told = `lines ${before.checked}, blackened ${blackened}, tamperings 400, found ${found}`
    return {
      value: `${told}, control ${control ? 'holds' : 'BROKEN'}`,
      ok: found === 400 && control && done.rewritten === LINES && blackened > LINES,
    }
  } finally {
    await db.close()
    await stage.close()
  }
}
