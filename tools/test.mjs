import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

import { check } from './check.mjs'
import { outside } from './outside.mjs'
import { COMPILED, NODE, prepare, ROOT } from './prepare.mjs'

const begun = Date.now()
prepare()
const { findBrowser } = await import('./browser.mjs')
const browser = await findBrowser()
console.log(`browser: ${browser.executablePath}`)

const results = join(ROOT, '.tmp')
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const total = { passed: 0, failed: 0 }
/** What was not right, by name: told once more at the end, where a reader of a long run looks. */
const wrong = []
/** Files to be told once more at the end, by their half. */
const later = []

const TICKS = 100
/** Processor seconds of every process that was started here and has ended; where nobody says, none. */
function processor() {
  if (!existsSync('/proc/self/stat')) return 0
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
  // The times of children, of users and of the system (proc(5): cutime, cstime).
  return (Number(fields[13]) + Number(fields[14])) / TICKS
}
let spent = 0
const rightOf = ({ assertionResults }) => assertionResults.filter((story) => story.status === 'passed').length
/** More files than these are not a busy machine's doing. */
const FEW = 4
/** How long it took since then; the processor's share counts where the machine is shared. */
function took(at, since = spent) {
  spent = processor()
  return `${((Date.now() - at) / 1000).toFixed(0)} s, processor ${(spent - since).toFixed(0)} s`
}

/** Runs a program of ours to its end; `beside` keeps what it says until then, so that two do not talk at once. */
function run(args, { env, beside = false }) {
  const child = spawn(NODE, args, {
    cwd: ROOT,
    stdio: ['ignore', beside ? 'pipe' : 'inherit', beside ? 'pipe' : 'inherit'],
    env,
  })
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes) => said.push(bytes))
  return new Promise((done) =>
    child.once('close', (status) => {
      process.stdout.write(Buffer.concat(said))
      done(status)
    }),
  )
}

/**
 * One run of vitest; `external` keeps TEST_DATABASE_URL, otherwise the embedded PostgreSQL is used. `clock` is where the
 * stories' clock stands, in ISO form; without it they run at the machine's time. `again`: what was not right waits until
 * everything has run, and is then told once more (`retell`). Answers whether all of it was right.
 */
async function suite(title, projects, options = {}) {
  const { external = false, beside = false, clock, ran, again = false, only = [] } = options
  const at = Date.now()
  const since = spent
  const report = join(results, `${title}.json`)
  const env = {
    ...process.env,
    ...browser.env,
    PATH: `${dirname(NODE)}:${process.env.PATH}`,
    NODE_NO_WARNINGS: '1',
    NODE_COMPILE_CACHE: COMPILED,
    CHROMIUM: browser.executablePath,
  }
  if (!external) delete env.TEST_DATABASE_URL
  if (clock) env.TEST_CLOCK = clock
  else delete env.TEST_CLOCK
  if (ran) env.STATEMENTS_RAN = ran
  let passed = 0
  let failed = 0
  /** Files that were not right, and how many of their stories were. */
  const red = []
  const said = []
  const files = external ? outside(process.env.ALL_STORIES === '1') : { only: [], not: [] }
  const status = await run(
    [
      join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      ...projects.flatMap((p) => ['--project', p]),
      ...(only.length ? only : files.only),
      ...(only.length ? [] : files.not.flatMap((name) => ['--exclude', name])),
      '--reporter=default',
      '--reporter=json',
      `--reporter=${join(ROOT, 'tools', 'longest.mjs')}`,
      `--outputFile.json=${report}`,
    ],
    { env, beside },
  )
  try {
    const { numPassedTests, numFailedTests, numTotalTestSuites, testResults } = JSON.parse(
      readFileSync(report, 'utf8'),
    )
    passed = numPassedTests
    failed += numFailedTests + (status !== 0 && numFailedTests === 0 ? 1 : 0)
    if (numTotalTestSuites === 0) failed += 1
    for (const file of testResults.filter((file) => file.status === 'failed')) {
      const stories = file.assertionResults.filter((story) => story.status === 'failed')
      const why = (text = '') => text.split('\n', 3).join(' ').slice(0, 400)
      red.push({ file: relative(ROOT, file.name), right: rightOf(file) })
      said.push(`${title} ${relative(ROOT, file.name)} ${why(file.message)}`)
      for (const story of stories) said.push(`  ${story.fullName}: ${why(story.failureMessages[0])}`)
    }
    if (status !== 0 && numFailedTests === 0) said.push(`${title} vitest ${status}`)
  } catch {
    failed += 1
    said.push(`${title} ${report}`)
  }
  console.log(`${title}: ${took(at, since)}`)
  total.passed += passed
  if (again && red.length && red.length <= FEW) {
    later.push({ title, projects, options, red, said })
    return false
  }
  wrong.push(...said)
  total.failed += failed
  return failed === 0
}

