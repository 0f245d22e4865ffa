import { setTimeout as pause } from 'node:timers/promises'

import type { Database, Scope, Tx } from '../database/connect.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { uuidv7 } from '../kit/ids.ts'
import { int4, row, there, timestamptz, uuid } from '../kit/row.ts'
import { shanghaiDay, startOfDay } from '../kit/shanghai.ts'

/** Under this id stands what is done once for the whole installation. */
export const WHOLE = '00000000-0000-0000-0000-000000000000'
const MINUTE_MS = 60_000
const LEASE = '2 minutes'
const RENEW_MS = 30_000
/** A failed one is tried again after a minute, then after two, at last every hour. */
const RETRY_MINUTES = 60
const DEADLINE_MS = 10 * MINUTE_MS
/** As many of the last moments are remembered as tell true ones from those of a clock that ran ahead. */
const REMEMBERED = 20
/**
 * The last moment `j` was done for. What lies more than an hour ahead was done while the clock ran ahead and counts for
 * nothing until then, so that work goes on when the clock is right again.
 */
const lastBy = (upTo: string) => `(SELECT max(d) FROM unnest(j.done || j.done_for) d WHERE d <= ${upTo})`
const LAST = lastBy(`:now + interval '1 hour'`)
/** Nobody holds it. No lease and no pause is longer than an hour: a longer one was written by a clock that ran ahead. */
const FREE = `(j.held_until IS NULL OR j.held_until < :now OR j.held_until > :now + interval '2 hours')`

export interface Run {
  db: Database
  tenant: string
  /** The Asia/Shanghai day of the moment it is done for. */
  day: string
  /** The moment for which it was last done. */
  since: Date | null
  /** When the group and the work first met. */
  met: Date
  now: Date
  /** The server ends: what is done in pieces stops between two. */
  stopped: () => boolean
}
export interface Job {
  kind: string
  /** A time of the Asia/Shanghai day (HH:MM), or every so many minutes. */
  at: string | number
  /** Once for the installation instead of once for every group. */
  whole?: boolean
  /** A group that is met for the first time has it at once, not at its next moment. */
  first?: boolean
  /** What it answers is written down beside its success. */
  run(run: Run): Promise<string | void>
}

/** A transaction of scheduled work: it may take longer than a request, in which somebody waits. */
export const unhurried = <T>(db: Database, work: (tx: Tx) => Promise<T>, scope: Scope = SYSTEM): Promise<T> =>
  db.tx(scope, work, { patience: DEADLINE_MS })

const onDay = (at: string, day: string): Date => {
  const [hours, minutes] = at.split(':').map(Number)
  return new Date(startOfDay(day).getTime() + (hours! * 60 + minutes!) * MINUTE_MS)
}
/** The last moment at which the work was due. */
function momentOf(job: Job, now: Date): Date {
  if (typeof job.at === 'number') {
    const step = job.at * MINUTE_MS
    return new Date(Math.floor(now.getTime() / step) * step)
  }
  const today = onDay(job.at, shanghaiDay(now))
  return today <= now
    ? today
    : onDay(job.at, shanghaiDay(new Date(startOfDay(shanghaiDay(now)).getTime() - 1)))
}

/** Claimed by one server, held while it works, written down. Answers whether it was done here; throws what it threw. */
async function runOne(
  db: Database,
  job: Job,
  tenant: string,
  moment: Date,
  now: Date,
  stopped: () => boolean,
): Promise<boolean> {
  const holder = uuidv7()
  const claimed = await db.tx(SYSTEM, (tx) =>
    tx.query(
      'jobs.claim',
      row({ since: timestamptz.null, met: timestamptz }),
      `INSERT INTO job_runs AS j (tenant_id, kind, met_at, holder, held_until, started_at)
       VALUES ($1, $2, :now, $3, :now + interval '${LEASE}', :now)
       ON CONFLICT (tenant_id, kind) DO UPDATE
       SET holder = excluded.holder, held_until = excluded.held_until, started_at = excluded.started_at
       WHERE coalesce(${lastBy(`greatest($4::timestamptz, :now + interval '1 hour')`)} < $4, true) AND ${FREE}
       RETURNING ${LAST} AS since, j.met_at AS met`,
      [tenant, job.kind, holder, moment],
    ),
  )
  if (claimed.rows.length === 0) return false
  const mine = 'tenant_id = $1 AND kind = $2 AND holder = $3'
  const renewing = setInterval(
    () =>
      void db
        .tx(SYSTEM, (tx) =>
          tx.run('jobs.renew', `UPDATE job_runs SET held_until = :now + interval '${LEASE}' WHERE ${mine}`, [
            tenant,
            job.kind,
            holder,
          ]),
        )
        .catch(() => {}),
    RENEW_MS,
  )
  try {
    const day = shanghaiDay(moment)
    const note = (await job.run({ db, tenant, day, ...claimed.rows[0]!, now, stopped })) ?? ''
    await db.tx(SYSTEM, (tx) =>
      tx.run(
        'jobs.done',
        `UPDATE job_runs
         SET done_for = $4, done = (array_prepend($4::timestamptz, done))[1:${REMEMBERED}], succeeded_at = :now,
           failures = 0, error = '', note = $5, holder = NULL, held_until = NULL
         WHERE ${mine}`,
        [tenant, job.kind, holder, moment, note],
      ),
    )
    return true
  } catch (error) {
    await db
      .tx(SYSTEM, (tx) =>
        tx.run(
          'jobs.failed',
          `UPDATE job_runs
           SET failed_at = :now, failures = failures + 1, error = $4, holder = NULL,
             held_until = :now + interval '1 minute' * least(${RETRY_MINUTES}, 2 ^ least(failures, 10))
           WHERE ${mine}`,
          [tenant, job.kind, holder, String((error as Error).message).slice(0, 500)],
        ),
      )
      .catch(() => {})
    throw error
  } finally {
    clearInterval(renewing)
  }
}

