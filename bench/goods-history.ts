import type pg from 'pg'

import { dropIndexes } from './indexes.ts'
import { MANY_SITES } from './size.ts'

const LINES_AN_ORDER = 4
/** Of a hundred orders one is still to be placed, four are under way, the rest is accepted. */
const STATES = `CASE k % 100 WHEN 0 THEN 1 WHEN 2 THEN 2 WHEN 3 THEN 3 WHEN 4 THEN 4 WHEN 5 THEN 5 ELSE 6 END`
const PLACES = `CASE state WHEN 1 THEN 'open' WHEN 2 THEN 'asked' WHEN 3 THEN 'ship' WHEN 4 THEN 'way'
  WHEN 5 THEN 'waiting' ELSE 'accepted' END`
const COUNTED = [1, 2, 3, 4, 5, 6]
const FILLED = ['contract_items', 'orders', 'order_lines', 'dispatches', 'pieces']

/** One contract a site, with a plan of its stages; nothing of them is checked again. */
async function fillContracts(owner: pg.Client, bc: string): Promise<void> {
  await owner.query(
    `CREATE TABLE bench_sites AS
     SELECT w.tenant_id, w.bc_id, w.id AS site_id, gen_random_uuid() AS contract_id, w.ws_name,
       row_number() OVER (ORDER BY w.code) - 1 AS n,
       (SELECT u.id FROM users u WHERE u.user_name = 'order_clerk') AS clerk,
       (SELECT t.store_id FROM user_stores t JOIN users u ON u.id = t.user_id WHERE u.user_name = 'supplier' LIMIT 1)
         AS receiver
     FROM sites w WHERE w.bc_id = $1 AND w.code LIKE 'B%'`,
    [bc],
  )
  await owner.query('CREATE UNIQUE INDEX ON bench_sites (n)')
  await owner.query(
    `INSERT INTO contracts (tenant_id, id, code, bc_id, customer_id, quotation_id, site_id, signing_progress, signed_on,
       signed_version, package_name, area, tax_percent, base, paid, made_by, made_at)
     SELECT b.tenant_id, b.contract_id, 'HB' || b.n, b.bc_id, gen_random_uuid(), gen_random_uuid(), b.site_id, 3,
       current_date, gen_random_uuid(), '', 100, 3, 1000, 1000, b.clerk, now()
     FROM bench_sites b`,
  )
  await owner.query(
    `INSERT INTO site_stages (tenant_id, site_id, stage, sort, planned_start, planned_finish)
     SELECT b.tenant_id, b.site_id, s.stage, s.sort, current_date + ((b.n + s.sort * 7) % 200)::int - 60,
       current_date + ((b.n + s.sort * 7) % 200)::int - 54
     FROM bench_sites b, (SELECT DISTINCT stage, sort FROM site_stages
       WHERE site_id = (SELECT site_id FROM site_stages LIMIT 1)) s
     ON CONFLICT DO NOTHING`,
  )
}

