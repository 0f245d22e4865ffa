import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'

import pg from 'pg'

import { customerPage } from '../server/features/customers/customers.queries.ts'
import { orderPage } from '../server/features/orders/orders.queries.ts'
import { planPage } from '../server/features/orders/plan.queries.ts'
import { SITE_COLUMNS, SITE_FROM, siteDetailJson, sitePage } from '../server/features/sites/sites.queries.ts'
import { orderOf, pageJson, type PageOf } from '../server/kit/statement.ts'
import type { Tx } from '../server/kit/tx.ts'
import { copyOut } from './copy.ts'

/**
 * The limit that every figure is measured against: node:http and pg, nothing else. No session, no tenant, no check, no log.
 * Its own process, as the product's server is. Environment: DATABASE (owner's address), TENANT, BC.
 */
// The owner is no superuser everywhere: forced row-level security lets it see nothing unless it says so.
const pool = new pg.Pool({ connectionString: process.env.DATABASE!, max: 12, options: '-c app.tenant=*' })
const [tenant, bc] = [process.env.TENANT!, process.env.BC!]

const query = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values })
/** The product's own statements, bare: one round trip, no transaction around it. */
const asked = (name: string, _columns: object, text: string, values: unknown[]) => query(name, text, values)
const bare = { last: asked, query: asked } as unknown as Tx
const scope = { tenant, bcs: [bc], sites: null, user: null }

const PAGE = `SELECT ${SITE_COLUMNS}, (SELECT count(*)::int FROM sites w WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = $3 AND w.deleted_at IS NULL) AS total FROM ${SITE_FROM} WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = $3 AND w.deleted_at IS NULL ORDER BY w.code DESC, w.id DESC LIMIT 20`
const ADD = `WITH w AS (INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, address) VALUES ($1, gen_random_uuid(), $2, '新工地', $3, '某地') RETURNING tenant_id, id)
  INSERT INTO site_stages (tenant_id, site_id, stage, sort) SELECT w.tenant_id, w.id, 's' || i, i FROM w, generate_series(1, 10) i`
/** The newest twenty people's days with their names, without a count. */
const DAYS = `SELECT k.day::text AS day, k.first_at, k.last_at, k.count, p.w_name, p.w_id, w.ws_name, c.bc_name FROM (SELECT * FROM attendance_days k WHERE k.tenant_id = $1 AND k.bc_id = $2 ORDER BY k.tenant_id DESC, k.day DESC, k.first_at DESC LIMIT 20) k
  JOIN sites w ON w.tenant_id = k.tenant_id AND w.id = k.site_id JOIN companies c ON c.tenant_id = k.tenant_id AND c.bc_id = k.bc_id JOIN workers p ON p.tenant_id = k.tenant_id AND p.id = k.worker_id ORDER BY k.day DESC, k.first_at DESC`
/** The daily aggregate counted from the rows each time. */
const DAILY = `SELECT k.day::text AS day, count(*)::int AS present FROM attendance_days k WHERE k.tenant_id = $1 AND k.bc_id = $2 AND k.day BETWEEN $3 AND $4 GROUP BY 1 ORDER BY 1`
/** Alarms of each type by day, by hour and by branch, counted from the rows each time. */
const ALARM_FIGURES = `SELECT k.day::text AS day, k.hour, k.bc_id, k.type, count(*)::int AS raised,
    (count(*) FILTER (WHERE k.verdict = 'real'))::int AS "real",
    (count(*) FILTER (WHERE k.verdict = 'wrong'))::int AS wrong,
    (count(*) FILTER (WHERE k.correction_status = 3))::int AS corrected,
    (count(*) FILTER (WHERE k.correction_status = 4))::int AS cancelled
  FROM (SELECT a.bc_id, a.type, a.verdict, a.correction_status, m.moment::date AS day,
      extract(hour FROM m.moment) AS hour
    FROM alarms a CROSS JOIN LATERAL (SELECT a.at AT TIME ZONE 'Asia/Shanghai' AS moment) m
    WHERE a.tenant_id = $1 AND a.bc_id = $2 AND a.at >= $3::date::timestamp AT TIME ZONE 'Asia/Shanghai'
      AND a.at < ($4::date + 1)::timestamp AT TIME ZONE 'Asia/Shanghai') k
  GROUP BY GROUPING SETS ((k.day, k.type), (k.hour, k.type), (k.bc_id, k.type))`
