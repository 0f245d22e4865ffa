import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import pg from 'pg'
import type { TestProject } from 'vitest/node'

import { ask } from '../database/ask.ts'
import { startEmbedded } from '../database/embedded.ts'
import { migrate } from '../database/migrate.ts'
import { name, row } from '../kit/row.ts'
import { type Cluster, copyDatabase, dropDatabases } from './database.ts'
import { roomy } from './roomy.ts'
import { type Demo, fillTemplate } from './template.ts'
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

/** What a run gives its stories. */
export interface SetUp {
  cluster: Cluster
  demo: Demo
}
const copiesOf = (name: string) => `zg_test_${name}_${process.pid}_`
async function dropCopies(client: pg.Client, { root, copies }: Cluster): Promise<void> {
  const left = await ask(
    client,
    row({ name }),
    'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
    [copies],
  )
  await dropDatabases(
    root,
    left.map((copy) => copy.name),
  )
}

/**
 * One cluster for the stories of a project, with two templates: one migrated, one with the demo as well. Every file
 * gets a copy of one of them (about 0.1 s in memory).
 */
export async function openCluster(name: string): Promise<SetUp & { close(): Promise<void> }> {
  const external = process.env.TEST_DATABASE_URL
  const folder = await mkdtemp(join(await roomy(), 'zhuguan-test-'))
  await chmod(folder, 0o755)
  const embedded = external ? undefined : await startEmbedded(folder, 'postgres')
  const root = external ?? embedded!.url
  const nameOf = (what: string) => `zhuguan_${what}_${name}_${process.pid}`
  const [bare, told] = [nameOf('template'), nameOf('demo')]
  const client = new pg.Client({ connectionString: root })
  await client.connect()
  const owner = nameOf('owner')
  const admin = external ? await ownerOf(client, external, owner) : root
  const cluster: Cluster = { admin, root, template: bare, copies: copiesOf(name), external: !embedded }
  const close = async () => {
    if (!embedded) {
      await dropCopies(client, cluster)
      // Roles of copies are members of the templates'.
      for (const template of [told, bare]) await dropDatabases(root, [template])
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
    const { logins } = await copyDatabase(cluster, told)
    return { cluster, demo: await fillTemplate(told, logins, randomBytes(32), testNow()), close }
  } catch (error) {
    // A set-up that fails has nobody else to stop its cluster.
    await close()
    throw error
  }
}

/** Where a run of a few stories finds the cluster that others of its kind use too, as JSON of a `SetUp`. */
async function lent(name: string, file: string): Promise<SetUp & { close(): Promise<void> }> {
  const { cluster: whole, demo } = JSON.parse(await readFile(file, 'utf8')) as SetUp
  const cluster = { ...whole, copies: copiesOf(name) }
  const close = async () => {
    const client = new pg.Client({ connectionString: cluster.root })
    await client.connect()
    await dropCopies(client, cluster)
    await client.end()
  }
  return { cluster, demo, close }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { TEST_CLUSTER: file } = process.env
  const { cluster, demo, close } = await (file ? lent(project.name, file) : openCluster(project.name))
  project.provide('cluster', cluster)
  project.provide('demo', demo)
  return close
}
