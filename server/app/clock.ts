import type { Database } from '../database/connect.ts'
import { recountAlarmHours } from '../features/alarms/alarm-hours.service.ts'
import { openDay, recomputeDays } from '../features/attendance/attendance.service.ts'
import { countNoWork } from '../features/attendance/standstill.service.ts'
import { expireCases } from '../features/cases/consenting.service.ts'
import { addUpCustomers } from '../features/customers/customer-counts.service.ts'
import { returnCustomers } from '../features/customers/customers-back.service.ts'
import type { FileStore } from '../features/files/files.service.ts'
import { keepDeliveryDay } from '../features/home/home.service.ts'
import { queueDigests } from '../features/mails/mail-sending.queries.ts'
import { tellStandstills } from '../features/no-work/no-work.service.ts'
import { remind } from '../features/notifications/reminders.service.ts'
import { recountPatrolDays } from '../features/patrols/patrol-days.service.ts'
import { makeStageTasks, makeTasks, tellTasks } from '../features/patrols/tasks.service.ts'
import { keepDay } from '../features/pieces/counts.service.ts'
import { rankSites } from '../features/rankings/rankings.service.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { takeBackFallen } from '../features/shares/fallen.service.ts'
import { dropFallen } from '../features/shares/previews.service.ts'
import { letterSites } from '../features/sites/initials.service.ts'
import { tellSubscribers } from '../features/statistics/daily-sheet.service.ts'
import { recountSupervised } from '../features/supervision/supervised-days.service.ts'
import { weighAll } from '../features/trusts/trusts.service.ts'
import { sealLog } from '../features/userlogs/userlogs.service.ts'
import { weighAll as weighWarnings, weighChanged } from '../features/warnings/weighing.service.ts'
import type { FolderRecordings } from '../ingest/folder-recordings.ts'
import { row, uuid } from '../kit/row.ts'
import { addDays, shanghaiDay, shanghaiTime, startOfDay } from '../kit/shanghai.ts'
import { branchRetention } from './branch-retention.ts'
import { type Job, type Run, runOf, startLane, unhurried } from './jobs.ts'
import { personJobs } from './person-jobs.ts'
import { REMINDERS } from './reminders.ts'
import { caseRetention, leavingFiles, looseClips, loosePictures, RETENTION } from './retention.ts'

const SEAL_MS = 1_000
const LOOK_MS = 10_000
const MONTHS_AHEAD = 40
/** Late events may still change this many past days. */
const RECOUNTED_DAYS = 3
/** After a longer silence the days before are left to who looks at them. */
const MADE_UP_DAYS = 31

/** The days before `day` that the night counts: the last ones, and those that no night has counted. */
function daysBefore({ day, since }: Run): string[] {
  const usual = addDays(day, -RECOUNTED_DAYS)
  const missed = since && shanghaiDay(since) < usual ? shanghaiDay(since) : usual
  const first = addDays(day, -MADE_UP_DAYS)
  const days: string[] = []
  for (let d = missed < first ? first : missed; d < day; d = addDays(d, 1)) days.push(d)
  return days
}

type Daily = Job & { at: string }
/** Rows of a month need its partition: whoever writes first in a new month must find it, with or without a device's report. */
const openMonths = async ({ db, day }: Pick<Run, 'db' | 'day'>): Promise<void> => {
  await unhurried(db, (tx) =>
    tx.run('clock.months', 'SELECT ensure_months($1::date, $2::date)', [
      addDays(day, -RECOUNTED_DAYS),
      addDays(day, MONTHS_AHEAD),
    ]),
  )
}
const months: Daily = { kind: 'months', at: '00:00', whole: true, first: true, run: openMonths }
const opening: Daily = {
  kind: 'openDay',
  at: '00:00',
  first: true,
  run: ({ db, tenant, day }) => unhurried(db, (tx) => openDay(tx, tenant, day)),
}
/** A day at a time: late punches of the others go on while one is counted. */
const recount: Daily = {
  kind: 'attendance',
  at: '00:20',
  async run(run) {
    let differed = 0
    for (const day of daysBefore(run))
      differed += await unhurried(run.db, (tx) => recomputeDays(tx, run.tenant, day, day))
    return differed ? `改正 ${differed} 行` : ''
  },
}
/** As far back as statistics are asked: a day that they are wrong about stands right the next morning. */
const COUNTED_DAYS = 400
const figures: Daily = {
  kind: 'figures',
  at: '00:35',
  async run({ db, tenant, day }) {
    const since = addDays(day, -COUNTED_DAYS)
    const alarms = await unhurried(db, (tx) => recountAlarmHours(tx, tenant, since))
    const patrols = await unhurried(db, (tx) => recountPatrolDays(tx, tenant, since))
    const people = await unhurried(db, (tx) => recountSupervised(tx, tenant, since))
    await unhurried(db, (tx) => addUpCustomers(tx, tenant))
    return alarms + patrols + people ? `改正报警 ${alarms} 行，巡检 ${patrols} 行，监督 ${people} 行` : ''
  },
}
const noWork: Daily = {
  kind: 'noWork',
  at: '00:30',
  run: (run) =>
    unhurried(run.db, async (tx) => {
      await countNoWork(tx, run.tenant, daysBefore(run)[0]!, addDays(run.day, -1))
      await tellStandstills(tx, run.tenant, run.now)
    }),
}
/** Days have passed: what is late is later. After the night has counted who was there. */
const warnings: Daily = {
  kind: 'warnings',
  at: '00:45',
  run: ({ db, tenant }) => unhurried(db, (tx) => weighWarnings(tx, tenant)),
}
/** What has changed on a site opens and closes its warnings soon. */
const warningsOfChanged: Job = {
  kind: 'warningsOfChanged',
  at: 1,
  run: ({ db, tenant }) => unhurried(db, (tx) => weighChanged(tx, tenant)),
}
const report: Daily = {
  kind: 'dailySheet',
  at: '08:00',
  run: ({ db, tenant, day }) => unhurried(db, (tx) => tellSubscribers(tx, tenant, addDays(day, -1))),
}