/** A list's own rows by plain SQL: cut before they are joined, and counted where a total is asked. */
function rowsOf(p: PageOf, counted: boolean): [string, unknown[]] {
  const [alias, by] = [p.base.split(' ')[1]!, orderOf(p).join(', ')]
  const total = counted ? `, (SELECT count(*)::int FROM ${p.base} WHERE ${p.where.text}) AS total` : ''
  const text = `SELECT ${p.columns}${total}
    FROM (SELECT * FROM ${p.base} WHERE ${p.where.text} ORDER BY ${by} LIMIT 20) ${alias} ${p.joins} ORDER BY ${by}`
  return [text.replaceAll(':now', 'now()'), p.where.values]
}
const first = { pageNo: 1, pageSize: 20 }
const orders = (filters: Partial<Parameters<typeof orderPage>[1]>) =>
  orderPage({ scope, amounts: true, received: false }, { ...first, ...filters })
const plan = (filters: Partial<Parameters<typeof planPage>[1]>) => planPage(scope, { ...first, ...filters })
const customers = (filters: Partial<Parameters<typeof customerPage>[1]>) =>
  customerPage(scope, { ...first, ...filters })
const CUSTOMERS = rowsOf(customers({}), false)
const OVERDUE = rowsOf(customers({ held: ['assigned'], overdue: true, sort: ['nextAt'] }), true)
const NEWEST = rowsOf(orders({}), false)
const WAITING = rowsOf(orders({ receiveState: [0], sort: ['-code'] }), true)
const PLANNED = rowsOf(plan({}), false)
const READY = rowsOf(plan({ stage: ['tiling'], sort: ['-quantity'] }), true)
/** Number of pieces that stand where, and how many of them are late, counted from the rows each time. */
const GOODS = (key: string) => `SELECT ${key} AS key, p.order_state, count(*)::int AS n,
    count(*) FILTER (WHERE p.order_state IN (2, 3, 4)
      AND o.expected_on < (now() AT TIME ZONE 'Asia/Shanghai')::date)::int AS late
  FROM pieces p JOIN sites w ON w.tenant_id = p.tenant_id AND w.id = p.site_id
  LEFT JOIN orders o ON o.tenant_id = p.tenant_id AND o.id = p.order_id
  WHERE p.tenant_id = $1 AND p.bc_id = $2 GROUP BY 1, 2`
let n = 0

const ok = (rows: unknown) => JSON.stringify({ code: 200, msg: '', data: rows })
const routes: Record<string, (url: URL) => Promise<string>> = {
  '/page': async () => ok((await query('page', PAGE, [tenant, bc, 1])).rows),
  '/page-json': async () =>
    `{"code":200,"msg":"","data":${(await pageJson(bare, sitePage(scope, { pageNo: 1, pageSize: 20, status: [1], sort: ['-code'] } as never))).text}}`,
  '/one': async (url) =>
    (await siteDetailJson(bare, scope, url.searchParams.get('id')!, '2026-11-21', {
      phones: true,
      noLook: '',
    }))!,
  '/add': async () => (await query('add', ADD, [tenant, `L${process.pid}-${++n}`, bc]), '{}'),
  '/days': async () => ok((await query('days', DAYS, [tenant, bc])).rows),
  '/daily': async (url) =>
    ok(
      (await query('daily', DAILY, [tenant, bc, url.searchParams.get('from'), url.searchParams.get('to')]))
        .rows,
    ),
  '/alarm-figures': async (url) =>
    ok(
      (
        await query('alarm-figures', ALARM_FIGURES, [
          tenant,
          bc,
          url.searchParams.get('from'),
          url.searchParams.get('to'),
        ])
      ).rows,
    ),
  '/customers': async () => ok((await query('customers', ...CUSTOMERS)).rows),
  '/customers-overdue': async () => ok((await query('customers-overdue', ...OVERDUE)).rows),
  '/orders': async () => ok((await query('orders', ...NEWEST)).rows),
  '/orders-waiting': async () => ok((await query('waiting', ...WAITING)).rows),
  '/plan': async () => ok((await query('plan', ...PLANNED)).rows),
  '/plan-stage': async () => ok((await query('ready', ...READY)).rows),
  '/goods-bc': async () => ok((await query('goods-bc', GOODS('p.bc_id'), [tenant, bc])).rows),
  '/goods-manager': async () => ok((await query('goods-manager', GOODS('w.manager_id'), [tenant, bc])).rows),
  '/login': async () => ok({ token: 'x' }),
}

