import { api } from '@zhuguan/contract/api.ts'
import type { Endpoint } from '@zhuguan/contract/kit/api.ts'

import { SEED_ROLES } from '../../server/database/seed/roles.ts'
import { report } from '../../server/testing/device.ts'
import { idPaths, isUuid, schemaOf } from '../../server/testing/id-fields.ts'
import { seconds } from '../../server/testing/time.ts'
import { good, type Schema } from './bad-input.ts'
import { type Caller, dice, type Heard, type Result, signIn } from './client.ts'
import { type Served, setStage, type Stage } from './stage.ts'

/** Stands in every text of another branch and of another group, and nowhere else. */
const CANARY = '鹮'
const LESSONS = 12
/** An id that nobody has. */
const NOBODY = '01900000-0000-7000-8000-000000000000'
const OTHERS = ['1', 1, 'abc', 'Abc123', true, '测试', [1], {}]
/** Bulk commands do what may be done and name the rest; what is not one's own is left alone without a word. */
const LENIENT: string[] = [
  api.alarms.assignMany.path,
  api.alarms.cancelMany.path,
  api.examine.batch.path,
  api.notifications.read.path,
  // Only looks: of what is not one's own it says nothing.
  api.streams.looking.path,
  api.streams.keep.path,
  api.streams.close.path,
]
const AT_ONCE = 8
const ROLES_EACH = 2
const TABLES_EACH = 60
const FOREIGN = { NB: 'branches', SZ: 'tenant' } as const

/** Of ordinary people's calls: what ends a session is asked by another goal. */
const endpoints = Object.values(api)
  .flatMap((feature) => Object.values(feature) as Endpoint[])
  .filter((e) => e.access !== 'device' && e.access !== 'public' && e.work !== 'stream')
  .filter((e) => !/logout|password|totp/.test(e.path))

type Role = (typeof SEED_ROLES)[number]
/** Worked out from the seed's roles and the contract, never from the server. */
const holds = (role: Role, { access }: Endpoint): boolean =>
  typeof access === 'string' ||
  access.some((label) =>
    label.startsWith('page:')
      ? role.pages.some((page) => page === label.slice('page:'.length))
      : role.powers.includes(label) || role.powers.includes('*:*:*'),
  )

/** A list of ids travels as text with commas: its schema shows a text. */
const IDS = /(^|_)(id|ids|bcId|pageIds)$|_id$/
const idsIn = (schema: Schema | undefined) =>
  idPaths(schema, (name, field) => isUuid(field) || IDS.test(name))
/** Texts that have a form of their own. */
const FORMS: Record<string, unknown> = {
  from: '2026-11-01',
  to: '2026-11-02',
  day: '2026-11-01',
  startDate: '2026-11-01',
  plannedStart: '2026-11-01',
  plannedFinish: '2026-12-01',
  area: '80.5',
  pageNo: 1,
  pageSize: 20,
  sort: '',
  code: 'xy',
  phone: '',
  w_contact: '',
  userName: 'somebody',
  version: 0,
  stage: 'tiling',
  lng: 120,
  lat: 30,
  cause: 'wrong',
  key: '01900000-0000-7000-8000-000000000000.jpg',
  pictures: ['01900000-0000-7000-8000-000000000000.jpg'],
  labels: 'site:add',
  label: 'site:add',
  path: '/Strange',
  icon: 'site',
  in: '08:00',
  out: '17:00',
  sns: ['STRANGE-1'],
}

