import { KEPT_DAYS } from '@zhuguan/contract/features/keeping/keeping.record.ts'

import { forgetRenditions } from '../features/cases/case-pictures.service.ts'
import { forgetMessages } from '../features/channels/channels.queries.ts'
import { forgetLooks } from '../features/customers/number-looks.service.ts'
import type { FileStore } from '../features/files/files.service.ts'
import { takeAway } from '../features/files/leaving-files.service.ts'
import { forgetPictures } from '../features/files/loose-pictures.service.ts'
import { forgetImport } from '../features/imports/imports.service.ts'
import { forgetMails } from '../features/mails/mails.queries.ts'
import { forgetPlaces } from '../features/patrols/places.service.ts'
import { forgetLoose } from '../features/recordings/recording-days.service.ts'
import { forgetScreens } from '../features/screens/screens.queries.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { settingSql } from '../features/settings/settings.reads.ts'
import { forgetRemarks } from '../features/supervision/supervision.service.ts'
import { forgetAbsences } from '../features/users/absences.queries.ts'
import { bool, int4, int8, row, text, uuid } from '../kit/row.ts'
import { addDays, shanghaiDay, startOfDay } from '../kit/shanghai.ts'
import { TODAY } from '../kit/statement.ts'
import type { Tx } from '../kit/tx.ts'
import { type Job, type Run, unhurried } from './jobs.ts'

/**
 * What only grows, and how long it is kept. Kept for good: the log with its heads, because a chain that lacks its
 * beginning proves nothing; the timeline, attendance, alarms, tidiness and bindings: they are the business itself.
 */
const ROWS = 10_000
const PAGES = 1_000
export const NIGHT = '04:17'
const OFTEN = 5
/** After a longer rest than this nothing is deleted in the first night. */
const REST_DAYS = 7

const told = (removed: number) => (removed ? `删除 ${removed} 行` : '')

/** Small pieces through an index, until one is not full. `rows` answers the places of at most ROWS rows. */
async function inPieces(run: Run, table: string, rows: string): Promise<string> {
  let removed = 0
  while (!run.stopped()) {
    const { rowCount } = await unhurried(run.db, (tx) =>
      tx.run(`retention.${table}`, `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${rows}))`, []),
    )
    removed += rowCount ?? 0
    if ((rowCount ?? 0) < ROWS) break
  }
  return told(removed)
}

/** Page by page through the whole table: no index is kept up with every write only for the night's sake. */
async function pageByPage(run: Run, table: string, gone: string): Promise<string> {
  const { rows } = await run.db.tx(
    SYSTEM,
    (tx) =>
      tx.query(
        'retention.pages',
        row({ pages: int8 }),
        `SELECT pg_relation_size($1::regclass) / current_setting('block_size')::int AS pages`,
        [table],
      ),
    { readOnly: true },
  )
  let removed = 0
  for (let page = 0; page <= rows[0]!.pages && !run.stopped(); page += PAGES) {
    const { rowCount } = await unhurried(run.db, (tx) =>
      tx.run(
        `retention.${table}`,
        `DELETE FROM ${table} WHERE ctid >= $1::tid AND ctid < $2::tid AND (${gone})`,
        [`(${page},0)`, `(${page + PAGES},0)`],
      ),
    )
    removed += rowCount ?? 0
  }
  return told(removed)
}

const rawDays = (tenant: string, bc: string) => `${settingSql('rawDays', tenant, bc)}::text::int`

interface Months {
  months: { name: string; end: Date }[]
  /** Number of days the branch keeps that keeps longest. */
  longest: number | null
}
async function rawMonths({ db }: Run): Promise<Months> {
  return db.tx(
    SYSTEM,
    async (tx) => {
      const { rows } = await tx.query(
        'retention.months',
        row({ month: text }),
        `SELECT to_char(to_date(right(c.relname, 6), 'YYYYMM'), 'YYYY-MM-DD') AS month
         FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'raw_events'::regclass ORDER BY 1`,
        [],
      )
      const kept = await tx.query(
        'retention.longest',
        row({ longest: int4.null }),
        `SELECT max(days) AS longest FROM (
           SELECT ${rawDays('c.tenant_id', 'c.bc_id')} AS days FROM companies c
           UNION ALL SELECT ${rawDays('t.id', 'NULL::uuid')} FROM tenants t) k`,
        [],
      )
      const months = rows.map(({ month }) => ({
        name: month,
        end: startOfDay(`${addDays(month, 31).slice(0, 7)}-01`),
      }))
      return { months, longest: kept.rows[0]!.longest }
    },
    { readOnly: true },
  )
}
export const daysBefore = (now: Date, days: number) => startOfDay(addDays(shanghaiDay(now), -days))

