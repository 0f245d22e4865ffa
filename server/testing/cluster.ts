import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

/** Where a whole PostgreSQL is installed; the one that comes along cannot copy itself. */
const BIN = ['17', '16', '15', '18']
  .map((v) => `/usr/lib/postgresql/${v}/bin`)
  .find((bin) => existsSync(`${bin}/pg_basebackup`))
export const canReplicate = BIN !== undefined

const NOBODY = 65_534
/** PostgreSQL refuses to run as root. */
const asUser = () => (process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {})
const run = (program: string, ...args: string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(join(BIN!, program), args, {
      ...asUser(),
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let errors = ''
    child.stderr.on('data', (bytes: Buffer) => (errors += bytes))
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program}: ${errors}`))))
  })
const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

export interface Standby {
  /** The owner's address. */
  url: string
  /** Whether it follows what it hears. */
  pause(on: boolean): Promise<void>
  promote(): Promise<void>
  kill(): Promise<void>
  start(): Promise<void>
}

/** A primary and what streams from it, in a folder of their own. */
export async function startCluster(): Promise<{ url: string; standby: Standby; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'zhuguan-cluster-'))
  await chmod(folder, 0o755)
  if (process.getuid?.() === 0) await chown(folder, NOBODY, NOBODY)
  const [primary, standby] = [join(folder, 'primary'), join(folder, 'standby')]
  const ports = { primary: await freePort(), standby: await freePort() }
  const urlOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`
  const optionsOf = (port: number) =>
    `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`
  const start = (data: string, port: number) =>
    run('pg_ctl', 'start', '-w', '-s', '-D', data, '-l', `${data}.log`, '-o', optionsOf(port))
  const stop = (data: string) => run('pg_ctl', 'stop', '-w', '-s', '-m', 'immediate', '-D', data)
  const sql = async (text: string) => {
    const client = new pg.Client({ connectionString: urlOf(ports.standby) })
    await client.connect()
    const { rows } = await client.query(text)
    await client.end()
    return (rows[0] as { state?: string } | undefined)?.state
  }
  await run('initdb', '-D', primary, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N')
  await start(primary, ports.primary)
  await run('pg_basebackup', '-D', standby, '-R', '-c', 'fast', '-X', 'stream', '-d', urlOf(ports.primary))
  await start(standby, ports.standby)
  return {
    url: urlOf(ports.primary),
    standby: {
      url: urlOf(ports.standby),
      // Asked to pause, a standby still finishes what it is at.
      async pause(on) {
        await sql(`SELECT pg_wal_replay_${on ? 'pause' : 'resume'}()`)
        const wanted = on ? 'paused' : 'not paused'
        while ((await sql('SELECT pg_get_wal_replay_pause_state() AS state')) !== wanted)
          await new Promise((done) => setTimeout(done, 10))
      },
      promote: () => run('pg_ctl', 'promote', '-w', '-s', '-D', standby),
      kill: () => stop(standby),
      start: () => start(standby, ports.standby),
    },
    async stop() {
      await stop(standby).catch(() => {})
      await stop(primary)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
