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
  /** Migrated; rights and rules of its copies name its roles. */
  template: string
  /** What the names of its copies begin with. */
  copies: string
  /**
   * Somebody else's: on a disk that is waited for, writing pages to the log is quicker than copying files, and copies
   * stay until the run ends, because each one that is dropped writes everything down first.
   */
  external: boolean
}

/** A fresh copy of the migrated template, or of one made from it; dropped when the file is done, or the run. */
export const freshDatabase = (from?: string): Promise<TestDatabase> => {
  const cluster = inject('cluster')
  return copyDatabase(cluster, `${cluster.copies}${randomBytes(5).toString('hex')}`, from)
}
/** Drops a database with its roles. */
export async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await client.query(`DROP ROLE IF EXISTS ${rolesOf(name).join()}`)
}

/** `from` is a database that nobody is connected to. */
export async function copyDatabase(
  { admin, template, external }: Cluster,
  name: string,
  from = template,
): Promise<TestDatabase> {
  const asAdmin = async (work: (client: pg.Client) => Promise<void>) => {
    const client = new pg.Client({ connectionString: admin })
    await client.connect()
    try {
      await work(client)
    } finally {
      await client.end()
    }
  }
  await asAdmin(async (client) => {
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
      if (!external) await asAdmin((client) => dropDatabase(client, name))
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
