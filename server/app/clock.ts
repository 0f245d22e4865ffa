import { Cron } from 'croner'

import type { Database, Tx } from '../database/connect.ts'
import { openDay, recomputeDays } from '../features/attendance/attendance.service.ts'
import { countNoWork } from '../features/attendance/standstill.service.ts'
import { forgetImports } from '../features/imports/imports.service.ts'
import { tellStandstills } from '../features/no-work/no-work.service.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { settingSql } from '../features/settings/settings.reads.ts'
import { tellSubscribers } from '../features/statistics/daily-sheet.service.ts'
import { sealLog } from '../features/userlogs/userlogs.service.ts'
import { addDays, shanghaiDay } from '../kit/shanghai.ts'

const SEAL_MS = 1_000
const MONTHS_AHEAD = 40
const LIVE_KEPT = '2 hours'
const SESSION_KEPT = '30 days'

/** Late events may still change this many past days. */
const RECOUNTED_DAYS = 3

/** Once a day for every tenant, whatever the number of servers; answers whether it was this one. */
const daily = (
  db: Database,
  kind: string,
  day: string,
  work: (tx: Tx, tenant: string) => Promise<unknown>,
): Promise<boolean> =>
  db.tx(SYSTEM, async (tx) => {
    const mine = await tx.query(
      'clock.claim',
      'INSERT INTO jobs (kind, day, started_at) VALUES ($1, $2, :now) ON CONFLICT DO NOTHING RETURNING 1',
      [kind, day],
    )
    if (mine.rows.length === 0) return false
    for (const { id } of (
      await tx.query<{ id: string }>('clock.tenants', 'SELECT id FROM tenants ORDER BY id', [])
    ).rows)
      await work(tx, id)
    await tx.query('clock.done', 'UPDATE jobs SET finished_at = :now WHERE kind = $1 AND day = $2', [
      kind,
      day,
    ])
    return true
  })

/** Days without work up to yesterday. */
export const countYesterday = (db: Database, now: Date): Promise<boolean> => {
  const today = shanghaiDay(now)
  return daily(db, 'noWork', today, async (tx, tenant) => {
    await countNoWork(tx, tenant, addDays(today, -RECOUNTED_DAYS), addDays(today, -1))
    await tellStandstills(tx, tenant, now)
  })
}
/** The rollups of the last days against their raw events; what differed is put right. */
export const recomputeAttendance = (db: Database, now: Date): Promise<boolean> => {
  const today = shanghaiDay(now)
  return daily(db, 'attendance', today, (tx, tenant) =>
    recomputeDays(tx, tenant, addDays(today, -RECOUNTED_DAYS), addDays(today, -1)),
  )
}
/** Whom today expects. A first start opens the day at once, later ones find it open. */
export async function openToday(db: Database, now: Date): Promise<boolean> {
  // Rows of a month need its partition: whoever writes first in a new month must find it, with or without a device's report.
  await db.tx(SYSTEM, (tx) =>
    tx.query('clock.months', 'SELECT ensure_months($1::date, $2::date)', [
      addDays(shanghaiDay(now), -RECOUNTED_DAYS),
      addDays(shanghaiDay(now), MONTHS_AHEAD),
    ]),
  )
  return daily(db, 'openDay', shanghaiDay(now), (tx, tenant) => openDay(tx, tenant, shanghaiDay(now)))
}
/** Yesterday's report is told to those who subscribed to it. */
export const tellDailySheet = (db: Database, now: Date): Promise<boolean> =>
  daily(db, 'dailySheet', shanghaiDay(now), (tx, tenant) =>
    tellSubscribers(tx, tenant, addDays(shanghaiDay(now), -1)),
  )

/** What devices have said is kept for the branch's days (`rawDays`); what was made of it stays. */
export const dropRawEvents = (tx: Tx) =>
  tx.query(
    'clock.raw',
    `DELETE FROM raw_events r USING devices d WHERE d.tenant_id = r.tenant_id AND d.id = r.device_id AND r.at < :now - interval '1 day' * ${settingSql('rawDays', 'd.tenant_id', 'd.bc_id')}::text::int`,
    [],
  )

export interface ClockDeps {
  db: Database
  now: () => Date
  secretKey: Buffer
  warn: (error: unknown) => void
}

/** Scheduled work, one line a job. */
export function startClock({ db, now, secretKey, warn }: ClockDeps): { close(): void } {
  let sealing = false
  async function seal() {
    if (sealing) return
    sealing = true
    try {
      const tenants = await db.tx(
        SYSTEM,
        (tx) =>
          tx.query<{ tenant_id: string }>(
            'clock.unsealed',
            'SELECT DISTINCT tenant_id FROM user_logs WHERE seq IS NULL LIMIT 100',
            [],
          ),
        { readOnly: true },
      )
      for (const { tenant_id } of tenants.rows)
        await db.tx({ ...SYSTEM, tenant: tenant_id, system: false }, (tx) =>
          sealLog(tx, tenant_id, secretKey),
        )
    } catch (error) {
      warn(error)
    } finally {
      sealing = false
    }
  }
  const sealer = setInterval(() => void seal(), SEAL_MS)
  const tidy = new Cron('17 4 * * *', { timezone: 'Asia/Shanghai', catch: warn }, () =>
    db.tx(SYSTEM, async (tx) => {
      await tx.query('clock.live', `DELETE FROM live_events WHERE at < :now - interval '${LIVE_KEPT}'`, [])
      await tx.query(
        'clock.sessions',
        `DELETE FROM sessions WHERE coalesce(revoked_at, expires_at) < :now - interval '${SESSION_KEPT}'`,
        [],
      )
      await forgetImports(tx)
      await tx.query('clock.nonces', 'DELETE FROM device_nonces WHERE expires_at < :now', [])
      await tx.query('clock.failures', 'DELETE FROM login_failures WHERE until < :now', [])
      await tx.query('clock.oidc', 'DELETE FROM oidc_states WHERE expires_at < :now', [])
      await dropRawEvents(tx)
    }),
  )
  const recompute = new Cron(
    '20 0 * * *',
    { timezone: 'Asia/Shanghai', catch: warn },
    async () => void (await recomputeAttendance(db, now())),
  )
  const noWork = new Cron(
    '30 0 * * *',
    { timezone: 'Asia/Shanghai', catch: warn },
    async () => void (await countYesterday(db, now())),
  )
  const opening = new Cron(
    '5 0 0 * * *',
    { timezone: 'Asia/Shanghai', catch: warn },
    async () => void (await openToday(db, now())),
  )
  const report = new Cron(
    '0 8 * * *',
    { timezone: 'Asia/Shanghai', catch: warn },
    async () => void (await tellDailySheet(db, now())),
  )
  openToday(db, now()).catch(warn)
  return {
    close() {
      clearInterval(sealer)
      tidy.stop()
      recompute.stop()
      noWork.stop()
      opening.stop()
      report.stop()
    },
  }
}