/** The same for the coming night, which may still be this day's. */
export function beforeTonight(now: Date, days: number): Date {
  const [hours = 0, minutes = 0] = NIGHT.split(':').map(Number)
  const tonight = startOfDay(shanghaiDay(now)).getTime() + (hours * 60 + minutes) * 60_000
  const day = now.getTime() < tonight ? shanghaiDay(now) : addDays(shanghaiDay(now), 1)
  return startOfDay(addDays(day, -days))
}

/** A month that no branch keeps any longer is dropped: ten million rows in the time of one. */
async function dropMonths(run: Run): Promise<string> {
  const { months, longest } = await rawMonths(run)
  if (longest === null) return ''
  const gone = months.filter((m) => m.end <= daysBefore(run.now, longest))
  for (const { name } of gone)
    await unhurried(run.db, (tx) => tx.run('retention.drop', 'SELECT drop_raw_month($1::date)', [name]))
  return gone.length ? `删除 ${gone.length} 个月` : ''
}

/** Branches that keep less than the longest lose theirs row by row; the longest waits for the month to go. */
async function dropRows(run: Run): Promise<string> {
  const { longest } = await rawMonths(run)
  const { rows } = await run.db.tx(
    SYSTEM,
    (tx) =>
      tx.query(
        'retention.devices',
        row({ days: int4, id: uuid }),
        `SELECT days, id
         FROM (SELECT d.id, ${rawDays('d.tenant_id', 'd.bc_id')} AS days FROM devices d WHERE d.tenant_id = $1) k
         WHERE days < $2 ORDER BY id`,
        [run.tenant, longest],
      ),
    { readOnly: true },
  )
  let removed = 0
  for (const { days, id } of rows) removed += await rowsOf(run, id, daysBefore(run.now, days))
  return told(removed)
}
/** A device's oldest reports along its own index, up to the time of the last that fits into a piece. */
async function rowsOf(run: Run, device: string, before: Date): Promise<number> {
  const old = 'tenant_id = $1 AND device_id = $2 AND at < $3'
  let removed = 0
  while (!run.stopped()) {
    const { rowCount } = await unhurried(run.db, (tx) =>
      tx.run(
        'retention.raw',
        `DELETE FROM raw_events WHERE ${old} AND at <= coalesce(
           (SELECT at FROM raw_events WHERE ${old} ORDER BY at OFFSET ${ROWS - 1} LIMIT 1), $3)`,
        [run.tenant, device, before],
      ),
    )
    removed += rowCount ?? 0
    if ((rowCount ?? 0) < ROWS) break
  }
  return removed
}

async function dropImports({ db, stopped }: Run): Promise<string> {
  let removed = 0
  while (!stopped() && (await unhurried(db, forgetImport))) removed += 1
  return removed ? `删除 ${removed} 份` : ''
}

/** What only a release before this one needs goes when none of its servers is connected (docs/decisions/0155). */
const dropOldRule =
  (release: number, index: string, drop: string, told: string) =>
  async ({ db }: Run): Promise<string> => {
    const { rows } = await db.tx(SYSTEM, (tx) =>
      tx.query(
        'retention.overlap',
        row({ gone: bool, alone: bool }),
        `SELECT to_regclass('public.' || $1) IS NULL AS gone, NOT EXISTS (
           SELECT FROM pg_stat_activity
           WHERE datname = current_database() AND usename = current_user
             AND coalesce(substring(application_name FROM '^zhuguan (\\d{1,6})$')::int, 0) < $2) AS alone`,
        [index, release],
      ),
    )
    const { gone, alone } = rows[0]!
    if (gone || !alone) return ''
    await db.tx(SYSTEM, (tx) => tx.run('retention.rule', drop))
    return told
  }

/** The oldest messages, found by their number; nothing is read that is kept. */
const OLD_MESSAGES = `SELECT place FROM (SELECT ctid AS place, at FROM live_events ORDER BY seq LIMIT ${ROWS}) o
  WHERE at < :now - interval '2 hours'`
