import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'

import { serveApp } from '../../server/app/serve-app.ts'
import { connect, type Database, type Scope, type Tx } from '../../server/database/connect.ts'
import { SYSTEM } from '../../server/features/session/access.reads.ts'
import { row, there, uuid } from '../../server/kit/row.ts'
import { report } from '../../server/testing/device.ts'
import { seconds } from '../../server/testing/time.ts'
import { sized } from '../size.ts'
import { dice, type Result, signIn } from './client.ts'
import { setStage } from './stage.ts'

const TRANSACTIONS = sized(10_000, 100)
const POOL = 4
/** `tenant_id = $1`, `tenant_id = w.tenant_id`: made true whatever it compares, the parameter still there. */
const without = (text: string) =>
  text.replace(/([\w."]*tenant_id) = (\$\d+(?:::uuid)?|[\w."]*tenant_id)/g, '($1 = $2 OR true)')
interface Said {
  scope: Scope
  text: string
  values: unknown[]
}

/**
 * G-02: the product's own statements, recorded while every endpoint is called, run again without any tenant predicate of their
 * own and stay inside; ten thousand mixed transactions with errors and aborts on a pool of four see no foreign row.
 * Each is asked with the other group's ids as well. Control: the same by the login that may see everything do bring foreign
 * rows, and how many could is said.
 */
