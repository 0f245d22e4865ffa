import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import closeWithGrace from 'close-with-grace'

import { closeDemoDay } from './app/demo-days.ts'
import { serveApp } from './app/serve-app.ts'
import { readSettings, type Settings } from './app/settings.ts'
import { offerNew } from './app/upgrade.ts'
import { connect } from './database/connect.ts'
import { startEmbedded } from './database/embedded.ts'
import { migrate } from './database/migrate.ts'
import { finishRestore } from './database/restore.ts'
import { DEMO_PASSWORD, demoAccounts, isEmpty, SECOND_BRANCH, seedDemo } from './database/seed/demo.ts'
import { SEED_ROLES } from './database/seed/roles.ts'
import { ROOT } from './kit/paths.ts'
import { readSecretKey } from './kit/secret.ts'
import { sourced } from './kit/sourced.ts'

const HISTORY_DAYS = 90
const POOL = 16

async function start(settings: Settings): Promise<void> {
  const begun = performance.now()
  const embedded = settings.databaseUrl ? undefined : await startEmbedded(settings.dataDir)
  const ownerUrl = settings.databaseUrl ?? embedded!.url
  const { logins } = await migrate(ownerUrl)
  // The key too may come from a backup.
  await finishRestore(ownerUrl, settings.dataDir)
  const secretKey = await readSecretKey(settings.dataDir)
  const now = () => new Date()
  const db = connect(logins, { max: POOL, now })

  await offerNew(db)

  // The demo is loaded into an empty database of our own, never into one that somebody gave us unless they say so.
  const demo = settings.demo ?? !settings.databaseUrl
  const simulatorFile = join(settings.dataDir, 'simulator.json')
  const historyFile = join(settings.dataDir, 'history.done')
  if (demo && (await isEmpty(db))) {
    await writeFile(simulatorFile, JSON.stringify(await seedDemo(db, { secretKey, now: now() })), {
      mode: 0o600,
    })
  }
  const open = demo ? [] : await demoAccounts(db)
  if (open.length) {
    await db.close()
    await embedded?.stop()
    throw new Error(
      `库里有 ${open.length} 个演示账号（${open.slice(0, 3).join('、')}…）还用着人人知道的密码。演示请设 DEMO=1；正式使用请先改掉它们的密码或停用`,
    )
  }
  const app = await serveApp({
    ...settings,
    db,
    secretKey,
    now,
    verify: process.env.NODE_ENV !== 'production',
  })

  let simulator: ChildProcess | undefined
  if ((settings.simulate ?? demo) && existsSync(simulatorFile)) {
    const replay = !existsSync(historyFile)
    app.history(replay)
    simulator = fork(join(ROOT, 'simulator', 'main.ts'), {
      env: {
        ...process.env,
        BASE_URL: app.url,
        MQTT_URL: app.mqttUrl,
        DEVICES: simulatorFile,
        HISTORY_DAYS: replay ? String(HISTORY_DAYS) : '0',
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    simulator.on('message', (message: { day?: string; last?: boolean; history?: string }) => {
      if (message.day)
        void closeDemoDay(db, message.day, message.last ?? false)
          .catch((error) => app.built.app.log.error(error))
          .then(() => simulator?.connected && simulator.send('next'))
      if (message.history === 'done') {
        app.history(false)
        if (replay) {
          void writeFile(historyFile, now().toISOString())
          console.log(
            `演示数据：${HISTORY_DAYS} 天历史已载入，用时 ${((performance.now() - begun) / 1000).toFixed(0)} 秒`,
          )
        }
      }
    })
  }

  const accounts = demo
    ? `\n演示账号（密码 ${DEMO_PASSWORD}）：\n  ${SEED_ROLES.map((r) => `${r.code} ${r.name}`).join(' · ')}\n  第二个分公司：${SECOND_BRANCH.map((c) => `${c}2`).join(' · ')}\n  另一个集团：other`
    : ''
  console.log(
    `筑管已启动，用时 ${((performance.now() - begun) / 1000).toFixed(1)} 秒\n打开 ${settings.publicUrl ?? app.url.replace('127.0.0.1', 'localhost')}\n设备 MQTT：${app.mqttUrl}${accounts}`,
  )

  closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
    if (err) console.error(sourced(err.stack) ?? err)
    simulator?.kill('SIGTERM')
    await app.close()
    await db.close()
    await embedded?.stop()
  })
}

try {
  await start(readSettings(process.env))
} catch (error) {
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number }
  console.error(code === 'EADDRINUSE' ? `端口 ${port ?? ''} 已被占用，请用 PORT 换一个` : message)
  if (process.env.LOG_LEVEL === 'debug') console.error(sourced((error as Error).stack))
  process.exit(1)
}