const OLD_NONCES = `SELECT ctid FROM device_nonces WHERE expires_at < :now LIMIT ${ROWS}`

const older = (at: string, days: number): string => `${at} < :now - interval '${days} days'`
const sweep = (table: string, at: string | number, gone: string): Job => ({
  kind: `retention.${table}`,
  at,
  whole: true,
  run: (run) => pageByPage(run, table, gone),
})

/** Of each group so many rows at a time, until there is nothing left to forget. */
const byGroup = (
  what: string,
  forget: (tx: Tx, tenant: string, most: number) => Promise<{ rowCount: number | null }>,
  say: (forgotten: number) => string,
): Job => ({
  kind: `retention.${what}`,
  at: NIGHT,
  async run({ db, tenant, stopped }) {
    let forgotten = 0
    for (let more = true; more && !stopped();) {
      const { rowCount } = await unhurried(db, (tx) => forget(tx, tenant, ROWS))
      forgotten += rowCount ?? 0
      more = rowCount === ROWS
    }
    return say(forgotten)
  },
})

/**
 * A clock that jumped far ahead must not delete what is still to be kept: after a rest of more than a week the night
 * only says so, and the next one deletes. Whoever set the clock wrong sees it on every page before that.
 */
export const carefully = (job: Job): Job => ({
  ...job,
  run: async (run) =>
    addDays(shanghaiDay(run.since ?? run.met), REST_DAYS) < run.day
      ? `距上次清理超过 ${REST_DAYS} 天，今晚先不删除；如果服务器的时钟不对，请在明晚以前改正`
      : job.run(run),
})
const NIGHTLY: readonly Job[] = [
  // A device may send again what is seven days old (docs of the protocol); a day on each side for clocks and midnight.
  sweep('device_seen', NIGHT, `gone_on < ${TODAY}`),
  sweep('device_receipts', NIGHT, `received_on < ${TODAY} - ${KEPT_DAYS.deviceEvents}`),
  sweep('idempotency', NIGHT, older('at', KEPT_DAYS.repeats)),
  sweep('sessions', NIGHT, older('coalesce(revoked_at, expires_at)', KEPT_DAYS.sessions)),
  sweep('notifications', NIGHT, older('at', KEPT_DAYS.notifications)),
  // A message that waits longer than this is reminded of anew.
  sweep('reminders', NIGHT, older('at', KEPT_DAYS.reminders)),
  // A card's curve shows two weeks.
  sweep('delivery_days', NIGHT, `day < ${TODAY} - ${KEPT_DAYS.deliveryDays}`),
  {
    kind: 'retention.absences',
    at: NIGHT,
    async run({ db, tenant }) {
      const { rowCount } = await unhurried(db, (tx) => forgetAbsences(tx, tenant))
      return rowCount ? `删除 ${rowCount} 次不在` : ''
    },
  },
  {
    // How many numbers somebody read in a day is counted on that day alone; the log keeps each look.
    kind: 'retention.customer_looks',
    at: NIGHT,
    async run({ db, tenant }) {
      const { rowCount } = await unhurried(db, (tx) => forgetLooks(tx, tenant))
      return rowCount ? `删除 ${rowCount} 次电话查看计数` : ''
    },
  },
  {
    kind: 'retention.remarks',
    at: NIGHT,
    async run({ db, tenant }) {
      const { rowCount } = await unhurried(db, (tx) => forgetRemarks(tx, tenant))
      return rowCount ? `删除 ${rowCount} 条监督说明` : ''
    },
  },
  byGroup('channel_messages', forgetMessages, told),
  byGroup('mails', forgetMails, told),
  // The place of somebody when a patrol began; the distance from the site stays.
  byGroup('places', forgetPlaces, (n) => (n ? `删除 ${n} 次签到的位置` : '')),
  // What was taken back is told for a year and more, as the log tells it for good.
  byGroup('screens', forgetScreens, told),
  sweep('jobs', NIGHT, `day < ${TODAY} - ${KEPT_DAYS.jobs}`),
  { kind: 'retention.imports', at: NIGHT, whole: true, run: dropImports },
  { kind: 'retention.rawMonths', at: NIGHT, whole: true, run: dropMonths },
  { kind: 'retention.rawRows', at: NIGHT, run: dropRows },
]

