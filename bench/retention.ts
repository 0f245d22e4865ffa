import { RETENTION } from '../server/app/retention.ts'
import { connect } from '../server/database/connect.ts'
import { sized } from '../tools/size.ts'
import { type Ground, pause, type Say } from './ground.ts'

const EVENTS = sized(Number(process.env.BENCH_EVENTS ?? 10_000_000), 1_000)
const LONGEST_MS = 1_000
const month = (ago: number) => `date_trunc('month', now() - interval '${ago} months')::date`
const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`

async function fill({ owner }: Ground): Promise<void> {
  for (const ago of [20, 3]) await owner.query(`SELECT ensure_months(${month(ago)}, ${month(ago)})`)
  const events = (
    rows: number,
    ago: number,
  ) => `INSERT INTO raw_events (tenant_id, device_id, event_id, at, received_at, kind, body)
    SELECT d.tenant_id, d.id, n::text, ${month(ago)} + interval '1 day' + (n / 100) * interval '15 seconds', now(),
      'heartbeat', '{"id":"x","kind":"heartbeat","at":1}'
    FROM generate_series(1, ${Math.floor(rows / 40)}) n CROSS JOIN (SELECT * FROM devices ORDER BY id LIMIT 40) d`
  await owner.query(events(EVENTS, 20))
  await owner.query(events(EVENTS / 10, 3))
  await owner.query(`INSERT INTO device_receipts (device_id, event_id, received_on)
    SELECT (SELECT id FROM devices LIMIT 1), n::text, current_date - CASE WHEN n % 10 = 0 THEN 2 ELSE 20 END
    FROM generate_series(1, ${EVENTS}) n`)
  // One branch keeps less than the others.
  await owner.query(`INSERT INTO settings (tenant_id, bc_id, key, value)
    SELECT tenant_id, bc_id, 'rawDays', '30' FROM companies WHERE code = 'HZ'`)
}

/** The night's forgetting with ten million expired events (BENCH_EVENTS), while single requests go on beside it. */
export async function retention(g: Ground, wants: (id: string) => boolean, say: Say): Promise<void> {
  if (!wants('RETENTION')) return
  const now = () => new Date()
  const db = connect(g.logins, { max: 4, now })
  let slowest = 0
  let asking = true
  const ask = async () => {
    for (; asking; await pause(20)) {
      const from = performance.now()
      await g.owner.query('SELECT count(*) FROM sites WHERE status = 1')
      slowest = Math.max(slowest, performance.now() - from)
    }
  }
  const told: string[] = []
  const tenants = await g.owner.query<{ id: string }>('SELECT id FROM tenants')
  await fill(g)
  const asked = ask()
  const begun = performance.now()
  for (const job of RETENTION) {
    const from = performance.now()
    for (const tenant of job.whole ? [''] : tenants.rows.map((t) => t.id))
      await job.run({ db, tenant, day: '', since: null, met: now(), now: now(), stopped: () => false })
    told.push(`${job.kind} ${seconds(from)}`)
  }
  const whole = seconds(begun)
  asking = false
  await asked
  await db.close()
  say(
    'RETENTION',
    `a night's forgetting of ${EVENTS} events, their receipts, and a tenth of a branch that keeps less`,
    `${whole} (${told.join(', ')}); slowest request beside it ${slowest.toFixed(0)} ms`,
    '–',
    '–',
    `≤ ${LONGEST_MS} ms beside it`,
    slowest <= LONGEST_MS,
  )
}
