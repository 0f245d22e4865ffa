import { sitesApi } from '@zhuguan/contract/features/sites/sites.api.ts'

import { sized } from '../size.ts'
import { dice, type Heard, type Result, send, signIn } from './client.ts'
import type { Plant } from './plants.ts'
import { setStage, type Stage } from './stage.ts'

const FEW = sized(40, 2)

export interface Schema {
  /** Several where it may be empty (OpenAPI 3.1). */
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  additionalProperties?: Schema | boolean
}
interface Operation {
  parameters: { name: string; schema: Schema; required: boolean }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
  'x-access': unknown
}

const HOSTILE: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  'NaN',
  'Infinity',
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\uffff',
  '﷽'.repeat(50),
  'x'.repeat(10_000),
  '0'.repeat(400),
  [],
  [[]],
  [null],
  {},
  { $gt: '' },
  { __proto__: { admin: true } },
  { constructor: 1 },
  'constructor',
  '__proto__',
  'toString',
  `' OR '1'='1`,
  `'; DROP TABLE sites; --`,
  `1); SELECT pg_sleep(5); --`,
  `" OR ""="`,
  `%`,
  `_`,
  `\\`,
  `%00`,
  `%27`,
  `$1`,
  `\${7*7}`,
  `{{7*7}}`,
  `<script>alert(1)</script>`,
  `<img src=x onerror=alert(1)>`,
  `../../../../etc/passwd`,
  `..\\..\\windows\\win.ini`,
  `/etc/passwd`,
  `file:///etc/passwd`,
  `http://169.254.169.254/`,
  `\r\nSet-Cookie: a=b`,
  `00000000-0000-0000-0000-000000000000`,
  `FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF`,
  `1970-01-01`,
  `9999-12-31`,
  `0000-00-00`,
  `2026-02-30`,
  `2026-13-01`,
  `-271821-04-20`,
  `infinity`,
  `epoch`,
  `now`,
  `1,2,3`,
  ',,,',
  '-',
  '--',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '1e400',
  '0x10',
  '١٢٣',
  '；',
  '‮',
  '👨‍👩‍👧‍👦'.repeat(20),
]
const LEAKS =
  /\bat .*\.[jt]s:\d+|node_modules|SELECT .* FROM|syntax error at|violates (check|foreign|unique|not-null)|relation "|column "|pg_|invalid input syntax|postgres|ECONN|TypeError|undefined is not/i

/** A sentence may name what was typed; that is nothing of ours. */
const OWN = HOSTILE.filter((sent): sent is string => typeof sent === 'string' && LEAKS.test(sent))
const withoutOwn = (text: string): string => OWN.reduce((rest, sent) => rest.replaceAll(sent, ''), text)

/** What a schema is one of. */
const choices = (s: Schema): Schema[] | undefined =>
  s.anyOf ?? s.oneOf ?? (Array.isArray(s.type) ? s.type.map((type) => ({ ...s, type })) : undefined)
/** A value that the schema allows. */
export function good(
  s: Schema,
  ids: Record<string, string>,
  name: string,
  pick: <T>(l: readonly T[]) => T,
): unknown {
  const one = choices(s)
  if (one) return good(one.find((x) => x.type !== 'null') ?? one[0]!, ids, name, pick)
  if (s.allOf) return good(s.allOf[0]!, ids, name, pick)
  if (s.enum) return pick(s.enum)
  if (s.type === 'object' || s.properties)
    return Object.fromEntries(Object.entries(s.properties ?? {}).map(([k, v]) => [k, good(v, ids, k, pick)]))
  if (s.type === 'array')
    return Array.from({ length: Math.max(1, s.minItems ?? 1) }, () => good(s.items ?? {}, ids, name, pick))
  if (s.type === 'integer' || s.type === 'number') return Math.max(s.minimum ?? 1, 0) || 1
  if (s.type === 'boolean') return true
  if (ids[name]) return ids[name]
  if (s.format === 'uuid') return ids.id
  if (/\\d\{4\}-\\d\{2\}/.test(s.pattern ?? '')) return '2026-11-01'
  return '测试内容'.padEnd(s.minLength ?? 0, '长').slice(0, s.maxLength ?? 40)
}