interface Foreign {
  table: string
  id: string
}
/** Ids of rows of a branch, and where they come from. */
async function idsOf(stage: Stage, code: string): Promise<Foreign[]> {
  const { rows: tables } = await stage.owner.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     GROUP BY c.relname`,
  )
  const all: Foreign[] = []
  for (const { name, columns } of tables) {
    const id = name === 'companies' ? 'bc_id' : 'id'
    if (!columns.includes(id) || !columns.includes('tenant_id') || name === 'tenants') continue
    const where = placeOf(columns, code)
    if (!where) continue
    const { rows } = await stage.owner.query<{ id: string }>(
      `SELECT ${id}::text AS id FROM ${name} t WHERE ${where} LIMIT 1`,
    )
    all.push(...rows.map((row) => ({ table: name, id: row.id })))
  }
  return all
}
/** Which rows of a table are this branch's; of another group, all. */
function placeOf(columns: string[], code: string): string | undefined {
  const { bc, tenant } = places.get(code)!
  if (code === 'SZ') return `t.tenant_id = '${tenant}'`
  if (columns.includes('bc_id')) return `t.bc_id = '${bc}'`
  if (columns.includes('site_id')) return `t.site_id IN (SELECT id FROM sites WHERE bc_id = '${bc}')`
  return undefined
}
/** By what they were called before their names were marked. */
const places = new Map<string, { bc: string; tenant: string }>()
async function findPlaces(stage: Stage): Promise<void> {
  for (const code of Object.keys(FOREIGN)) {
    const sql = 'SELECT bc_id::text AS bc, tenant_id::text AS tenant FROM companies WHERE code = $1'
    places.set(code, (await stage.owner.query<{ bc: string; tenant: string }>(sql, [code])).rows[0]!)
  }
}
/** Every text of the foreign rows says whose it is; a column that allows only certain words stays. */
async function markTexts(stage: Stage): Promise<number> {
  const { rows } = await stage.owner.query<{ table: string; column: string; columns: string[] }>(
    `SELECT c.relname AS table, a.attname AS column,
       ARRAY(SELECT b.attname::text FROM pg_attribute b WHERE b.attrelid = c.oid AND b.attnum > 0 AND NOT b.attisdropped) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.atttypid = 'text'::regtype AND a.attgenerated = ''`,
  )
  let marked = 0
  for (const { table, column, columns } of rows)
    for (const code of Object.keys(FOREIGN)) {
      const where = columns.includes('tenant_id') ? placeOf(columns, code) : undefined
      // What a sign-in and a group's own menu are found by stays readable.
      if (!where || /^(user_logs|log_heads|pages|roles|role_powers|page_powers|offered)$/.test(table))
        continue
      const done = await stage.owner
        .query(`UPDATE ${table} t SET ${column} = ${column} || '${CANARY}' WHERE ${where}`)
        .catch(() => undefined)
      marked += done?.rowCount ? 1 : 0
    }
  return marked
}
/** What the foreign rows are, in one word. */
async function foreignState(stage: Stage, tables: { name: string; where: string }[]): Promise<string> {
  const parts = tables.map(
    ({ name, where }) =>
      `SELECT '${name}' AS name, md5(coalesce(string_agg(md5(t::text), '' ORDER BY md5(t::text)), '')) AS digest FROM ${name} t WHERE ${where}`,
  )
  const { rows } = await stage.owner.query<{ digest: string }>(
    `SELECT md5(string_agg(name || digest, '' ORDER BY name, digest)) AS digest FROM (${parts.join(' UNION ALL ')}) x`,
  )
  return rows[0]!.digest
}
async function foreignTables(stage: Stage): Promise<{ name: string; where: string }[]> {
  const { rows } = await stage.owner.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname !~ '^(user_logs|log_heads|jobs|job_runs|live_events|hearing|sessions|device_stands|device_spans|branch_days|site_days)$'
     GROUP BY c.relname`,
  )
  return rows.flatMap(({ name, columns }) =>
    Object.keys(FOREIGN).flatMap((code) => {
      const where = columns.includes('tenant_id') ? placeOf(columns, code) : undefined
      return where ? [{ name, where }] : []
    }),
  )
}

/** Which tables a field's ids come from; one called `id` may be of any. */
function tablesFor(field: string, all: Foreign[]): Foreign[] {
  const nouns: Record<string, string> = {
    bc_id: 'companies',
    bcId: 'companies',
    steward_id: 'users',
    manager_id: 'users',
    assignee_id: 'users',
    user_id: 'users',
    parent_id: 'pages',
    pageIds: 'pages',
    page_id: 'pages',
  }
  const table = nouns[field] ?? (field.endsWith('_id') ? `${field.slice(0, -3)}s` : undefined)
  const own = all.filter((one) => one.table === table)
  return own.length ? own : all.slice(0, TABLES_EACH)
}
const put = (target: unknown, path: string[], value: unknown): unknown => {
  const [name, ...rest] = path as [string, ...string[]]
  if (Array.isArray(target)) return target.map((one) => put(one, rest, value))
  const row = { ...(target as Record<string, unknown>) }
  const old = row[name]
  if (rest.length) row[name] = put(old ?? {}, rest, value)
  else row[name] = Array.isArray(old) ? [value] : value
  return row
}

