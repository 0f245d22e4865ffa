import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'

import { childEnv, WATCHED } from './testing/children.ts'
import { freshDatabase, type TestDatabase } from './testing/database.ts'

const DEAL = join(import.meta.dirname, 'testing', 'deal.ts')
/** After so many answers it is killed: before anything is sold, in between, and when much has been. */
const CUTS = [1, 60, 250]
const DAY_MS = 86_400_000
let folder: string
const open: { database: TestDatabase; owner: pg.Client }[] = []
const children: ChildProcess[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'zhuguan-cut-'))
  writeFileSync(join(folder, 'secret.key'), inject('demo').key, { mode: 0o600 })
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const { database, owner } of open) {
    await owner.end()
    await database.drop()
  }
  rmSync(folder, { recursive: true, force: true })
})

async function demo(begun = true) {
  const database = await freshDatabase(inject('demo').template)
  const owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  await owner.query(`SET app.tenant = '*'`)
  open.push({ database, owner })
  if (begun)
    await owner.query(`INSERT INTO demo_steps (step, from_at, done_at) VALUES ('people', now(), now())`)
  const sql = async (text: string) => (await owner.query(text)).rows as Record<string, unknown>[]
  const begin = (now = inject('demo').seededAt) => {
    const env = childEnv({ LOGINS: JSON.stringify(database.logins), FOLDER: folder, NOW: now })
    const child = spawn(process.execPath, [...WATCHED, DEAL], { env, stdio: 'inherit' })
    children.push(child)
    return { child, over: new Promise<number | null>((done) => child.once('exit', done)) }
  }
  return { sql, begin }
}
type Demo = Awaited<ReturnType<typeof demo>>

/** What was sold, delivered and done, without what is drawn anew each time. */
const TOLD = {
  quotations: 'SELECT status, count(*)::int AS n FROM quotations GROUP BY 1 ORDER BY 1',
  contracts: `SELECT code, signing_progress AS at, total, paid FROM contracts ORDER BY code`,
  receipts: 'SELECT count(*)::int AS n, sum(amount) AS amount FROM contract_receipts',
  orders: 'SELECT code, order_state AS at, lines, amount FROM orders ORDER BY code',
  pieces:
    'SELECT order_state AS at, count(*)::int AS n, sum(quantity) AS q FROM pieces GROUP BY 1 ORDER BY 1',
  evenings: 'SELECT day::text, count(*)::int AS n FROM delivery_days GROUP BY 1 ORDER BY 1',
  log: `SELECT action, count(*)::int AS n FROM user_logs WHERE action <> '登录' GROUP BY 1 ORDER BY 1`,
}
async function told({ sql }: Demo) {
  const all: Record<string, unknown> = {}
  for (const [what, text] of Object.entries(TOLD)) all[what] = await sql(text)
  return all
}
const answered = async ({ sql }: Demo) =>
  (await sql('SELECT count(*)::int AS n FROM demo_answers'))[0]!.n as number

test('a demo that is killed again and again while it deals is in the end what it would have been', async () => {
  const whole = await demo()
  const finished = whole.begin().over
  const cut = await demo()
  for (const after of CUTS) {
    // Some days later each time: it goes on in the moment in which it was begun.
    const days = CUTS.indexOf(after) * 3
    const { child, over } = cut.begin(
      new Date(Date.parse(inject('demo').seededAt) + days * DAY_MS).toISOString(),
    )
    await expect.poll(() => answered(cut), { timeout: 60_000 }).toBeGreaterThanOrEqual(after)
    child.kill('SIGKILL')
    expect(await over).toBe(null)
  }
  expect(await cut.begin().over).toBe(0)
  expect(await finished).toBe(0)
  const wanted = await told(whole)
  expect((wanted.contracts as unknown[]).length).toBeGreaterThan(10)
  expect((wanted.orders as unknown[]).length).toBeGreaterThan(1)
  expect(await told(cut)).toEqual(wanted)

  // It is done: another start adds nothing, and nothing is kept of how it was done.
  expect([await answered(cut), await answered(whole)]).toEqual([0, 0])
  expect(await cut.begin().over).toBe(0)
  expect(await told(cut)).toEqual(wanted)
}, 600_000)

test('in a database that no demo was begun in nothing is dealt', async () => {
  const earnest = await demo(false)
  expect(await earnest.begin().over).toBe(0)
  expect(await earnest.sql('SELECT 1 FROM quotations')).toEqual([])
  expect(await earnest.sql('SELECT 1 FROM demo_steps')).toEqual([])
})