/** What is wrong with `v` under `s`, by path; null when it fits. */
export function unfit(v: unknown, s: Schema, at = ''): string | null {
  const one = choices(s)
  if (one) return one.some((x) => unfit(v, x, at) === null) ? null : `${at}: none of ${one.length}`
  if (v === null)
    return s.type === undefined || s.type === 'null' || s.enum?.includes(null) ? null : `${at}: null`
  if (s.type === 'null') return `${at}: not null`
  if (s.enum) return s.enum.includes(v) ? null : `${at}: ${JSON.stringify(v)} of ${JSON.stringify(s.enum)}`
  if (s.properties || s.type === 'object') {
    if (typeof v !== 'object' || Array.isArray(v)) return `${at}: no object`
    const row = v as Record<string, unknown>
    for (const k of s.required ?? []) if (!(k in row)) return `${at}.${k}: missing`
    for (const [k, x] of Object.entries(s.properties ?? {}))
      if (k in row) {
        const why = unfit(row[k], x, `${at}.${k}`)
        if (why) return why
      }
    return null
  }
  if (s.type === 'array') {
    if (!Array.isArray(v)) return `${at}: no list`
    for (const [i, x] of v.entries()) {
      const why = unfit(x, s.items ?? {}, `${at}[${i}]`)
      if (why) return why
    }
    return null
  }
  if (s.type === 'integer') return Number.isInteger(v) ? null : `${at}: no integer`
  if (s.type === 'number') return typeof v === 'number' ? null : `${at}: no number`
  if (s.type === 'string' || s.type === 'boolean') return typeof v === s.type ? null : `${at}: no ${s.type}`
  return null
}

interface Tried {
  problems: string[]
  calls: number
  operations: number
  /** Calls of which none was taken. */
  refusedAll: string[]
}
/** Every operation of the OpenAPI document, or the one at `plant.path`, `times` times with one thing broken. */
async function tried(
  stage: Stage,
  seed: number,
  times: number,
  plant?: { plant: Plant; path: string },
): Promise<Tried> {
  const { below, pick, random } = dice(seed)
  const server = await stage.serve(plant)
  const { url } = server
  const people = await Promise.all(['admin', 'branch_gm', 'device_keeper'].map((n) => signIn(url, n)))
  const doc = JSON.parse((await send(url, 'GET', '/open/openapi.json', {})).text) as {
    paths: Record<string, Record<string, Operation>>
  }
  const {
    rows: [ids],
  } = await stage.owner.query<Record<string, string>>(
    `SELECT id, id AS site_id, bc_id, steward_id, manager_id, store_id, ws_name FROM sites WHERE code LIKE 'GDHZ%' LIMIT 1`,
  )
  const problems: string[] = []
  const refusedAll: string[] = []
  let calls = 0
  let operations = 0
  const seen = (what: string, heard: Heard, schema: Schema | undefined) => {
    if (heard.status >= 500 && heard.status !== 503) problems.push(`${what}: HTTP ${heard.status}`)
    if (heard.code === 500 && heard.msg !== 'Token Expiration') problems.push(`${what}: ${heard.msg}`)
    if (LEAKS.test(withoutOwn(heard.msg)) || (heard.code !== 200 && LEAKS.test(withoutOwn(heard.text))))
      problems.push(`${what}: says ${heard.text.slice(0, 200)}`)
    if (heard.code === 200 && schema) {
      const why = unfit(heard.data, schema)
      if (why) problems.push(`${what}: answer ${why}`)
    }
  }
  /** Rows of every table: a refused call adds nothing but its line in the log. */
  const { rows: tables } = await stage.owner.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname NOT IN ('user_logs', 'log_blackened', 'log_heads', 'sessions', 'jobs', 'users', 'live_events', 'device_spans', 'branch_days', 'schema_migrations')`,
  )
  const counts = async () =>
    (
      await stage.owner.query(
        `SELECT ${tables.map((t) => `(SELECT count(*) FROM ${t.name}) AS ${t.name}`).join(', ')}`,
      )
    ).rows[0] as Record<string, string>

  for (const [path, methods] of Object.entries(doc.paths)) {
    for (const [method, op] of Object.entries(methods)) {
      if (/logout|live\/stream|update-password/.test(path)) continue
      if (plant && plant.path !== path) continue
      operations += 1
      const schema = op.requestBody?.content['application/json']?.schema
      const answer = op.responses[200]?.content?.['application/json']?.schema.properties?.data
      const before = await counts()
      let accepted = 0
      const call = async (i: number) => {
        const query = Object.fromEntries(
          op.parameters
            .filter((p) => p.required || random() < 0.4)
            .map((p) => [p.name, String(good(p.schema, ids!, p.name, pick))]),
        )
        let body: unknown = schema ? good(schema, ids!, '', pick) : undefined
        let raw: string | undefined
        const hostile = HOSTILE[(i + below(7)) % HOSTILE.length]
        const fields = [
          ...op.parameters.map((p) => ['query', p.name] as const),
          ...Object.keys(schema?.properties ?? {}).map((k) => ['body', k] as const),
        ]
        const kind = below(12)
        if (kind === 0 && schema)
          raw = pick([
            '{',
            '[]',
            'null',
            '"x"',
            '1',
            '{"a":',
            '\u0000',
            '{"__proto__":{"x":1}}',
            '['.repeat(5_000),
          ])
        else if (kind === 1) query[`unknown${below(9)}`] = String(hostile)
        else if (kind === 2 && schema?.required?.length)
          body = Object.fromEntries(
            Object.entries(body as object).filter(
              ([k]) => k !== schema.required![below(schema.required!.length)],
            ),
          )
        else if (kind === 3 && schema) body = { ...(body as object), tenant_id: hostile, id: hostile }
        else if (fields.length) {
          const [where, name] = pick(fields)
          if (where === 'query')
            query[name] = typeof hostile === 'object' ? JSON.stringify(hostile) : String(hostile)
          else body = { ...(body as object), [name]: hostile }
        }
        const params = new URLSearchParams(
          Object.entries(query).map(([k, v]) => [k, v.toWellFormed()]),
        ).toString()
        const heard = await send(
          url,
          method.toUpperCase(),
          `${path}${params ? `?${params}` : ''}`,
          {
            'content-type': 'application/json',
            ...people[i % people.length]!.headers,
            'x-forwarded-for': `10.${below(250)}.${below(250)}.${below(250)}`,
          },
          raw ?? (body === undefined ? '' : JSON.stringify(body)),
        )
        calls += 1
        if (heard.code === 200) accepted += 1
        seen(`${method} ${path} #${i}`, heard, answer)
      }
      for (let i = 0; i < times; i += 8)
        await Promise.all(Array.from({ length: Math.min(8, times - i) }, (_, j) => call(i + j)))
      const after = await counts()
      if (accepted === 0) {
        refusedAll.push(path)
        for (const [t, n] of Object.entries(after))
          if (n !== before[t])
            problems.push(`${method} ${path}: every call was refused, yet ${t} has ${before[t]} → ${n}`)
      }
    }
  }
  await server.end()
  return { problems, calls, operations, refusedAll }
}