/** Goods up to so many lines, four an order, one order after the other on five thousand sites over three years. */
export async function fillGoods(owner: pg.Client, bc: string, lines: number): Promise<void> {
  // What these rows hang on is known to be right; asking for each takes longer than all the rest.
  await owner.query(`SET session_replication_role = replica`)
  if (!(await owner.query(`SELECT to_regclass('bench_sites') AS t`)).rows[0].t) await fillContracts(owner, bc)
  const { had } = (
    await owner.query(`SELECT count(*)::int AS had FROM contract_items WHERE code LIKE 'BENCH%'`)
  ).rows[0] as { had: number }
  const makeIndexes = await dropIndexes(owner, FILLED)
  await owner.query(
    `CREATE TEMP TABLE bench_lines AS
     SELECT g.*, b.*, ${PLACES} AS place, current_date - (k % 1095)::int AS day
     FROM (SELECT j, k, ${STATES} AS state, gen_random_uuid() AS item_id, gen_random_uuid() AS line_id
       FROM (SELECT j, (j - 1) / ${LINES_AN_ORDER} AS k FROM generate_series($1::int + 1, $2::int) j) x) g
     JOIN bench_sites b ON b.n = g.k % ${MANY_SITES}`,
    [had, lines],
  )
  await owner.query(
    `CREATE TEMP TABLE bench_orders AS
     SELECT DISTINCT ON (k) k, state, day, tenant_id, bc_id, site_id, contract_id, clerk, receiver, ws_name,
       gen_random_uuid() AS order_id, gen_random_uuid() AS note_id
     FROM bench_lines WHERE state > 1 ORDER BY k`,
  )
  await owner.query(
    `INSERT INTO contract_items (tenant_id, id, contract_id, line_id, sort, attribute, contract_attribute, code, name,
       unit, kind, stage, receiver, receiver_name, quantity, left_over, ordered, ordered_left, price, cost, amount)
     SELECT l.tenant_id, l.item_id, l.contract_id, l.line_id, 1, 1, 2, 'BENCH' || l.j, '瓷砖' || l.j % 500, '片', 'main',
       'tiling', l.receiver, '商家', 10, 10, 10, 10, 50, 30, 500
     FROM bench_lines l`,
  )
  await owner.query(
    `INSERT INTO orders (tenant_id, id, code, bc_id, receiver_id, receiver_name, bc_name, site_id, contract_id,
       receive_state, method, expected_on, community, made_by, made_name, made_at, due_at, answered_at, order_state,
       lines, lines_accepted, amount)
     SELECT o.tenant_id, o.order_id, 'OB' || o.k, o.bc_id, o.receiver, '商家', '分公司', o.site_id, o.contract_id,
       CASE o.state WHEN 2 THEN 0 ELSE 2 END, 1, CASE WHEN o.state < 5 THEN current_date - 3 + (o.k / 100 % 20)::int
         ELSE o.day + 10 END, o.ws_name, o.clerk, '下单员',
       o.day + o.k * interval '1 ms', o.day + interval '2 days',
       CASE WHEN o.state > 2 THEN o.day + interval '5 hours' END,
       o.state, ${LINES_AN_ORDER}, CASE o.state WHEN 6 THEN ${LINES_AN_ORDER} ELSE 0 END, 1200
     FROM bench_orders o`,
  )
  await owner.query(
    `INSERT INTO order_lines (tenant_id, id, order_id, item_id, sort, name, unit, stage, quantity, price)
     SELECT l.tenant_id, l.line_id, o.order_id, l.item_id, l.j % ${LINES_AN_ORDER}, '瓷砖' || l.j % 500, '片', 'tiling',
       10, 30
     FROM bench_lines l JOIN bench_orders o USING (k)`,
  )
  await owner.query(
    `INSERT INTO dispatches (tenant_id, id, code, bc_id, receiver_id, site_id, order_id, state, method, planned_on,
       made_name, made_at, shipped_at, delivered_at, checked_at, check_state, lines)
     SELECT o.tenant_id, o.note_id, 'FB' || o.k, o.bc_id, o.receiver, o.site_id, o.order_id,
       CASE o.state WHEN 3 THEN 0 WHEN 4 THEN 2 WHEN 5 THEN 3 ELSE 4 END, 1, o.day + 10, '商家',
       o.day + interval '5 hours',
       CASE WHEN o.state > 3 THEN o.day + interval '2 days' END,
       CASE WHEN o.state > 4 THEN o.day + interval '3 days' END,
       CASE WHEN o.state > 5 THEN o.day + interval '4 days' END,
       CASE o.state WHEN 5 THEN 0 WHEN 6 THEN 2 END, ${LINES_AN_ORDER}
     FROM bench_orders o WHERE o.state > 2`,
  )
  await owner.query(
    `INSERT INTO pieces (tenant_id, id, bc_id, site_id, contract_id, item_id, order_id, line_id, receiver_id, note_id,
       quantity, place, result, order_state, since)
     SELECT l.tenant_id, gen_random_uuid(), l.bc_id, l.site_id, l.contract_id, l.item_id, o.order_id,
       CASE WHEN l.state > 1 THEN l.line_id END, CASE WHEN l.state > 1 THEN l.receiver END,
       CASE WHEN l.state > 2 THEN o.note_id END, 10, l.place,
       CASE l.state WHEN 4 THEN 0 WHEN 5 THEN 1 WHEN 6 THEN 2 END, l.state, now()
     FROM bench_lines l LEFT JOIN bench_orders o USING (k)`,
  )
  await owner.query(
    `INSERT INTO piece_counts (tenant_id, site_id, bc_id, ${COUNTED.map((n) => `n${n}`).join(', ')})
     SELECT tenant_id, site_id, bc_id,
       ${COUNTED.map((n) => `count(*) FILTER (WHERE order_state = ${n})`).join(', ')}
     FROM pieces WHERE site_id IN (SELECT site_id FROM bench_sites) GROUP BY 1, 2, 3
     ON CONFLICT (tenant_id, site_id) DO UPDATE
     SET ${COUNTED.map((n) => `n${n} = excluded.n${n}`).join(', ')}`,
  )
  await owner.query('DELETE FROM order_counts')
  await owner.query(
    `INSERT INTO order_counts SELECT tenant_id, bc_id, receiver_id, count(*) FROM orders GROUP BY 1, 2, 3`,
  )
  await owner.query('DROP TABLE bench_lines, bench_orders')
  await makeIndexes()
  await owner.query('SET session_replication_role = origin')
  await owner.query(
    `SELECT keep_item_to_order(p.tenant_id, p.item_id)
     FROM (SELECT DISTINCT tenant_id, item_id FROM pieces WHERE order_state = 1) p`,
  )
  const kept = 'piece_counts, order_counts, items_to_order, to_order_counts, contracts, site_stages'
  await owner.query(`VACUUM ANALYZE ${FILLED.join(', ')}, ${kept}`)
}
