import { createServer } from 'node:http'
import pg from 'pg'
import { SITE_COLUMNS, SITE_FROM, siteDetailJson, sitePage } from '../server/features/sites/sites.queries.ts'
import { pageJson } from '../server/kit/statement.ts'
import type { Tx } from '../server/kit/tx.ts'

/**
 * The limit that every figure is measured against: node:http and pg, nothing else. No session, no tenant, no check, no log.
 * Its own process, as the product's server is. Environment: DATABASE (owner's address), TENANT, BC.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE!, max: 12 })
const [tenant, bc] = [process.env.TENANT!, process.env.BC!]
// The owner is no superuser everywhere: forced row-level security lets it see nothing unless it says so.
pool.on('connect', (client) => void client.query(`SET app.tenant='*'`))

const query = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values })
/** The product's own statements, bare: one round trip, no transaction around it. */
const bare = { last: query, query } as unknown as Tx
const scope = { tenant, bcs: [bc], sites: null, user: null }

const PAGE = `SELECT ${SITE_COLUMNS}, (SELECT count(*)::int FROM sites w WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = $3 AND w.deleted_at IS NULL) AS total FROM ${SITE_FROM} WHERE w.tenant_id = $1 AND w.bc_id = $2 AND w.status = $3 AND w.deleted_at IS NULL ORDER BY w.code DESC, w.id DESC LIMIT 20`
const ADD = `WITH w AS (INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, address) VALUES ($1, gen_random_uuid(), $2, '新工地', $3, '某地') RETURNING tenant_id, id)
  INSERT INTO site_stages (tenant_id, site_id, stage, sort) SELECT w.tenant_id, w.id, 's' || i, i FROM w, generate_series(1, 10) i`
let n = 0

const routes: Record<string, (url: URL) => Promise<string>> = {
  '/page': async () => JSON.stringify({ code: 200, msg: '', data: (await query('page', PAGE, [tenant, bc, 1])).rows }),
  '/page-json': async () => (await pageJson(bare, sitePage(scope, { pageNo: 1, pageSize: 20, status: [1], sort: ['-code'] } as never))).text,
  '/one': async (url) => (await siteDetailJson(bare, scope, url.searchParams.get('id')!, '2026-11-21'))!,
  '/add': async () => (await query('add', ADD, [tenant, `L${process.pid}-${++n}`, bc]), '{}'),
}
const server = createServer(async (request, response) => {
  const url = new URL(request.url!, 'http://x')
  const text = (await routes[url.pathname]?.(url)) ?? '{}'
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
})
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as { port: number }).port }))
