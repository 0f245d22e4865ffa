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
  /** Copying files waits for the disk twice; where it may be waited for, writing pages to the log is quicker. */
  strategy: 'file_copy' | 'wal_log'
}

/** A fresh copy of the migrated template, or of one made from it; dropped when the file is done. */
export const freshDatabase = (from?: string): Promise<TestDatabase> =>
  copyDatabase(inject('cluster'), `zg_test_${randomBytes(5).toString('hex')}`, from)

/** `from` is a database that nobody is connected to. */
export async function copyDatabase(
  { admin, template, strategy }: Cluster,
  name: string,
  from = template,
): Promise<TestDatabase> {
  const run = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: admin })
    await client.connect()
    try {
      for (const s of statements) await client.query(s)
    } finally {
      await client.end()
    }
  }
  // Two files may ask at once, and a template can be copied by one at a time.
  await run(
    'SELECT pg_advisory_lock(724009)',
    `CREATE DATABASE ${name} TEMPLATE ${from} STRATEGY ${strategy}`,
    // What stories write need not outlive the machine.
    `ALTER DATABASE ${name} SET synchronous_commit = off`,
  )
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
    drop: () =>
      run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, `DROP ROLE IF EXISTS ${rolesOf(name).join()}`),
  }
}

/** The copy's own roles become members of the template's. */
async function grantTo(url: string, members: string[][]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const [group, member] of members) await client.query(`GRANT ${group} TO ${member}`)
  await client.end()
}