/** Files that were not right are told once more by themselves; only what is wrong then counts, what was first is printed. */
async function retell({ title, projects, options, red, said }) {
  for (const line of said) console.log(`red at first, told once more by itself: ${line}`)
  // Their stories are counted when they are told again.
  total.passed -= red.reduce((sum, { right }) => sum + right, 0)
  const only = red.map(({ file }) => file)
  return await suite(`${title} again`, projects, { ...options, again: false, only })
}

/** Every statement of the server ran in some story and says whose rows it is about; what ran is written down for people. */
function statements(ran) {
  const { status, stdout } = spawnSync(NODE, [join(ROOT, 'tools', 'statements.ts'), ran], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  })
  process.stdout.write(stdout)
  if (status !== 0) {
    total.failed += 1
    wrong.push(
      ...stdout
        .trim()
        .split('\n')
        .map((line) => `tools/statements.ts ${line}`),
    )
  }
}

/** Every row of the bench and every goal still runs: answers 0, or 1 where one does not. */
async function smoke() {
  const child = spawn(NODE, [join(ROOT, 'tools', 'smoke.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...browser.env, NODE_NO_WARNINGS: '1', CHROMIUM: browser.executablePath },
  })
  const status = await new Promise((done) => child.once('exit', done))
  if (status === 0) total.passed += 1
  else wrong.push('tools/smoke.ts')
  return status === 0 ? 0 : 1
}

// The structure's rules are told with the stories below. The smoke waits half of its time and judges none: it goes beside.
const at = Date.now()
const failed = await Promise.all([check({ steps: ['types', 'lint', 'format', 'unused'] }), smoke()])
total.failed += failed[0] + failed[1]
if (failed[0]) wrong.push('npm run check')
console.log(`check and smoke: ${took(at)}`)

// The server's stories stand at the hours that are hardest on days: just after midnight on the first day of a year whose week
// began in the last one, and just before midnight on the 29th of February.
const AFTER_MIDNIGHT = '2027-01-01T00:10:00+08:00'
const BEFORE_MIDNIGHT = '2028-02-29T23:50:00+08:00'
const ran = join(results, 'statements')
mkdirSync(ran)
const EMBEDDED = ['contract', 'server', 'web', 'structure']
let isWhole = await suite('embedded', EMBEDDED, { clock: AFTER_MIDNIGHT, ran, again: true })
// A story that failed did not run what stands behind its failure.
if (!isWhole && later.length) isWhole = await retell(later.pop())
if (isWhole) statements(ran)
// Browsers wait for most of their time: what another PostgreSQL is asked is told beside them. All of it every night; with
// a push what that PostgreSQL could change.
const halves = [suite('browser', ['e2e'], { again: true })]
if (process.env.TEST_DATABASE_URL)
  halves.push(
    suite('outside', ['server'], { external: true, beside: true, clock: BEFORE_MIDNIGHT, again: true }),
  )
else console.log('TEST_DATABASE_URL is not set: only the embedded PostgreSQL is asked')
await Promise.all(halves)
for (const one of later) await retell(one)

console.log(`all of it: ${took(begun, 0)}`)
for (const line of wrong) console.log(`failing: ${line}`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed ? 1 : 0)
