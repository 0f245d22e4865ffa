import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

import pg from 'pg'

/** The least that can start: node:http, a database that answers, the sign-in page from memory. */
const pool = new pg.Pool({ connectionString: process.env.DATABASE! })
await pool.query('SELECT 1')
const page = readFileSync(join(import.meta.dirname, '..', 'web', 'index.html'))
const server = createServer((_request, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end(page),
)
server.listen(0, '127.0.0.1', () =>
  process.send!({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}` }),
)
