import { Cron } from 'croner'
import type { Database } from '../database/connect.ts'
import { countNoWork } from '../features/attendance/no-work.service.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { sealLog } from '../features/userlogs/userlogs.service.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'

const SEAL_MS = 1_000
const LIVE_KEPT = '2 hours'
const SESSION_KEPT = '30 days'

/** Late events may still change this many past days. */
const RECOUNTED_DAYS = 3

/** Days without work up to yesterday, once a day whatever the number of servers; answers whether it was this one. */
export async function countYesterday(db: Database, now: Date): Promise<boolean> {
  const today = shanghaiDay(now)
  return db.tx(SYSTEM, async (tx) => {
    const mine = await tx.query('clock.claim', `INSERT INTO jobs (kind, day) VALUES ('noWork', $1) ON CONFLICT DO NOTHING RETURNING 1`, [today])
    if (mine.rows.length === 0) return false
    for (const { id } of (await tx.query<{ id: string }>('clock.tenants', 'SELECT id FROM tenants', [])).rows) await countNoWork(tx, id, addDays(today, -RECOUNTED_DAYS), addDays(today, -1))
    await tx.query('clock.done', `UPDATE jobs SET finished_at = now() WHERE kind = 'noWork' AND day = $1`, [today])
    return true
  })
}

export interface ClockDeps {
  db: Database
  secretKey: Buffer
  warn: (error: unknown) => void
}

/** Scheduled work, one line a job. */
export function startClock({ db, secretKey, warn }: ClockDeps): { close(): void } {
  let sealing = false
  async function seal() {
    if (sealing) return
    sealing = true
    try {
      const tenants = await db.tx(SYSTEM, (tx) => tx.query<{ tenant_id: string }>('clock.unsealed', 'SELECT DISTINCT tenant_id FROM user_logs WHERE seq IS NULL LIMIT 100', []), { readOnly: true })
      for (const { tenant_id } of tenants.rows) await db.tx({ ...SYSTEM, tenant: tenant_id, system: false }, (tx) => sealLog(tx, tenant_id, secretKey))
    } catch (error) {
      warn(error)
    } finally {
      sealing = false
    }
  }
  const sealer = setInterval(() => void seal(), SEAL_MS)
  const tidy = new Cron('17 4 * * *', { timezone: 'Asia/Shanghai', catch: warn }, () =>
    db.tx(SYSTEM, async (tx) => {
      await tx.query('clock.live', `DELETE FROM live_events WHERE at < now() - interval '${LIVE_KEPT}'`, [])
      await tx.query('clock.sessions', `DELETE FROM sessions WHERE coalesce(revoked_at, expires_at) < now() - interval '${SESSION_KEPT}'`, [])
      await tx.query('clock.nonces', 'DELETE FROM device_nonces WHERE expires_at < now()', [])
    }),
  )
  const noWork = new Cron('30 0 * * *', { timezone: 'Asia/Shanghai', catch: warn }, async () => void (await countYesterday(db, new Date())))
  return {
    close() {
      clearInterval(sealer)
      tidy.stop()
      noWork.stop()
    },
  }
}