/** Sites to patrol today and tomorrow, and those of days when nobody was there to make them. */
const patrolTasks: Daily = {
  kind: 'patrolTasks',
  at: '00:05',
  first: true,
  run: (run) => unhurried(run.db, (tx) => makeTasks(tx, run)),
}
const patrolsToday: Daily = {
  kind: 'patrolsToday',
  at: '07:00',
  run: ({ db, tenant, day }) => unhurried(db, (tx) => tellTasks(tx, tenant, day)),
}
const STAGES_EVERY = 10
/** A stage that has begun wants to be patrolled soon. */
const patrolStages: Job = {
  kind: 'patrolStages',
  at: STAGES_EVERY,
  run: ({ db, tenant, day }) => unhurried(db, async (tx) => void (await makeStageTasks(tx, tenant, day))),
}

const REMIND_MINUTES = 5
const reminding = async ({ db, tenant }: Pick<Run, 'db' | 'tenant'>): Promise<string> => {
  let reminded = 0
  for (const source of REMINDERS) reminded += await unhurried(db, (tx) => remind(tx, tenant, source))
  return reminded ? `提醒 ${reminded} 次` : ''
}
const reminders: Job = { kind: 'reminders', at: REMIND_MINUTES, run: reminding }

const DIGEST_EVERY = 5
/** Whoever's hour has come has a digest, once a day. */
const digests: Job = {
  kind: 'mailDigests',
  at: DIGEST_EVERY,
  async run({ db, tenant, day, now }) {
    const hour = Number(shanghaiTime(now).slice(11, 13))
    const n = await unhurried(db, (tx) => queueDigests(tx, tenant, { day, hour }))
    return n ? `汇总 ${n} 封` : ''
  },
}

/** Before the day begins: what nobody followed up is free for others this morning. */
const customersBack: Daily = {
  kind: 'customersBack',
  at: '07:30',
  async run({ db, tenant }) {
    const n = await unhurried(db, (tx) => returnCustomers(tx, tenant))
    return n ? `退回公海 ${n} 位客户` : ''
  },
}

/** The day has begun: what was agreed to up to yesterday is over. */
const casesOver: Daily = {
  kind: 'casesOver',
  at: '00:02',
  async run({ db, tenant, stopped }) {
    let n = 0
    for (let some = 1; some > 0 && !stopped(); n += some)
      some = await unhurried(db, (tx) => expireCases(tx, tenant))
    return n ? `${n} 个案例授权到期` : ''
  },
}

const LETTERED = 2_000
/** Names that were written before first letters were, or past the services. */
const initialsOfSites: Daily = {
  kind: 'siteInitials',
  at: '03:40',
  first: true,
  async run({ db, tenant, stopped }) {
    let n = 0
    for (let some = LETTERED; some === LETTERED && !stopped(); n += some)
      some = await unhurried(db, (tx) => letterSites(tx, tenant, LETTERED))
    return n ? `补首字母 ${n} 个工地` : ''
  },
}
const FALLEN_EVERY = 5
/** Whoever composed something for a customer, or sent a link, hears of what may no longer be shown. */
const previews: Job = {
  kind: 'previews',
  at: FALLEN_EVERY,
  async run({ db, tenant }) {
    const dropped = await unhurried(db, (tx) => dropFallen(tx, tenant))
    const back = await unhurried(db, (tx) => takeBackFallen(tx, tenant))
    return dropped + back ? `去掉 ${dropped} 项不能公开的内容，收回 ${back} 个链接` : ''
  },
}
const trusts: Daily = {
  kind: 'trusts',
  at: '00:40',
  run: ({ db, tenant, now }) => unhurried(db, (tx) => weighAll(tx, tenant, now)),
}

