import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { api } from '@zhuguan/contract/api.ts'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'

import { startEmbedded } from '../database/embedded.ts'
import { childEnv, WATCHED } from '../testing/children.ts'
import { enterAs } from '../testing/person.ts'
import { uploadPhoto } from '../testing/photo.ts'
import { serve } from '../testing/process.ts'
import { runAtMachineTime } from '../testing/time.ts'

// Its servers are processes of their own and run at the machine's time: so does the story.
runAtMachineTime()

/** Each stands nowhere else. */
const NAME = '鲜于无忌'
const PHONE = '13977771234'
const DOOR = '鸢尾弄七十九号'
const WORDS = [NAME, PHONE, DOOR]

const folder = mkdtempSync(join(tmpdir(), 'zhuguan-erased-'))
chmodSync(folder, 0o755)
const dataDir = join(folder, 'data')
const backup = join(folder, 'backup.gz')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const cli = (...args: string[]) =>
  new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [...WATCHED, join(import.meta.dirname, '..', 'cli.ts'), ...args],
      { encoding: 'utf8', env: childEnv({ DATA_DIR: dataDir }) },
      (error, _stdout, stderr) => resolve(error ? stderr.trim() || String(error.code) : ''),
    )
  })

/** In which tables and files the person stands; of a database that nobody serves. */
async function standing(): Promise<string[]> {
  const embedded = await startEmbedded(dataDir)
  const client = new pg.Client({ connectionString: embedded.url })
  try {
    await client.connect()
    await client.query(`SET app.tenant = '*'`)
    const { rows } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
    )
    const found: string[] = []
    for (const { name } of rows) {
      const where = WORDS.map((_, i) => `strpos(t::text, $${i + 1}) > 0`).join(' OR ')
      const hit = await client.query(`SELECT 1 FROM ${name} t WHERE ${where} LIMIT 1`, WORDS)
      if (hit.rows.length) found.push(name)
    }
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter(
      (e) => e.isFile() && !e.parentPath.startsWith(join(dataDir, 'postgres')),
    )
    for (const e of files) {
      const bytes = readFileSync(join(e.parentPath, e.name))
      if (WORDS.some((w) => bytes.includes(w))) found.push(`file ${e.name}`)
    }
    return found
  } finally {
    await client.end()
    await embedded.stop()
  }
}

test('a backup of before is put back: who was erased stands in no row, file, line of the log or search', async () => {
  const first = await serve({ DATA_DIR: dataDir })
  const at = () => first.url
  const [service, admin] = [await enterAs(at, 'service'), await enterAs(at, 'admin')]
  const { bc_id } = (await service.call(api.sites.list, { query: {} })).list[0]!
  const { id: customer } = await admin.call(api.customers.add, {
    body: { bc_id, name: NAME, phone: PHONE, community: '琥珀里', address: DOOR },
  })
  await admin.call(api.workers.add, {
    body: { w_name: NAME, bc_id, w_type: 1, w_sex: 1, w_contact: PHONE },
  })
  expect(await cli('backup', '--file', backup)).toBe('')

  // Of one name and number: lead and worker are one person, whichever of the two asks.
  const { id } = await service.call(api.persons.add, {
    body: { ask: 'erase', kind: 'customer', subject_id: customer, words: '本人来电提出，约好来店签字' },
  })
  const version = async () => (await admin.call(api.persons.details, { query: { id } })).version
  const paper = await uploadPhoto(first.url, service)
  await service.call(api.persons.verify, { body: { id, version: await version(), proof: 'paper', paper } })
  await admin.call(api.persons.execute, { body: { id, version: await version() } })
  const { state } = await admin.call(api.persons.details, { query: { id } })
  expect(state).toBe('executed')
  await first.stop()
  expect(await standing()).toEqual([])

  expect(await cli('restore', '--file', backup)).toBe('')
  // As the backup was: the control, without which finding nothing would say nothing.
  expect(await standing()).toEqual(expect.arrayContaining(['customers', 'workers', 'user_logs']))

  const second = await serve({ DATA_DIR: dataDir })
  const again = await enterAs(() => second.url, 'admin')
  for (const keyword of [NAME, PHONE, DOOR]) {
    const found = await again.ask(api.search.all, { query: { keyword } })
    expect([keyword, found.code, found.data]).toEqual([keyword, 200, []])
  }
  const log = await again.call(api.userlogs.verify, { body: {} })
  expect(log.ok).toBe(true)
  await second.stop()
  expect(await standing()).toEqual([])
})
