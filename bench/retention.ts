import { RETENTION } from '../server/app/retention.ts'
import { connect } from '../server/database/connect.ts'
import { setStage } from '../tools/goals/stage.ts'

/**
 * `node bench/retention.ts`: the night's forgetting with ten million expired events (ROWS=…), every piece below the 15
 * seconds of a request, while single requests go on beside it.
 */
const ROWS = Number(process.env.ROWS ?? 10_000_000)
const stage = await setStage()
const now = () => new Date()
const db = connect(stage.logins, { max: 4, now })
const month = (ago: number) => `date_trunc('month', now() - interval '${ago} months')::date`
const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`

async function fill(): Promise<void> {
  await stage.owner.query(`SET app.tenant = '*'`)
  for (const ago of [20, 3]) await stage.owner.query(`SELECT ensure_months(${month(ago)}, ${month(ago)})`)
  const events = (
    rows: number,
    ago: number,
  ) => `INSERT INTO raw_events (tenant_id, device_id, event_id, at, received_at, kind, body)
    SELECT d.tenant_id, d.id, n::text, ${month(ago)} + interval '1 day' + (n / 100) * interval '15 seconds', now(), 'heartbeat', '{"id":"x","kind":"heartbeat","at":1}'
    FROM generate_series(1, ${Math.floor(rows / 40)}) n CROSS JOIN (SELECT * FROM devices ORDER BY id LIMIT 40) d`
  await stage.owner.query(events(ROWS, 20))
  await stage.owner.query(events(ROWS / 10, 3))
  await stage.owner.query(`INSERT INTO device_receipts (device_id, event_id, received_on)
    SELECT (SELECT id FROM devices LIMIT 1), n::text, current_date - CASE WHEN n % 10 = 0 THEN 2 ELSE 20 END
    FROM generate_series(1, ${ROWS}) n`)
  // One branch keeps less than the others.
  await stage.owner.query(`INSERT INTO settings (tenant_id, bc_id, key, value)
    SELECT tenant_id, bc_id, 'rawDays', '30' FROM companies WHERE code = 'HZ'`)
}
let slowest = 0
let asking = true
async function ask(): Promise<void> {
  while (asking) {
    const from = performance.now()
    await stage.owner.query('SELECT count(*) FROM sites WHERE status = 1')
    slowest = Math.max(slowest, performance.now() - from)
    await new Promise((r) => setTimeout(r, 20))
  }
}
try {
  const filling = performance.now()
  await fill()
  console.log(
    `${ROWS} events, ${ROWS} receipts and ${ROWS / 10} events of branches written in ${seconds(filling)}`,
  )
  const tenants = await stage.owner.query<{ id: string }>('SELECT id FROM tenants')
  const asked = ask().catch(() => {})
  for (const job of RETENTION) {
    const from = performance.now()
    const notes = []
    for (const tenant of job.whole ? [''] : tenants.rows.map((t) => t.id))
      notes.push(
        await job.run({ db, tenant, day: '', since: null, met: now(), now: now(), stopped: () => false }),
      )
    console.log(`${job.kind}: ${notes.filter(Boolean).join('、') || '-'} in ${seconds(from)}`)
  }
  asking = false
  await asked
  console.log(`slowest of the requests beside it ${slowest.toFixed(0)} ms`)
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  asking = false
  await db.close()
  await stage.close()
}
process.exit()
