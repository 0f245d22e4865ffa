import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import closeWithGrace from 'close-with-grace'

import { dealDemo } from './app/demo-deals.ts'
import { beginDemo, demoStep } from './app/demo-steps.ts'
import { forgetAgain } from './app/erasure-journal.ts'
import { refuseOtherFiles } from './app/files-mark.ts'
import { filesPlace } from './app/files-place.ts'
import { ownKey, refuseOtherKey, refuseWrongClock } from './app/installation.ts'
import { listenWords, refuseTakenPlace } from './app/listen-place.ts'
import { type RunningApp, serveApp } from './app/serve-app.ts'
import { readSettings, type Settings } from './app/settings.ts'
import { startSimulator } from './app/simulator.ts'
import { soleServer } from './app/sole-server.ts'
import { offerNew } from './app/upgrade.ts'
import { warnings } from './app/warnings.ts'
import { connect, type Database } from './database/connect.ts'
import { startEmbedded } from './database/embedded.ts'
import { reachDatabase } from './database/late-database.ts'
import { migrate } from './database/migrate.ts'
import { refuseTransactionPooler } from './database/pooler.ts'
import { finishRestore } from './database/restore.ts'
import { roomFor } from './database/room.ts'
import { demoAccounts, isEmpty } from './database/seed/demo-accounts.ts'
import { SECOND_BRANCH } from './database/seed/demo-cast.ts'
import { DEMO_PASSWORD, seedDemo } from './database/seed/demo.ts'
import { seedFaces } from './database/seed/faces.ts'
import { CALENDAR } from './database/seed/holidays.ts'
import { SEED_ROLES } from './database/seed/roles.ts'
import { openFileStore } from './features/files/file-store.ts'
import { makeFolder } from './kit/folder.ts'
import type { OwnPlace } from './kit/own-place.ts'
import { sourced } from './kit/sourced.ts'

const POOL = 16
const secondsSince = (begun: number, digits: number) => ((performance.now() - begun) / 1_000).toFixed(digits)

/** The demo's people, places and devices, in an empty database. */
async function loadDemo(
  db: Database,
  simulatorFile: string,
  of: { secretKey: Buffer; now: Date },
): Promise<void> {
  await seedDemo(db, {
    ...of,
    calendar: CALENDAR,
    async before(tx, devices) {
      await beginDemo(tx, of.now)
      await writeFile(simulatorFile, JSON.stringify(devices), { mode: 0o600 })
    },
  })
}

/** Anybody who can sign in to the demo, and where from. */
function demoPeople(host: string): string {
  const first = SEED_ROLES.map((r) => `${r.code} ${r.name}`).join(' · ')
  const second = SECOND_BRANCH.map((c) => `${c}2`).join(' · ')
  const alone = '\n演示账号的密码人人知道，所以只在本机打得开；要让别的机器打开，请设 LISTEN_HOST=0.0.0.0'
  return (
    `\n演示账号（密码 ${DEMO_PASSWORD}）：\n  ${first}\n  第二个分公司：${second}\n  另一个集团：other` +
    (host === '127.0.0.1' ? alone : '')
  )
}

/** What was begun, and how it ends: in the opposite order, whether the start failed or somebody said stop. */
class Begun {
  private readonly ends: (() => unknown)[] = []
  onEnd(end: () => unknown): void {
    this.ends.unshift(end)
  }
  async end(): Promise<void> {
    for (const end of this.ends.splice(0)) await end()
  }
}

/** It is there: where it is opened, who may sign in, and what is missing where nobody may yet. */
function announce(
  app: RunningApp,
  settings: Settings,
  { from, host, demo, isWithout }: { from: number; host: string; demo: boolean; isWithout: boolean },
): void {
  const url = settings.publicUrl ?? app.url.replace('127.0.0.1', 'localhost')
  const first = isWithout ? '\n还没有集团：npm run cli -- tenant add --name <集团名称> --admin <账号>' : ''
  const people = demo ? demoPeople(host) : ''
  const deaf = app.mqttUp() ? '' : '（现在没有接上，接上以前收不到设备的消息）'
  console.log(
    `筑管已启动，用时 ${secondsSince(from, 1)} 秒${first}\n打开 ${url}\n设备 MQTT：${app.mqttUrl}${deaf}${people}`,
  )
}

/** The database as this server uses it: reached, migrated, and asked for no more connections than there are. */
async function openDatabase(
  settings: Settings,
  { now, ownerUrl, place }: { ownerUrl: string; place: OwnPlace; now: () => Date },
) {
  if (settings.databaseUrl) await reachDatabase(settings.databaseUrl)
  const { logins } = await migrate(ownerUrl)
  for (const url of [logins.app, logins.system]) await refuseTransactionPooler(url)
  const { lines, ...share } = await roomFor(ownerUrl, logins, POOL)
  for (const line of lines) console.log(line)
  // The key too may come from a backup.
  await finishRestore(ownerUrl, settings.dataDir, place)
  return { logins, db: connect(logins, { ...share, now, replicas: settings.replicaUrls }) }
}

