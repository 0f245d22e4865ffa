import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import type { TestProject } from 'vitest/node'

import { ask } from '../database/ask.ts'
import { startEmbedded } from '../database/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { name, row } from '../kit/row.ts'
import { type Cluster, copyDatabase, dropDatabases } from './database.ts'
import { fillTemplate } from './template.ts'
import { testNow } from './time.ts'

const MEMORY = '/dev/shm'
const ROOM = 4 * 2 ** 30
/**
 * Every file of stories makes a thousand small files and deletes them again. A disk's file system looks for room among
 * what was deleted lately (a fifth of a run's time on ext4); in memory there is nothing to look for.
 */
async function roomy(): Promise<string> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize > ROOM ? MEMORY : tmpdir()
}

/**
 * One cluster for the stories of a project, with two templates: one migrated, one with the demo as well. Every file
 * gets a copy of one of them (about 0.1 s in memory).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.TEST_DATABASE_URL
  const folder = await mkdtemp(join(await roomy(), 'zhuguan-test-'))
  await chmod(folder, 0o755)
  const embedded = external ? undefined : await startEmbedded(folder, 'postgres')
  const admin = external ?? embedded!.url
  const nameOf = (what: string) => `zhuguan_${what}_${project.name}_${process.pid}`
  const [bare, told] = [nameOf('template'), nameOf('demo')]
  const client = new pg.Client({ connectionString: admin })
  await client.connect()
  const cluster: Cluster = {
    admin,
    template: bare,
    copies: `zg_test_${project.name}_${process.pid}_`,
    external: !embedded,
  }
  const close = async () => {
    if (!embedded) {
      const copies = 'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)'
      const left = await ask(client, row({ name }), copies, [cluster.copies])
      // Roles of copies are members of the templates'.
      for (const names of [left.map((copy) => copy.name), [told], [bare]]) await dropDatabases(admin, names)
    }
    await client.end()
    await embedded?.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    // What these stories write need not outlive the machine; who tells of crashes starts a cluster of its own.
    if (embedded) {
      for (const what of ['fsync', 'synchronous_commit', 'full_page_writes'])
        await client.query(`ALTER SYSTEM SET ${what} = off`)
      await client.query('SELECT pg_reload_conf()')
    }
    await client.query(`CREATE DATABASE ${bare}`)
    const url = new URL(admin)
    url.pathname = `/${bare}`
    await migrate(url.href)
    project.provide('cluster', cluster)
    const { logins } = await copyDatabase(cluster, told)
    project.provide('demo', await fillTemplate(told, logins, randomBytes(32), testNow()))
    return close
  } catch (error) {
    // A set-up that fails has nobody else to stop its cluster.
    await close()
    throw error
  }
}
