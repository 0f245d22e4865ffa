import { createServer } from 'node:http'
import pg from 'pg'

/**
 * The limit that every figure is measured against: node:http and pg, nothing else. No session, no tenant, no check, no log.
 * Its own process, as the product's server is. Environment: DATABASE (owner's address), TENANT.
 */
const pool = new pg.Pool({ connectionString: process.env.DATABASE!, max: 12 })
const tenant = process.env.TENANT!
// The owner is no superuser everywhere: forced row-level security lets it see nothing unless it says so.
pool.on('connect', (client) => void client.query(`SET app.tenant='*';SET app.bcs='*';SET app.sites='*'`))

const PAGE = `SELECT json_build_object('list', coalesce((SELECT json_agg(r) FROM (SELECT w.id, w.code, w.ws_name, c.bc_name, w.address, w.status, w.stage, w.progress, w.start_date, w.planned_finish, w.open_alarms, w.tidiness, s.nickname AS steward, m.nickname AS manager, o.name AS owner
  FROM sites w JOIN companies c ON c.tenant_id = w.tenant_id AND c.bc_id = w.bc_id LEFT JOIN stores t ON t.tenant_id = w.tenant_id AND t.id = w.store_id LEFT JOIN owners o ON o.tenant_id = w.tenant_id AND o.id = w.owner_id
  LEFT JOIN users s ON s.tenant_id = w.tenant_id AND s.id = w.steward_id LEFT JOIN users m ON m.tenant_id = w.tenant_id AND m.id = w.manager_id
  WHERE w.tenant_id = $1 AND w.status = 1 ORDER BY w.code DESC LIMIT 20) r), '[]'), 'total', (SELECT count(*) FROM sites w WHERE w.tenant_id = $1 AND w.status = 1))::text AS json`
const ONE = 'SELECT row_to_json(w)::text AS json FROM sites w WHERE w.tenant_id = $1 AND w.id = $2'
const ADD = `INSERT INTO sites (tenant_id, id, code, ws_name, bc_id, address) VALUES ($1, gen_random_uuid(), $2, 'x', $3, 'y')`
let n = 0

const server = createServer(async (request, response) => {
  const url = new URL(request.url!, 'http://x')
  const end = (text: string) => response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  if (url.pathname === '/page') end((await pool.query({ name: 'page', text: PAGE, values: [tenant] })).rows[0].json)
  else if (url.pathname === '/one') end((await pool.query({ name: 'one', text: ONE, values: [tenant, url.searchParams.get('id')] })).rows[0].json)
  else if (url.pathname === '/add') {
    await pool.query({ name: 'add', text: ADD, values: [tenant, `L${process.pid}-${++n}`, url.searchParams.get('bc')] })
    end('{}')
  } else end('{}')
})
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as { port: number }).port }))