const among = (values: Record<string, unknown>, schema: Schema) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name in (schema.properties ?? {})))

interface Found {
  wrong: string[]
  calls: number
  reached: number
  named: number
  unreached: string[]
}
/** Every call that names a record, with each id of another branch or group, as people who may make the call. */
async function asked(stage: Stage, server: Served, seed: number, only?: string[]): Promise<Found> {
  const { pick } = dice(seed)
  const people = new Map<string, Caller>()
  for (const role of SEED_ROLES) people.set(role.code, await signIn(server.url, role.code))
  const { rows } = await stage.owner.query<Record<string, string>>(
    `SELECT w.id, w.id AS site_id, w.bc_id, w.bc_id AS "bcId", w.steward_id, w.manager_id, w.store_id,
       (SELECT id FROM workers k WHERE k.bc_id = w.bc_id LIMIT 1) AS worker_id,
       (SELECT id FROM users u WHERE u.bc_id = w.bc_id LIMIT 1) AS user_id
     FROM sites w WHERE code = 'GDHZ001'`,
  )
  const own = rows[0]!
  const foreign = new Map<string, Foreign[]>()
  for (const code of Object.keys(FOREIGN)) foreign.set(code, await idsOf(stage, code))
  const tables = await foreignTables(stage)
  const found: Found = { wrong: [], calls: 0, reached: 0, named: 0, unreached: [] }
  /** What this endpoint has said of its fields: left out (undefined), or another value. */
  let learned: Record<string, unknown> = {}
  const fill = (schema: Schema | undefined): Record<string, unknown> | undefined => {
    if (!schema) return undefined
    const base = good(schema, own, '', pick) as Record<string, unknown>
    const forms = Object.entries({ ...FORMS, ...learned }).filter(([name]) => name in base)
    return { ...base, ...Object.fromEntries(forms) }
  }
  /** Asks with one's own ids until the form is right: what may be left out is, what must be there takes other values. */
  async function learn(endpoint: Endpoint, query: Schema | undefined, body: Schema | undefined, who: Caller) {
    learned = {}
    const tries = new Map<string, number>()
    for (let i = 0; i < LESSONS; i += 1) {
      const blank = Object.fromEntries(Object.keys(own).map((name) => [name, NOBODY]))
      const [q, b] = [
        query && { ...fill(query), ...among(blank, query) },
        body && { ...fill(body), ...among(blank, body) },
      ]
      const heard = await who.ask(endpoint, { query: q ?? {}, body: b })
      const fields = (heard.data as { fields?: Record<string, string> } | null)?.fields
      if (heard.code !== 400 || !fields) return
      for (const name of Object.keys(fields).map((path) => path.split('.')[0]!)) {
        const must = query?.required?.includes(name) || body?.required?.includes(name)
        const n = tries.get(name) ?? 0
        tries.set(name, n + 1)
        learned[name] = must ? OTHERS[n % OTHERS.length] : undefined
      }
    }
  }
  const refusals = async () =>
    Number(
      (
        await stage.owner.query<{ n: string }>(
          `SELECT count(*) AS n FROM user_logs WHERE outcome = 'refused'`,
        )
      ).rows[0]!.n,
    )
  for (const endpoint of endpoints.filter((e) => !only || only.includes(e.path))) {
    const [query, body] = [schemaOf(endpoint.query), schemaOf(endpoint.body)]
    const able = SEED_ROLES.filter((role) => holds(role, endpoint))
    if (able[0]) await learn(endpoint, query, body, people.get(able[0].code)!)
    const jobs: (() => Promise<void>)[] = []
    let [reached, refused] = [0, 0]
    const before = await foreignState(stage, tables)
    const lines = await refusals()
    const judge = (what: string, heard: Heard, mayAnswer: boolean) => {
      found.calls += 1
      if (heard.code === 403 || (heard.code === 401 && heard.msg === 'No Permission')) refused += 1
      if (heard.code !== 400) reached += 1
      if (heard.text.includes(CANARY)) found.wrong.push(`${what}: a foreign word`)
      else if (heard.code === 200 && !mayAnswer) found.wrong.push(`${what}: taken`)
      if (heard.status >= 500 && heard.status !== 503) found.wrong.push(`${what}: ${heard.status}`)
    }
    // Who may not make the call at all, with what would be right.
    for (const role of SEED_ROLES.filter((one) => !holds(one, endpoint)))
      jobs.push(async () => {
        const heard = await people
          .get(role.code)!
          .ask(endpoint, { query: fill(query) ?? {}, body: fill(body) })
        found.calls += 1
        if (heard.msg === 'No Permission') refused += 1
        else found.wrong.push(`${role.code} ${endpoint.path}: without a right: ${heard.code} ${heard.msg}`)
      })
    const fields = [
      ...idsIn(query).map((path) => ['query', path] as const),
      ...idsIn(body).map((path) => ['body', path] as const),
    ]
    for (const [where, path] of fields)
      for (const [code, ids] of foreign) {
        const strangers = able.filter((role) => code === 'SZ' || role.scope !== 'tenant')
        for (const role of strangers.slice(0, ROLES_EACH))
          for (const { table, id } of tablesFor(path.at(-1)!, ids))
            jobs.push(async () => {
              const [q, b] = [fill(query), fill(body)]
              const input = {
                query: (where === 'query' ? put(q, path, id) : (q ?? {})) as Record<string, unknown>,
                body: where === 'body' ? put(b, path, id) : b,
              }
              const heard = await people.get(role.code)!.ask(endpoint, input)
              // A list may be filtered by anything and be empty; what changes something may not.
              const what = `${role.code} ${endpoint.path} ${where}.${path.join('.')} of ${code} ${table}`
              judge(what, heard, (where === 'query' && !body) || LENIENT.includes(endpoint.path))
            })
      }
    for (let i = 0; i < jobs.length; i += AT_ONCE)
      await Promise.all(jobs.slice(i, i + AT_ONCE).map((job) => job()))
    if ((await foreignState(stage, tables)) !== before)
      found.wrong.push(`${endpoint.path}: foreign rows are not what they were`)
    const told = (await refusals()) - lines
    if (told !== refused) found.wrong.push(`${endpoint.path}: ${refused} refusals, ${told} lines in the log`)
    if (fields.length && able.length) {
      found.named += 1
      if (reached) found.reached += 1
      else found.unreached.push(endpoint.path)
    }
  }
  return found
}

