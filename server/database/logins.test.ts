import { createHmac } from 'node:crypto'

import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { freshDatabase } from '../testing/database.ts'
import { migrate } from './migrate.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

async function enters(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

test('with an address that names no password the logins’ passwords cannot be worked out from it', async () => {
  const open = new URL(database.ownerUrl)
  const kept = process.env.PGPASSWORD
  if (open.password) process.env.PGPASSWORD = decodeURIComponent(open.password)
  open.password = ''
  try {
    // Two servers on one database agree, and each leaves the other's connections valid.
    const [first, second] = [(await migrate(open.href)).logins, (await migrate(open.href)).logins]
    expect(second).toEqual(first)
    expect(await enters(first.system)).toBe(true)
    const name = open.pathname.slice(1)
    const guessed = new URL(first.system)
    guessed.password = createHmac('sha256', `${open.host}${open.search}`)
      .update(`zhuguan-system:${name}`)
      .digest('hex')
    expect(guessed.href).not.toBe(first.system)
    // A machine's own PostgreSQL may let everybody of this machine in: then there is nothing to guess.
    const nonsense = new URL(first.system)
    nonsense.password = 'nonsense'
    if (!(await enters(nonsense.href))) expect(await enters(guessed.href)).toBe(false)
    // What they follow from is the owner's alone; and who does name the password agrees from now on.
    for (const login of [first.app, first.system]) {
      const client = new pg.Client({ connectionString: login })
      await client.connect()
      await expect(client.query('SELECT key FROM owner_only.login_keys')).rejects.toThrow(/permission denied/)
      await client.end()
    }
    expect((await migrate(database.ownerUrl)).logins).toEqual(first)
  } finally {
    if (kept === undefined) delete process.env.PGPASSWORD
    else process.env.PGPASSWORD = kept
  }
})
