import { mkdtemp, rm } from 'node:fs/promises'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { startEmbedded } from '../database/embedded.ts'
import { migrate, rolesOf } from '../database/migrate.ts'

/** One cluster for the whole run and one migrated template in it; every file gets a copy (47 ms). */
export default async function setup(): Promise<() => Promise<void>> {
  const external = process.env.TEST_DATABASE_URL
  const folder = await mkdtemp(join(tmpdir(), 'zhuguan-test-'))
  await chmod(folder, 0o755)
  const embedded = external ? undefined : await startEmbedded(folder, 'postgres')
  const admin = new URL(external ?? embedded!.url)
  const template = `zhuguan_template_${process.pid}`
  const client = new pg.Client({ connectionString: admin.href })
  await client.connect()
  await client.query(`CREATE DATABASE ${template}`)
  const url = new URL(admin.href)
  url.pathname = `/${template}`
  await migrate(url.href)
  process.env.ZHUGUAN_TEST_ADMIN = admin.href
  process.env.ZHUGUAN_TEST_TEMPLATE = template
  return async () => {
    await client.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`)
    await client.query(`DROP ROLE IF EXISTS ${rolesOf(template).join()}`)
    await client.end()
    await embedded?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
