import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'

import pg from 'pg'
import type { TestProject } from 'vitest/node'

import { ask } from '../database/ask.ts'
import { startEmbedded } from '../database/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { name, row } from '../kit/row.ts'
import { type Cluster, copyDatabase, dropDatabases } from './database.ts'
import { roomy } from './roomy.ts'
import { fillTemplate } from './template.ts'
import { testNow } from './time.ts'

/** In somebody else's PostgreSQL the owner is what a managed one gives: it makes roles and databases, no more. */
async function ownerOf(root: pg.Client, url: string, role: string): Promise<string> {
  const password = randomBytes(16).toString('hex')
  await root.query(`CREATE ROLE ${role} LOGIN CREATEROLE CREATEDB NOSUPERUSER PASSWORD '${password}'`)
  const owner = new URL(url)
  owner.username = role
  owner.password = password
  return owner.href
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
  const root = external ?? embedded!.url
  const nameOf = (what: string) => `zhuguan_${what}_${project.name}_${process.pid}`
  const [bare, told] = [nameOf('template'), nameOf('demo')]
  const client = new pg.Client({ connectionString: root })
  await client.connect()
  const owner = nameOf('owner')
  const admin = external ? await ownerOf(client, external, owner) : root
  const cluster: Cluster = {
    admin,
    root,
    template: bare,
    copies: `zg_test_${project.name}_${process.pid}_`,
    external: !embedded,
  }
  const close = async () => {
    if (!embedded) {
      const copies = 'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)'
      const left = await ask(client, row({ name }), copies, [cluster.copies])
      // Roles of copies are members of the templates'.
      for (const names of [left.map((copy) => copy.name), [told], [bare]]) await dropDatabases(root, names)
      await client.query(`DROP ROLE ${owner}`)
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
    await client.query(`CREATE DATABASE ${bare} ${external ? `OWNER ${owner}` : ''}`)
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
