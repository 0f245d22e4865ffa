import { type ChildProcess, fork } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { connect } from '../../server/database/connect.ts'
import { startEmbedded } from '../../server/database/embedded.ts'
import { migrate } from '../../server/database/migrate.ts'
import { seedDemo, type SimulatedDevice } from '../../server/database/seed/demo.ts'
import { readSecretKey } from '../../server/kit/secret.ts'

export interface Stage {
  owner: pg.Client
  devices: SimulatedDevice[]
  /** A server in a process of its own, that can be killed. */
  serve(): Promise<{ url: string; process: ChildProcess }>
  close(): Promise<void>
}

/** A database with the demo's people and devices, and servers over it that come and go. */
export async function setStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'zhuguan-goal-'))
  await chmod(folder, 0o755)
  const embedded = await startEmbedded(folder)
  const { logins } = await migrate(embedded.url)
  const db = connect(logins, { max: 2 })
  const devices = await seedDemo(db, { secretKey: await readSecretKey(folder), now: new Date() })
  await db.close()
  const owner = new pg.Client({ connectionString: embedded.url })
  await owner.connect()
  const running = new Set<ChildProcess>()
  return {
    owner,
    devices,
    serve: () =>
      new Promise((resolve, reject) => {
        const child = fork(join(import.meta.dirname, '..', '..', 'bench', 'server.ts'), { env: { ...process.env, LOGINS: JSON.stringify(logins), FOLDER: folder }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
        running.add(child)
        child.once('message', (told) => resolve({ url: (told as { url: string }).url, process: child }))
        child.once('exit', () => {
          running.delete(child)
          reject(new Error('the server ended before it was ready'))
        })
      }),
    async close() {
      for (const child of running) child.kill('SIGKILL')
      await owner.end()
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
