import { api } from '@zhuguan/contract/api.ts'

import { sized } from '../tools/size.ts'
import { type Ground, load, rate, type Say } from './ground.ts'
import { dropIndexes } from './indexes.ts'

const CUSTOMERS = sized(1_000_000, 2_000)
const WAITING = sized(30_000, 100)
/** Their indexes are made when the rows are in. */
const FILLED = ['customers', 'customer_numbers']

/** Nobody has answered in time, or the day of what was planned is over. */
const LATE = `k.held = 'assigned' AND (k.answer_due <= now()
     OR k.next_at < date_trunc('day', now() AT TIME ZONE 'Asia/Shanghai') AT TIME ZONE 'Asia/Shanghai')`

/** A million customers of the demo's branch, entered over ten years; of a hundred three have somebody and a plan. */
async function fillCustomers({ home, owner }: Ground): Promise<void> {
  const makeIndexes = await dropIndexes(owner, FILLED)
  await owner.query('ALTER TABLE customers DISABLE TRIGGER USER')
  await owner.query(
    `INSERT INTO customers (tenant_id, id, bc_id, store_id, name, phone, community, address, area, consultant_id,
       created_at, source, held, held_at, changed_at, step, followed_at, next_at, back_due, lost_reason)
     SELECT c.tenant_id, gen_random_uuid(), c.bc_id, s.id, '客户' || i, '2' || lpad(i::text, 10, '0'),
       '小区' || i % 5000, i % 30 || ' 幢 ' || i % 900, 90, x.consultant_id,
       now() - interval '5 minutes' * i, (ARRAY['walkIn', 'call', 'online', 'other'])[1 + i % 4],
       CASE WHEN i <= $2 THEN 'assigned' WHEN i % 3 = 0 THEN 'lost' ELSE 'pool' END,
       now() - interval '5 minutes' * i, now() - interval '5 minutes' * i,
       CASE WHEN i % 3 = 0 THEN 2 ELSE 1 + i % 5 END, now() - interval '4 minutes' * i,
       CASE WHEN i <= $2 THEN now() + interval '10 minutes' * (i - $2 / 2) END,
       CASE WHEN i <= $2 THEN now() + interval '14 days' END,
       CASE WHEN i > $2 AND i % 3 = 0 THEN 'silent' END
     FROM companies c
     CROSS JOIN LATERAL (SELECT u.id AS consultant_id FROM users u
       WHERE u.tenant_id = c.tenant_id AND u.user_name = 'sales') x
     LEFT JOIN LATERAL (SELECT t.id FROM stores t
       WHERE t.tenant_id = c.tenant_id AND t.bc_id = c.bc_id LIMIT 1) s ON true
     CROSS JOIN generate_series(1, ${CUSTOMERS}) i
     WHERE c.bc_id = $1`,
    [home.bc, WAITING],
  )
  await owner.query('ALTER TABLE customers ENABLE TRIGGER USER')
  await owner.query(
    `INSERT INTO customer_numbers (tenant_id, of_branch, phone, customer_id)
     SELECT k.tenant_id, k.bc_id, k.phone, k.id FROM customers k WHERE k.bc_id = $1 ON CONFLICT DO NOTHING`,
    [home.bc],
  )
  await makeIndexes()
  // As their writes would have left them, added up.
  await owner.query(
    `INSERT INTO customer_counts (tenant_id, bc_id, store_id, held, step, count)
     SELECT k.tenant_id, k.bc_id, k.store_id, k.held, k.step, count(*)
     FROM customers k WHERE k.bc_id = $1 AND k.name LIKE '客户%' GROUP BY 1, 2, 3, 4, 5`,
    [home.bc],
  )
  await owner.query('VACUUM ANALYZE customers, customer_numbers, customer_counts')
}

/** The list of customers, in the forms of P-01 and P-04, over a million of them. */
export async function customers(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  if (!['P-01-customers', 'P-04-customers'].some(wants)) return
  const at = performance.now()
  await fillCustomers(g)
  console.log(`${CUSTOMERS} customers in ${((performance.now() - at) / 1_000).toFixed(0)} s`)
  const headers = await g.signIn('branch_gm')
  const list = api.customers.list.path
  const bare = (path: string) => () => load(g.limit.url, () => ({ method: 'GET', path }))
  const told = async (path: string) => {
    const answer = await fetch(g.ours.url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
    })
    return ((await answer.json()) as { data: { totalCount: number } }).data.totalCount
  }
  const counted = async (where: string) => {
    const { rows } = await g.owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM customers k WHERE k.bc_id = $1 AND k.held <> 'merged' AND ${where}`,
      [g.home.bc],
    )
    return rows[0]!.n
  }
  if (wants('P-01-customers')) {
    const path = `${list}?held=assigned&overdue=1&sort=nextAt`
    const isExact = (await told(path)) === (await counted(LATE))
    const m = await g.against(() => load(g.ours.url, g.ask(path, headers)), bare('/customers-overdue'))
    say(
      'P-01-customers',
      'page of 20 customers with filter, sort, total, of 1,000,000',
      rate(m.x),
      rate(m.y),
      `${m.ratio.toFixed(2)}, total ${isExact ? 'exact' : 'WRONG'}`,
      '≥ 0.85, total exact',
      m.ratio >= 0.85 && isExact && !m.x.failed,
    )
  }
  if (!wants('P-04-customers')) return
  const total = await told(list)
  const m = await g.against(() => load(g.ours.url, g.ask(list, headers)), bare('/customers'))
  say(
    'P-04-customers',
    'first page of 1,000,000 customers with their exact total',
    `${m.x.perSecond.toFixed(0)}/s p99 ${m.x.p99.toFixed(0)} ms, total ${total}`,
    `${m.y.perSecond.toFixed(0)}/s without a count`,
    m.ratio.toFixed(2),
    '≥ 0.8, total exact',
    m.ratio >= 0.8 && total >= CUSTOMERS && total === (await counted('true')) && !m.x.failed,
  )
}
