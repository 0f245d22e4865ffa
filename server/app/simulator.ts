import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { Database } from '../database/connect.ts'
import { CALENDAR } from '../database/seed/holidays.ts'
import { ROOT } from '../kit/paths.ts'
import { closeDemoDay } from './demo-days.ts'
import type { RunningApp } from './serve-app.ts'

const HISTORY_DAYS = 90
const FIRST_WAIT_MS = 1_000
const LAST_WAIT_MS = 60_000
/** After so long it has worked: the next failure is a new one. */
const WELL_MS = 60_000
const MAIN = join(ROOT, 'simulator', 'main.ts')

export interface SimulatorOptions {
  app: RunningApp
  db: Database
  dataDir: string
  /** The devices that it plays. */
  devices: string
  now: () => Date
  warn: (error: unknown) => void
  historyTold: (days: number) => void
}

/** Plays the demo's devices in a process of its own, and is started again when that dies: what it sent is only counted. */
export function startSimulator(o: SimulatorOptions): { close(): void } {
  const historyFile = join(o.dataDir, 'history.done')
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let closing = false
  let wait = FIRST_WAIT_MS

  function start(): void {
    const replay = !existsSync(historyFile)
    const at = performance.now()
    o.app.history(replay)
    const mine = fork(MAIN, {
      env: {
        ...process.env,
        BASE_URL: o.app.url,
        MQTT_URL: o.app.mqttUrl,
        DEVICES: o.devices,
        FILMED: join(o.dataDir, 'filmed.txt'),
        HOLIDAYS: CALENDAR.filter(({ rest }) => rest)
          .map(({ day }) => day)
          .join(','),
        HISTORY_DAYS: replay ? String(HISTORY_DAYS) : '0',
      },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child = mine
    mine.on('error', o.warn)
    mine.on('message', (message: { day?: string; last?: boolean; history?: string }) => {
      if (message.day)
        void closeDemoDay(o.db, message.day, message.last ?? false)
          .catch(o.warn)
          .then(() => mine.connected && mine.send('next'))
      if (message.history !== 'done') return
      o.app.history(false)
      if (!replay) return
      void writeFile(historyFile, o.now().toISOString()).catch(o.warn)
      o.historyTold(HISTORY_DAYS)
    })
    mine.on('exit', (code, signal) => {
      if (closing) return
      o.app.history(false)
      o.warn(new Error(`模拟器停了（${signal ?? code}），将重新启动`))
      wait = performance.now() - at > WELL_MS ? FIRST_WAIT_MS : Math.min(wait * 2, LAST_WAIT_MS)
      timer = setTimeout(start, wait)
    })
  }
  start()
  return {
    close() {
      closing = true
      clearTimeout(timer)
      child?.kill('SIGTERM')
    },
  }
}