/**
 * G-01, generated: calls and their ids come from the contract, foreign ids from the tables, so that an endpoint nobody has
 * thought of is asked like the others. Control: a server with one call that forgets its branch, one its right, one both and
 * writes.
 */
export async function matrix(seed: number): Promise<Result> {
  const stage = await setStage()
  try {
    await stage.owner.query(`SET app.tenant = '*'`)
    const first = await stage.serve()
    for (const code of ['HZ', 'NB', 'SZ'])
      for (const device of stage.devices
        .filter((d) => d.sn.includes(code) && d.type === 'camera')
        .slice(0, 3))
        await report(first.url, device, [
          { id: 'm1', kind: 'alarm', at: seconds() - 9, type: 'smoking', confidence: 0.9 },
          { id: 'm2', kind: 'visitor', at: seconds() - 9, seconds: 9 },
        ])
    await first.end()
    await findPlaces(stage)
    const marked = await markTexts(stage)
    const server = await stage.serve()
    const real = await asked(stage, server, seed)
    await server.end()
    const planted = await stage.serve({ plant: 'astray' })
    const holes = [api.sites.details.path, api.workers.list.path, api.sites.place.path]
    const spoiled = await asked(stage, planted, seed, holes)
    const control = [
      spoiled.wrong.some((why) => why.includes(`${holes[0]} query.id`) && why.endsWith('a foreign word')),
      spoiled.wrong.some((why) => why.includes(`${holes[1]}: without a right`)),
      spoiled.wrong.some((why) => why.includes(`${holes[2]}: foreign rows`)),
    ]
    for (const why of new Set(real.wrong)) console.log(`seed ${seed} wrong: ${why}`)
    for (const path of real.unreached) console.log(`no well-formed call found: ${path}`)
    return {
      value:
        `${real.calls} calls generated, ${real.reached} of ${real.named} calls that name a record reached beyond their ` +
        `form, ${marked} columns marked, wrong ${real.wrong.length}, control ${control.every(Boolean) ? 'found' : 'MISSED'}`,
      ok: real.wrong.length === 0 && control.every(Boolean),
    }
  } finally {
    await stage.close()
  }
}