const ranks: Daily = {
  kind: 'ranks',
  at: '05:50',
  run: ({ db, tenant, day, now }) => unhurried(db, (tx) => rankSites(tx, tenant, day, now)),
}

const MISSED_MS = 30 * 60_000
/** What the evening was is known that evening alone: a day that was missed stays a gap, not a wrong figure. */
const pieceDays: Daily = {
  kind: 'pieceDays',
  at: '23:58',
  async run({ db, day, now, tenant }) {
    if (now.getTime() - startOfDay(addDays(day, 1)).getTime() > MISSED_MS) return '错过了当晚，没有记'
    await unhurried(db, (tx) => keepDay(tx, tenant, day))
    await unhurried(db, (tx) => keepDeliveryDay(tx, tenant, day))
    return ''
  },
}

/** Scheduled work that people wait for, one line a job; what is forgotten stands in retention.ts. */
export const DAILY: readonly Daily[] = [
  months,
  opening,
  casesOver,
  patrolTasks,
  pieceDays,
  recount,
  noWork,
  figures,
  warnings,
  trusts,
  initialsOfSites,
  ranks,
  patrolsToday,
  customersBack,
  report,
]

/** Days without work up to yesterday. */
export const countYesterday = (db: Database, now: Date): Promise<boolean> => runOf(db, noWork, now)
/** Counters by the day for statistics of alarms and patrols. */
export const recountFigures = (db: Database, now: Date): Promise<boolean> => runOf(db, figures, now)
/** The person whom today expects. */
export async function openToday(db: Database, now: Date): Promise<boolean> {
  await openMonths({ db, day: shanghaiDay(now) })
  return runOf(db, opening, now)
}
/** Patrols that plans want. */
export const makePatrolTasks = (db: Database, now: Date): Promise<boolean> => runOf(db, patrolTasks, now)
/** Consents that were given up to yesterday. */
export const expireTonight = (db: Database, now: Date): Promise<boolean> => runOf(db, casesOver, now)
export const tellPatrolTasks = (db: Database, now: Date): Promise<boolean> => runOf(db, patrolsToday, now)
/** The sites to patrol today. */
export const rankToday = (db: Database, now: Date): Promise<boolean> => runOf(db, ranks, now)
/** Deviations of schedule and quality by now. */
export const weighTonight = (db: Database, now: Date): Promise<boolean> => runOf(db, warnings, now)
/** The trust in each camera by its last verdicts. */
export const weighTrusts = (db: Database, now: Date): Promise<boolean> => runOf(db, trusts, now)
/** Yesterday's report is told to those who subscribed to it. */
export const tellDailySheet = (db: Database, now: Date): Promise<boolean> => runOf(db, report, now)

export interface ClockDeps {
  db: Database
  now: () => Date
  secretKey: Buffer
  files: FileStore
  dataDir: string
  warn: (error: unknown) => void
  /** Recordings that something else puts away. */
  folder?: FolderRecordings | undefined
  /** Makes recordings playable, where the machine can. */
  films?: Job['run'] | undefined
  /** The interval at which it looks for what is due. */
  everyMs?: number
}
export interface Clock {
  /** Looks now, does what is due and answers how much of it was done here. */
  look(): Promise<number>
  close(): Promise<void>
}

const turning = (run: Job['run']): Job => ({ kind: 'recordings.films', at: 1, first: true, run })
const takeIn = (folder: FolderRecordings): Job => ({
  kind: 'recordings.folder',
  at: 1,
  whole: true,
  first: true,
  run: ({ now, stopped }) => folder.run(now, stopped),
})

export function startClock({
  db,
  now,
  secretKey,
  files,
  dataDir,
  warn,
  folder,
  films,
  everyMs = LOOK_MS,
}: ClockDeps): Clock {
  let sealing = false
  async function seal() {
    if (sealing) return
    sealing = true
    try {
      const tenants = await db.tx(
        SYSTEM,
        (tx) =>
          tx.query(
            'clock.unsealed',
            row({ tenant_id: uuid }),
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
  // Lanes of their own: neither a long night of forgetting nor large files hold up the day's opening.
  const lanes = [
    [...DAILY, patrolStages, warningsOfChanged, reminders, digests, previews, caseRetention(files)],
    [...RETENTION, ...branchRetention(files), looseClips(files), loosePictures(files)],
    [leavingFiles(files)],
    personJobs({ db, files, secretKey, dataDir }),
    ...(folder ? [[takeIn(folder)]] : []),
    ...(films ? [[turning(films)]] : []),
  ].map((jobs) => startLane(jobs, { db, now, everyMs, warn }))
  return {
    async look() {
      let done = 0
      for (const lane of lanes) done += await lane.look()
      return done
    },
    async close() {
      clearInterval(sealer)
      await Promise.all(lanes.map((lane) => lane.close()))
    },
  }
}