/** One group after the other, each by itself: what fails for one is told when all have had their turn. */
async function runEach(
  runs: readonly (() => Promise<boolean>)[],
  warn: (error: unknown) => void,
): Promise<number> {
  let done = 0
  for (const run of runs) {
    try {
      if (await run()) done += 1
    } catch (error) {
      warn(error)
    }
  }
  return done
}

const HELD_POLL_MS = 50
/** Waits for whoever is at it: what they do may be of the moment before, and what is asked now would be left undone. */
async function whenFree(db: Database, kind: string, tenant: string): Promise<void> {
  const held = () =>
    db.tx(
      SYSTEM,
      (tx) =>
        tx.query(
          'jobs.held',
          there,
          `SELECT 1 FROM job_runs j WHERE j.tenant_id = $1 AND j.kind = $2 AND NOT ${FREE} AND j.holder IS NOT NULL`,
          [tenant, kind],
        ),
      { readOnly: true },
    )
  while ((await held()).rows.length) await pause(HELD_POLL_MS)
}
/** Does one kind of work of a day for every group now, whatever the hour; answers whether it was done here. */
export async function runOf(db: Database, job: Job & { at: string }, now: Date): Promise<boolean> {
  const moment = onDay(job.at, shanghaiDay(now))
  const tenants = await db.tx(
    SYSTEM,
    (tx) => tx.query('jobs.tenants', row({ id: uuid }), 'SELECT id FROM tenants ORDER BY id', []),
    { readOnly: true },
  )
  const failures: unknown[] = []
  const done = await runEach(
    tenants.rows.map(({ id }) => async () => {
      await whenFree(db, job.kind, id)
      return runOne(db, job, id, moment, now, () => false)
    }),
    (error) => failures.push(error),
  )
  if (failures.length) throw failures[0]
  return done > 0
}

/** The jobs that are due now: by a moment that has passed since their last run, or since the group was met. */
async function dueOf(db: Database, jobs: readonly Job[], now: Date): Promise<{ job: Job; tenant: string }[]> {
  const list = jobs.map((job, order) => ({
    order,
    kind: job.kind,
    whole: job.whole ?? false,
    first: job.first ?? false,
    moment: momentOf(job, now),
  }))
  const each = `json_to_recordset($1::json) AS k("order" int, kind text, whole boolean, "first" boolean, moment timestamptz)
    JOIN (SELECT id, false AS whole FROM tenants UNION ALL SELECT '${WHOLE}'::uuid, true) t ON t.whole = k.whole`
  const { rows } = await db.tx(SYSTEM, async (tx) => {
    tx.send(
      'jobs.meet',
      `INSERT INTO job_runs (tenant_id, kind, met_at) SELECT t.id, k.kind, :now FROM ${each}
       WHERE NOT EXISTS (SELECT 1 FROM job_runs j WHERE j.tenant_id = t.id AND j.kind = k.kind)
       ON CONFLICT DO NOTHING`,
      [JSON.stringify(list)],
    )
    return tx.query(
      'jobs.due',
      row({ order: int4, tenant: uuid }),
      `SELECT k."order", t.id AS tenant FROM ${each}
       JOIN job_runs j ON j.tenant_id = t.id AND j.kind = k.kind
       WHERE coalesce(${LAST} < k.moment, true)
         AND (k."first" OR j.met_at < k.moment OR j.met_at > :now + interval '1 hour')
         AND ${FREE}
       ORDER BY k."order", t.id`,
      [JSON.stringify(list)],
    )
  })
  return rows.map((r) => ({ job: jobs[r.order]!, tenant: r.tenant }))
}

export interface Lane {
  /** Looks once and does what is due; answers how much of it was done here. */
  look(): Promise<number>
  close(): Promise<void>
}
/**
 * Looks every so often and does what is due, one after the other. A moment that passed while nothing ran is found at the
 * first look; a server that died holding something is taken over when its lease is over.
 */
export function startLane(
  jobs: readonly Job[],
  o: { db: Database; now: () => Date; everyMs: number; warn: (error: unknown) => void },
): Lane {
  let stopped = false
  let looking: Promise<number> | undefined
  async function look(): Promise<number> {
    const due = await dueOf(o.db, jobs, o.now())
    return runEach(
      due.map(({ job, tenant }) => async () => {
        const now = o.now()
        return !stopped && runOne(o.db, job, tenant, momentOf(job, now), now, () => stopped)
      }),
      o.warn,
    )
  }
  const once = () =>
    (looking ??= look().finally(() => {
      looking = undefined
    }))
  const quietly = () => void once().catch(o.warn)
  const timer = setInterval(quietly, o.everyMs)
  quietly()
  return {
    look: once,
    async close() {
      stopped = true
      clearInterval(timer)
      await looking?.catch(() => {})
    },
  }
}