const DAY_TEXT = /^\d{4}-\d{2}-\d{2}$/
/** The export's columns as CSV, straight from COPY. */
async function copyDays(response: ServerResponse, from: string, to: string): Promise<void> {
  if (!DAY_TEXT.test(from) || !DAY_TEXT.test(to)) return void response.writeHead(400).end()
  const client = await pool.connect()
  response.writeHead(200, { 'content-type': 'text/csv' })
  await copyOut(
    client,
    `COPY (SELECT k.day, p.w_id, p.w_name, p.w_type, c.bc_name, w.ws_name, k.first_at, k.last_at, k.count FROM attendance_days k JOIN sites w ON w.tenant_id = k.tenant_id AND w.id = k.site_id JOIN companies c ON c.tenant_id = k.tenant_id AND c.bc_id = k.bc_id JOIN workers p ON p.tenant_id = k.tenant_id AND p.id = k.worker_id
    WHERE k.tenant_id = '${tenant}' AND k.bc_id = '${bc}' AND k.day BETWEEN '${from}' AND '${to}' ORDER BY k.day DESC, w.ws_name, k.first_at DESC) TO STDOUT CSV`,
    (chunk) => response.write(chunk),
  )
  client.release()
  response.end()
}

/** A message to whoever listens, through the database's own NOTIFY. */
const listeners = new Set<ServerResponse>()
async function announce(text: string): Promise<void> {
  await query(
    'announce',
    `WITH w AS (INSERT INTO bench_alarms (text) VALUES ($1)) SELECT pg_notify('bench', $1)`,
    [text],
  )
}
async function hear(): Promise<void> {
  await pool.query(
    'CREATE TABLE IF NOT EXISTS bench_alarms (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL)',
  )
  const client = await pool.connect()
  client.on('notification', (m) => {
    for (const l of listeners) l.write(`data: ${m.payload}\n\n`)
  })
  await client.query('LISTEN bench')
}

/** Built pages, compressed once. */
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}
const walk = (folder: string): string[] =>
  readdirSync(folder).flatMap((f) =>
    statSync(join(folder, f)).isDirectory() ? walk(join(folder, f)) : [join(folder, f)],
  )
const files = new Map(
  (process.env.FLOOR ? walk(process.env.FLOOR) : []).map((f) => [
    f.slice(process.env.FLOOR!.length),
    { type: TYPES[extname(f)] ?? 'text/plain', bytes: brotliCompressSync(readFileSync(f)) },
  ]),
)

const server = createServer(async (request, response) => {
  const url = new URL(request.url!, 'http://x')
  const file = files.get(url.pathname === '/' ? '/index.html' : url.pathname)
  if (file)
    return response.writeHead(200, { 'content-type': file.type, 'content-encoding': 'br' }).end(file.bytes)
  if (url.pathname === '/stream') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
    listeners.add(response)
    return response.on('close', () => listeners.delete(response))
  }
  if (url.pathname === '/copy')
    return copyDays(response, url.searchParams.get('from') ?? '', url.searchParams.get('to') ?? '')
  if (url.pathname === '/alarm') await announce(url.searchParams.get('text')!)
  const text = (await routes[url.pathname]?.(url)) ?? '{}'
  return response.writeHead(200, { 'content-type': 'application/json' }).end(text)
})
if (process.env.FLOOR) await hear()
server.listen(0, '127.0.0.1', () =>
  process.send!({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}` }),
)