/** An event may name what was uploaded so long before it, no longer (LATE_SECONDS); the night is four hours later. */
const LOOSE_DAYS = KEPT_DAYS.unnamed
/** Uploads of devices that nothing names: repetitions that were ignored, events that never came. */
export const looseClips = (files: FileStore): Job =>
  carefully({
    kind: 'retention.clips',
    at: NIGHT,
    async run({ db, tenant, now, since, stopped }) {
      const before = daysBefore(now, LOOSE_DAYS)
      // A day more than since the last night: what was looked at once is not looked at again.
      let from = { at: since ? daysBefore(since, LOOSE_DAYS + 1) : new Date(0), key: '' }
      let removed = 0
      for (let more = true; more && !stopped();) {
        const place = { tenant, after: from.at, key: from.key, before }
        const piece = await unhurried(db, (tx) => forgetLoose(tx, files, place))
        removed += piece.removed
        more = !!piece.last
        from = piece.last ?? from
      }
      return removed ? `删除 ${removed} 个没有用到的视频` : ''
    },
  })

const ALMOST_AT_ONCE = 10
/** What was made for strangers of a home that is shown no more goes with it; who agreed to what stays. */
export const caseRetention = (files: FileStore): Job =>
  carefully({
    kind: 'retention.cases',
    at: ALMOST_AT_ONCE,
    async run({ db, tenant, stopped }) {
      let removed = 0
      for (let some = 1; some > 0 && !stopped(); removed += some)
        some = await unhurried(db, (tx) => forgetRenditions(tx, files, tenant))
      return removed ? `删除 ${removed} 张案例照片` : ''
    },
  })

/** What has lost its row leaves its place, too. */
export const leavingFiles = (files: FileStore): Job => ({
  kind: 'retention.files',
  at: ALMOST_AT_ONCE,
  run: async ({ db, tenant, stopped }) => {
    const taken = await takeAway(db, files, tenant, stopped)
    return taken ? `取走 ${taken} 个文件` : ''
  },
})

/** Pictures and papers that were uploaded and that nothing names. */
export const loosePictures = (files: FileStore): Job =>
  carefully({
    kind: 'retention.pictures',
    at: NIGHT,
    async run({ db, tenant, day, now, since, stopped }) {
      // What a row has named may be named no longer: once a month all are looked at.
      const met = since && !day.endsWith('-01') ? since : undefined
      let removed = 0
      const before = daysBefore(now, LOOSE_DAYS)
      for (const ofDevices of [true, false]) {
        let from = { at: met ? daysBefore(met, LOOSE_DAYS + 1) : new Date(0), key: '' }
        for (let more = true; more && !stopped();) {
          const looking = { tenant, ofDevices, after: from.at, key: from.key, before }
          const piece = await unhurried(db, (tx) => forgetPictures(tx, files, looking))
          removed += piece.removed
          more = !!piece.last
          from = piece.last ?? from
        }
      }
      return removed ? `删除 ${removed} 个没有用到的照片和文件` : ''
    },
  })

const OLD_RULES: readonly Job[] = [
  {
    kind: 'retention.alarms_open',
    at: OFTEN,
    whole: true,
    run: dropOldRule(155, 'alarms_open', 'SELECT drop_alarms_open()', '旧的报警唯一规则已去掉'),
  },
  {
    kind: 'retention.users_user_name',
    at: OFTEN,
    whole: true,
    run: dropOldRule(180, 'users_user_name', 'SELECT drop_shared_names()', '旧的账号唯一规则已去掉'),
  },
]
/** What forgets, each of a kind that is told in kept.ts. */
export const FORGETTING: readonly Job[] = [
  {
    kind: 'retention.live',
    at: OFTEN,
    whole: true,
    run: (run) => inPieces(run, 'live_events', OLD_MESSAGES),
  },
  {
    kind: 'retention.nonces',
    at: OFTEN,
    whole: true,
    run: (run) => inPieces(run, 'device_nonces', OLD_NONCES),
  },
  sweep('login_failures', OFTEN, 'until < :now'),
  sweep('oidc_states', OFTEN, 'expires_at < :now'),
  sweep('screen_codes', OFTEN, 'expires_at < :now'),
  ...NIGHTLY.map(carefully),
]
export const RETENTION: readonly Job[] = [...FORGETTING, ...OLD_RULES]
