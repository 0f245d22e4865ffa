import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { check } from './check.mjs'
import { NODE, prepare, ROOT } from './prepare.mjs'

const begun = Date.now()
prepare()
const { findBrowser } = await import('./browser.mjs')
const browser = await findBrowser()
console.log(`浏览器：${browser.executablePath}`)

const results = join(ROOT, '.tmp')
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const total = { passed: 0, failed: 0 }

/** Stories for which it makes no difference which database answers: they are told once. */
const NO_DATABASE = [
  'server/kit/**',
  'tools/openapi/**',
  // Bounds before a handler is reached, and a company's sign-in that does not answer; a replica brings its own.
  'server/app/gate.test.ts',
  // Who may make a call is known before a record is looked for; whose records a call may touch is told on both.
  'server/app/authorization-roles.test.ts',
  'server/features/session/slow-provider.test.ts',
  // Bytes that flow through, fast or slow, from a gateway, a browser and the store of files.
  'server/features/streams/**',
  'server/features/files/slow-reader.test.ts',
  'server/app/slow-senders.test.ts',
  'server/database/replica.test.ts',
]
/**
 * One run of vitest; `external` keeps TEST_DATABASE_URL, otherwise the embedded PostgreSQL is used. `clock` is where the
 * stories' clock stands, in ISO form; without it they run at the machine's time.
 */
function suite(title, projects, { external = false, clock, ran } = {}) {
  const at = Date.now()
  const report = join(results, `${title}.json`)
  const env = {
    ...process.env,
    ...browser.env,
    PATH: `${dirname(NODE)}:${process.env.PATH}`,
    NODE_NO_WARNINGS: '1',
    CHROMIUM: browser.executablePath,
  }
  if (!external) delete env.TEST_DATABASE_URL
  if (clock) env.TEST_CLOCK = clock
  else delete env.TEST_CLOCK
  if (ran) env.STATEMENTS_RAN = ran
  const before = total.failed
  const { status } = spawnSync(
    NODE,
    [
      join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      ...projects.flatMap((p) => ['--project', p]),
      ...(external ? NO_DATABASE.flatMap((files) => ['--exclude', files]) : []),
      '--reporter=default',
      '--reporter=json',
      `--reporter=${join(ROOT, 'tools', 'longest.mjs')}`,
      `--outputFile.json=${report}`,
    ],
    { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'], env },
  )
  try {
    const { numPassedTests, numFailedTests, numTotalTestSuites } = JSON.parse(readFileSync(report, 'utf8'))
    total.passed += numPassedTests
    total.failed += numFailedTests + (status !== 0 && numFailedTests === 0 ? 1 : 0)
    if (numTotalTestSuites === 0) total.failed += 1
  } catch {
    total.failed += 1
  }
  console.log(`${title}：用时 ${((Date.now() - at) / 1000).toFixed(0)} 秒`)
  return total.failed === before
}

/** Every statement of the server ran in some story, and what ran is what people reviewed. */
function statements(ran) {
  const { status } = spawnSync(NODE, [join(ROOT, 'tools', 'statements.ts'), 'compare', ran], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  })
  if (status !== 0) total.failed += 1
}

// The structure's rules are told with the stories below.
const at = Date.now()
total.failed += await check({ steps: ['类型', '规则', '格式', '多余'] })
console.log(`检查：用时 ${((Date.now() - at) / 1000).toFixed(0)} 秒`)

// The server's stories stand at the hours that are hardest on days: just after midnight on the first day of a year whose week
// began in the last one, and just before midnight on the 29th of February.
const AFTER_MIDNIGHT = '2027-01-01T00:10:00+08:00'
const BEFORE_MIDNIGHT = '2028-02-29T23:50:00+08:00'
const ran = join(results, 'statements')
mkdirSync(ran)
// A story that failed did not run what stands behind its failure.
if (suite('内置数据库', ['contract', 'server', 'web', 'structure'], { clock: AFTER_MIDNIGHT, ran }))
  statements(ran)
suite('浏览器', ['e2e'])
if (process.env.TEST_DATABASE_URL) suite('外部数据库', ['server'], { external: true, clock: BEFORE_MIDNIGHT })
else console.log('没有设置 TEST_DATABASE_URL：只在内置 PostgreSQL 上运行')

console.log(`全部用时 ${((Date.now() - begun) / 1000).toFixed(0)} 秒`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed ? 1 : 0)