/**
 * G-04: somebody who may call it calls every operation with one thing broken. Nothing answers 5xx or 系统繁忙, tells of its
 * insides, writes a part, or answers outside its schema. Controls: a call that answers with the insides of an error, one
 * that writes before it refuses, and an answer that does not fit its schema.
 */
export async function badInput(seed: number, times: number): Promise<Result> {
  const stage = await setStage()
  try {
    await stage.owner.query(`SET app.tenant = '*'`)
    const { problems, calls, operations, refusedAll } = await tried(stage, seed, times)
    for (const p of [...new Set(problems.map((x) => x.replace(/#\d+|编号 \w+/g, '')))].slice(0, 20))
      console.log(`seed ${seed} ${p}`)
    const crashing = await tried(stage, seed, FEW, { plant: 'crashing', path: sitesApi.list.path })
    const early = await tried(stage, seed, FEW, { plant: 'early', path: refusedAll[0] ?? '' })
    const control =
      crashing.problems.some((p) => p.includes('HTTP 500')) &&
      crashing.problems.some((p) => p.includes('says')) &&
      early.problems.some((p) => p.includes('every call was refused, yet hearing')) &&
      unfit({ list: 1 }, { type: 'object', properties: { list: { type: 'array' } }, required: ['list'] }) !==
        null
    return {
      value: `operations ${operations}, calls ${calls}, wrong ${problems.length}, control ${control ? 'found' : 'MISSED'}`,
      ok: problems.length === 0 && operations >= 40 && control,
    }
  } finally {
    await stage.close()
  }
}
