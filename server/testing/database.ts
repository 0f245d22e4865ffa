import { randomBytes } from 'node:crypto'

import pg from 'pg'
import { inject } from 'vitest'

import { type Logins, migrate, rolesOf } from '../database/migrate.ts'

export interface TestDatabase {
  ownerUrl: string
  logins: Logins
  drop(): Promise<void>
}

export interface Cluster {
  /** The owner's address. */
  admin: string
  /** Who may end what others still do there. */
  root: string
  /** Migrated; rights and rules of its copies name its roles. */
  template: string
  /** What the names of its copies begin with. */
  copies: string
  /** Somebody else's: on a disk that is waited for, writing pages to the log is quicker than copying files. */
  external: boolean
}

/**
 * PostgreSQL writes down what every database holds before it drops one, except of those that are being dropped at the
 * same moment. On a disk sixteen copies go in 0.6 s at once and in 7 s one by one, so copies wait for company.
 */
const AT_ONCE = 24
const done: string[] = []

/** A fresh copy of the migrated template, or of one made from it; dropped some time after the file is done. */
export const freshDatabase = (from?: string): Promise<TestDatabase> => {
  const cluster = inject('cluster')
  return copyDatabase(cluster, `${cluster.copies}${randomBytes(5).toString('hex')}`, from)
}
/** Drops databases with their roles, many at once. */
export async function dropDatabases(root: string, names: string[]): Promise<void> {
  for (let from = 0; from < names.length; from += AT_ONCE)
    await Promise.all(
      names.slice(from, from + AT_ONCE).map((name) =>
        asAdmin(root, async (client) => {
          await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
          await client.query(`DROP ROLE IF EXISTS ${rolesOf(name).join()}`)
        }),
      ),
    )
}
async function asAdmin(admin: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: admin })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** `from` is a database that nobody is connected to. */
export async function copyDatabase(
  { admin, root, template, external }: Cluster,
  name: string,
  from = template,
): Promise<TestDatabase> {
  await asAdmin(admin, async (client) => {
    // Two files may ask at once, and a template can be copied by one at a time.
    await client.query('SELECT pg_advisory_lock(724009)')
    await client.query(
      `CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY ${external ? 'wal_log' : 'file_copy'}`,
    )
    // What stories write need not outlive the machine.
    await client.query(`ALTER DATABASE ${name} SET synchronous_commit = off`)
  })
  const url = new URL(admin)
  url.pathname = `/${name}`
  const { logins } = await migrate(url.href)
  await grantTo(
    url.href,
    ['app', 'system', 'tenant', 'branch'].map((kind) => [`${template}_${kind}`, `${name}_${kind}`]),
  )
  return {
    ownerUrl: url.href,
    logins,
    drop: async () => {
      done.push(name)
      if (!external || done.length === AT_ONCE) await dropDatabases(root, done.splice(0))
    },
  }
}

/** The copy's own roles become members of the template's. */
async function grantTo(url: string, members: string[][]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const [group, member] of members) await client.query(`GRANT ${group} TO ${member}`)
  await client.end()
}
