import { type ChildProcess, fork } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { startEmbedded } from '../../server/database/embedded.ts'
import type { Logins } from '../../server/database/migrate.ts'
import type { SimulatedDevice } from '../../server/database/seed/demo-cast.ts'
import type { VideoSettings } from '../../server/features/streams/gateway.ts'
import { demoFolder } from '../demo-folder.ts'
import { begins } from './begun.ts'
import type { Plant } from './plants.ts'
import type { Told } from './server.ts'

export interface Served {
  url: string
  process: ChildProcess
  /** Bytes in use after everything that can be freed was freed; the stage was set with --expose-gc. */
  heap(): Promise<number>
  /** Bytes that the machine gives this process. */
  memory(): Promise<number>
  /**
   * The most processor time in milliseconds that its loop went without a turn since this was asked last: a busy machine
   * adds nothing to it. The first time it begins to be watched.
   */
  stop(): Promise<number>
  /** Lets its loop stand still, at work: the control of `stop`. */
  spin(ms: number): Promise<void>
  /** Sets the server's clock this far from the machine's. */
  shift(ms: number): Promise<void>
  /** Ends this server, and nothing else. */
  end(): Promise<void>
}
export interface Serving {
  /** The very hole that a goal looks for: its control. */
  plant?: Plant | undefined
  /** The call that has it, and the file that it leaves behind. */
  path?: string | undefined
  leaves?: string
  /** Another way to the same database. */
  logins?: Logins
  execArgv?: string[]
  sessionMinutes?: number
  /** Where cameras play. */
  video?: VideoSettings
}
export interface Stage {
  /** As the owner of the tables, past every rule. */
  owner: pg.Client
  /** Where the owner comes in. */
  ownerUrl: string
  logins: Logins
  secretKey: Buffer
  folder: string
  /** The database goes (at once, or as an administrator stops it) and comes back. */
  database: { leave(how: 'kill' | 'stop'): Promise<void>; comeBack(): Promise<void> }
  devices: SimulatedDevice[]
  /** A server in a process of its own, that can be killed. */
  serve(how?: Serving): Promise<Served>
  /** `before` is done when the database has stopped and its folder is still there. */
  close(before?: () => void): Promise<void>
}

/** A database with the demo's people and devices, and servers over it that come and go. */
export async function setStage(execArgv: string[] = []): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'zhuguan-goal-'))
  await chmod(folder, 0o755)
  const { logins, secretKey, devices, ...begun } = await demoFolder(folder)
  let { embedded } = begun
  const connectOwner = async () => {
    const client = new pg.Client({ connectionString: embedded.url })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  let owner = await connectOwner()
  const running = new Set<ChildProcess>()
  const close: Stage['close'] = async (before) => {
    for (const child of running) child.kill('SIGKILL')
    await owner.end()
    await embedded.stop()
    before?.()
    await rm(folder, { recursive: true, force: true })
  }
  begins(close)
  return {
    get owner() {
      return owner
    },
    ownerUrl: embedded.url,
    logins,
    secretKey,
    folder,
    devices,
    database: {
      async leave(how) {
        if (how === 'stop') return embedded.stop()
        const pid = Number(
          (await readFile(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0],
        )
        process.kill(pid, 'SIGKILL')
      },
      async comeBack() {
        // Processes of a killed database hold its memory for a moment longer.
        for (let i = 0; ; i += 1) {
          try {
            embedded = await startEmbedded(folder)
            break
          } catch (error) {
            if (i === 40) throw error
            await new Promise((r) => setTimeout(r, 100))
          }
        }
        await owner.end().catch(() => {})
        owner = await connectOwner()
      },
    },
    serve: ({
      plant,
      path = '',
      leaves = '',
      logins: through = logins,
      execArgv: more = [],
      sessionMinutes,
      video,
    } = {}) =>
      new Promise((resolve, reject) => {
        const child = fork(join(import.meta.dirname, 'server.ts'), {
          env: {
            ...process.env,
            LOGINS: JSON.stringify(through),
            FOLDER: folder,
            ...(plant
              ? { PLANT: plant, PLANT_PATH: path, PLANT_FILE: leaves, DEVICES: JSON.stringify(devices) }
              : {}),
            ...(video ? { VIDEO: JSON.stringify(video) } : {}),
            ...(sessionMinutes ? { SESSION_MINUTES: String(sessionMinutes) } : {}),
          },
          execArgv: [...execArgv, ...more],
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        })
        running.add(child)
        const tell = (message: Told) =>
          new Promise<number>((heard) => {
            child.once('message', (answer) => heard(answer as number))
            child.send(message)
          })
        const gone = new Promise<void>((over) => child.once('exit', () => over()))
        child.once('message', (told) =>
          resolve({
            url: (told as { url: string }).url,
            process: child,
            heap: () => tell('heap'),
            stop: () => tell('stop'),
            spin: async (ms) => void (await tell({ spin: ms })),
            memory: () => tell('memory'),
            shift: async (ms) => void (await tell({ shift: ms })),
            async end() {
              child.kill('SIGKILL')
              await gone
            },
          }),
        )
        child.once('exit', () => {
          running.delete(child)
          reject(new Error('the server ended before it was ready'))
        })
      }),
    close,
  }
}