async function start(settings: Settings, begun: Begun): Promise<void> {
  const from = performance.now()
  await makeFolder(settings.dataDir)
  // The demo is loaded into an empty database of our own, never into one that somebody gave us unless they say so.
  const demo = settings.demo ?? !settings.databaseUrl
  const host = settings.host ?? (demo ? '127.0.0.1' : '0.0.0.0')
  const sole = settings.databaseUrl ? undefined : await soleServer(settings.dataDir)
  begun.onEnd(() => sole?.leave())
  await refuseTakenPlace({ port: settings.port, host })
  const embedded = settings.databaseUrl ? undefined : await startEmbedded(settings.dataDir)
  begun.onEnd(() => embedded?.stop())
  const now = () => new Date()
  const place = filesPlace(settings)
  const ownerUrl = settings.databaseUrl ?? embedded!.url
  const { logins, db } = await openDatabase(settings, { ownerUrl, place, now })
  begun.onEnd(() => db.close())
  const secretKey = await ownKey(db, settings.dataDir)
  await refuseOtherKey(db, secretKey, settings.dataDir)
  await refuseOtherFiles(db, place, (why) => console.error(why))
  await refuseWrongClock(db, now)
  await offerNew(db)

  const files = openFileStore(settings.dataDir, undefined, place)
  const forgotten = await forgetAgain(db, { files, secretKey, dataDir: settings.dataDir })
  if (forgotten) console.log(`备份里有 ${forgotten} 个人要求删除过个人信息，已经再次删除`)
  const simulatorFile = join(settings.dataDir, 'simulator.json')
  if (demo) {
    if (await isEmpty(db)) await loadDemo(db, simulatorFile, { secretKey, now: now() })
    await demoStep(db, 'faces', now(), (from) => seedFaces(db, files, from))
  }
  const open = demo ? [] : await demoAccounts(db)
  if (open.length)
    throw new Error(
      `库里有 ${open.length} 个演示账号（${open.slice(0, 3).join('、')}…）还用着人人知道的密码。演示请设 DEMO=1；正式使用请先改掉它们的密码或停用`,
    )
  const app = await serveApp({
    ...settings,
    host,
    db,
    place,
    secretKey,
    now,
    databaseDownMs: embedded?.downMs,
    verify: process.env.NODE_ENV !== 'production',
  })

  begun.onEnd(() => app.close())
  const log = warnings(() => app.built.app.log)
  embedded?.watch({
    warn: log,
    gaveUp(error) {
      console.error(
        `内置数据库停了，一直没有能重新启动，服务退出，请查看 ${settings.dataDir}/postgres：${error.message}`,
      )
      process.exit(1)
    },
  })
  // Nobody waits for what was sold in the past; whoever opens the lists meanwhile sees them fill.
  const plays = settings.simulate ?? demo
  if (plays)
    demoStep(db, 'deals', now(), (from) => dealDemo(logins, { files, secretKey, now: from })).catch(log)
  const simulator =
    plays && existsSync(simulatorFile)
      ? startSimulator({
          app,
          db,
          dataDir: settings.dataDir,
          devices: simulatorFile,
          now,
          warn: log,
          historyTold: (days) =>
            console.log(`演示数据：${days} 天历史已载入，用时 ${secondsSince(from, 0)} 秒`),
        })
      : undefined

  begun.onEnd(() => simulator?.close())

  announce(app, settings, { from, host, demo, isWithout: !demo && (await isEmpty(db)) })
}

const LONGEST_BEGINNING_MS = 5_000
const begun = new Begun()
let stopping = false
let starting: Promise<unknown> = Promise.resolve()
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const heard = () => {}
// Where nobody listens for a moment, as between the library's first listener and its next, a signal kills at once.
for (const signal of SIGNALS) process.on(signal, heard)
closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
  stopping = true
  // A second signal says nothing new: a terminal and a supervisor tell everybody, and the launcher passes it on. The
  // library would end the process at it, whatever its `onSecondSignal` does.
  for (const signal of SIGNALS)
    for (const listener of process.listeners(signal)) if (listener !== heard) process.off(signal, listener)
  if (err) console.error(sourced(err.stack) ?? err)
  await begun.end()
  // What was being begun meanwhile is there by now, or failed at what has gone.
  await Promise.race([starting, sleep(LONGEST_BEGINNING_MS)])
  await begun.end()
  console.log('筑管已停止')
})
try {
  const started = start(readSettings(process.env), begun)
  starting = started.catch(() => {})
  await started
} catch (error) {
  // Told to stop while it started: what it missed is no news, and its end is under way.
  if (stopping) await new Promise(() => {})
  console.error(listenWords(error as Error) ?? (error as Error).message)
  if (process.env.LOG_LEVEL === 'debug') console.error(sourced((error as Error).stack))
  await begun.end().catch((failed: Error) => console.error(failed.message))
  process.exit(1)
}
