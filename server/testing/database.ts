import { randomBytes } from 'node:crypto'

import pg from 'pg'

import { type Logins, migrate, rolesOf } from '../database/migrate.ts'

/** A fresh copy of the migrated template; dropped when the file is done. */
export async function freshDatabase(): Promise<{ ownerUrl: string; logins: Logins; drop(): Promise<void> }> {
  const admin = process.env.ZHUGUAN_TEST_ADMIN!
  const template = process.env.ZHUGUAN_TEST_TEMPLATE!
  const name = `zg_test_${randomBytes(5).toString('hex')}`
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
  await run('SELECT pg_advisory_lock(724009)', `CREATE DATABASE ${name} TEMPLATE ${template}`)
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

/** The copy's rights and rules name the template's roles; the copy's own become members of them. */
async function grantTo(url: string, members: string[][]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const [group, member] of members) await client.query(`GRANT ${group} TO ${member}`)
  await client.end()
}