export async function isolation(seed: number): Promise<Result> {
  const stage = await setStage()
  const { below, pick, random } = dice(seed)
  const said = new Map<string, Said>()
  const db = connect(stage.logins, { max: POOL })
  const recording: Database = {
    ...db,
    tx: (scope, fn, options) =>
      db.tx(
        scope,
        (tx) => {
          const keep = (text: string, values: unknown[] = []) =>
            !scope.system &&
            /^\s*(SELECT|WITH)/i.test(text) &&
            /tenant_id/.test(text) &&
            !/FOR UPDATE|pg_notify/.test(text) &&
            said.set(text, { scope, text, values })
          const kept: Tx = {
            ...tx,
            query: (n, c, t, v) => (keep(t, v), tx.query(n, c, t, v)),
            last: (n, c, t, v) => (keep(t, v), tx.last(n, c, t, v)),
            send: tx.send,
            afterCommit: tx.afterCommit,
          }
          return fn(kept)
        },
        options,
      ),
  }
  try {
    await stage.owner.query(`SET app.tenant = '*'`)
    const app = await serveApp({
      db: recording,
      dataDir: stage.folder,
      secretKey: stage.secretKey,
      port: 0,
      mqttPort: 0,
      mqttUrl: null,
      sessionMinutes: 60,
      logLevel: 'silent',
      verify: false,
      host: '127.0.0.1',
      now: () => new Date(),
    })
    const now = seconds()
    for (const d of stage.devices)
      await report(
        app.url,
        d,
        d.type === 'camera'
          ? [{ id: 'i', kind: 'alarm', at: now - 9, type: 'smoking', confidence: 0.9 }]
          : d.workers.map((w_id, i) => ({
              id: `i${i}`,
              kind: 'clockin',
              at: now - i,
              w_id,
              direction: 'in',
            })),
      )
    const admin = await signIn(app.url, 'admin')
    const {
      rows: [r],
    } = await stage.owner.query<Record<string, string>>(
      `SELECT w.tenant_id AS tenant, w.id AS site, w.bc_id AS bc, (SELECT id FROM alarms a WHERE a.bc_id = w.bc_id LIMIT 1) AS alarm, (SELECT id FROM devices d WHERE d.site_id = w.id LIMIT 1) AS device, (SELECT worker_id FROM site_members m WHERE m.site_id = w.id LIMIT 1) AS worker, (SELECT id FROM users u WHERE u.tenant_id = w.tenant_id AND u.bc_id IS NOT NULL LIMIT 1) AS person FROM sites w WHERE code LIKE 'GDHZ%' AND status = 1 LIMIT 1`,
    )
    const home = r!
    const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    let asked = 0
    for (const endpoint of Object.values(api).flatMap((f) => Object.values(f) as Endpoint[])) {
      if (
        endpoint.access === 'device' ||
        endpoint.path === api.live.stream.path ||
        endpoint.path === api.session.logout.path
      )
        continue
      // Every kind of record under the names that calls use; one that does not fit is refused and asked without.
      for (const id of [home.site, home.alarm, home.device, home.worker, home.person])
        await admin.ask(endpoint, {
          query: {
            id,
            site_id: home.site,
            worker_id: home.worker,
            day,
            keyword: '杭',
            from: '',
            page: '/Site/SiteList',
          },
          body: {},
        })
      await admin.ask(endpoint, { query: { keyword: 'G' }, body: { id: home.site } })
      await admin.ask(endpoint)
      asked += 1
    }
    await app.close()

    const {
      rows: [other],
    } = await stage.owner.query<{ id: string }>('SELECT id FROM tenants WHERE id <> $1 LIMIT 1', [
      home.tenant,
    ])
    const FOREIGN = new RegExp(`苏州|GDSZ|-SZ-|安居美家|${other!.id}`)
    const inside: string[] = []
    let statements = 0
    let controls = 0
    /** The other group's records in the places of one's own: with these an answer can differ. */
    const { rows: pairs } = await stage.owner.query<Record<string, string>>(
      `SELECT w.tenant_id AS tenant, w.id AS site, w.bc_id AS bc, (SELECT id FROM alarms a WHERE a.bc_id = w.bc_id LIMIT 1) AS alarm, (SELECT id FROM devices d WHERE d.site_id = w.id LIMIT 1) AS device, (SELECT worker_id FROM site_members m WHERE m.site_id = w.id LIMIT 1) AS worker, (SELECT id FROM users u WHERE u.tenant_id = w.tenant_id AND u.bc_id IS NOT NULL LIMIT 1) AS person FROM sites w WHERE code LIKE 'GDSZ%' AND status = 1 LIMIT 1`,
    )
    const theirs = (values: unknown[]): unknown[] => {
      let text = JSON.stringify(values)
      for (const [name, id] of Object.entries(home))
        if (id && pairs[0]?.[name]) text = text.replaceAll(id, pairs[0][name])
      return (JSON.parse(text.replaceAll('杭', '苏')) as unknown[]).map((v, i) =>
        values[i] instanceof Date || Buffer.isBuffer(values[i]) ? values[i] : v,
      )
    }
    let bound = 0
    let unreadable = 0
    for (const s of said.values()) {
      const text = without(s.text)
      if (text === s.text) continue
      statements += 1
      const run = async (scope: Scope, values = s.values) =>
        JSON.stringify(
          (
            await db.tx(
              scope,
              (tx) => tx.query(`x${statements % 50}`, row({}), `${text} /* ${statements} */`, values),
              { readOnly: true },
            )
          ).rows,
        )
      const mine = await run({ tenant: home.tenant!, bcs: null, sites: null, user: null }).catch(
        (error: Error) => ((unreadable += 1), error.message),
      )
      if (FOREIGN.test(mine)) inside.push(s.text.slice(0, 160))
      const bent = theirs(s.values)
      const own = { tenant: home.tenant!, bcs: null, sites: null, user: null }
      // An id of the caller's own may come back as it was asked for; a word of theirs may not.
      // The whole tenant and one branch read by roles of their own, everything else by the login's rule.
      const reaches: Scope[] = [
        own,
        { ...own, bcs: [home.bc!], receivers: [home.bc!] },
        { ...own, bcs: [home.bc!], sites: [home.site!] },
      ]
      for (const reach of reaches) {
        const asked = await run(reach, bent).catch(() => '')
        if (/苏州|GDSZ|-SZ-|安居美家/.test(asked)) inside.push(`with their ids: ${s.text.slice(0, 140)}`)
        if (reach !== own && FOREIGN.test(await run(reach).catch(() => '')))
          inside.push(`in a branch: ${s.text.slice(0, 140)}`)
      }
      if (FOREIGN.test(await run(SYSTEM).catch(() => ''))) controls += 1
      if (/苏州|GDSZ|-SZ-|安居美家/.test(await run(SYSTEM, bent).catch(() => ''))) bound += 1
    }
    for (const t of inside.slice(0, 5)) console.log(`seed ${seed} outside: ${t}`)

    // Mixed tenants and branches on few connections, with everything that can go wrong.
    const { rows: branches } = await stage.owner.query<{ tenant: string; bc: string }>(
      'SELECT tenant_id AS tenant, bc_id AS bc FROM companies',
    )
    let foreign = 0
    let failures = 0
    let n = 0
    const one = async () => {
      const at = pick(branches)
      const narrow = random() < 0.5
      // Half of the branches by their role, half by the login's rule: a connection serves both in turn.
      const receivers = narrow && random() < 0.5 ? [at.bc] : []
      const scope: Scope = {
        tenant: at.tenant,
        bcs: narrow ? [at.bc] : null,
        sites: null,
        receivers,
        user: null,
      }
      const way = below(8)
      const table = pick(['sites', 'alarms', 'devices', 'users', 'companies'])
      await db
        .tx(
          scope,
          async (tx) => {
            const look = async () => {
              const { rows } = await tx.query(
                `mixed.${table}`,
                row({ tenant_id: uuid, bc_id: uuid.null }),
                `SELECT DISTINCT tenant_id, bc_id FROM ${table}`,
              )
              foreign += rows.filter(
                (x) =>
                  x.tenant_id !== at.tenant ||
                  (narrow && ['sites', 'alarms', 'devices'].includes(table) && x.bc_id !== at.bc),
              ).length
            }
            await look()
            if (way === 0) await tx.query('mixed.zero', there, 'SELECT 1 / $1::int', [0])
            if (way === 1) throw new Error('left')
            if (way === 2)
              tx.send(
                'mixed.bad',
                'INSERT INTO notifications (tenant_id, id, user_id, title) VALUES ($1, gen_random_uuid(), gen_random_uuid(), $2)',
                [at.tenant, 'x'],
              )
            if (way === 3)
              await tx.run('mixed.foreign', 'UPDATE sites SET tenant_id = $1 WHERE true', [
                pick(branches.filter((b) => b.tenant !== at.tenant)).tenant,
              ])
            if (way === 4) await tx.query('mixed.end', there, 'SELECT no_such_column FROM sites')
            await look()
          },
          { readOnly: way > 4 },
        )
        .catch(() => (failures += 1))
    }
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        while ((n += 1) <= TRANSACTIONS) await one()
      }),
    )
    const still = (
      await stage.owner.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM sites WHERE code LIKE 'GDHZ%' AND tenant_id = $1`,
        [home.tenant],
      )
    ).rows[0]!.n
    return {
      value: `statements ${statements} of ${asked} endpoints, outside ${inside.length}, not runnable ${unreadable}, control: could differ ${controls} with one's own ids, ${bound} with theirs; transactions ${TRANSACTIONS} (${failures} failed on purpose), foreign rows ${foreign}`,
      ok:
        inside.length === 0 &&
        statements >= 40 &&
        controls >= 10 &&
        bound > controls &&
        unreadable < statements / 10 &&
        foreign === 0 &&
        failures > 1_000 &&
        still > 5,
    }
  } finally {
    await db.close()
    await stage.close()
  }
}
