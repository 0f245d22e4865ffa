import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

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

/** One run of vitest; `external` keeps TEST_DATABASE_URL, otherwise the embedded PostgreSQL is used. */
function suite(title, projects, external) {
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
  const { status } = spawnSync(
    NODE,
    [
      join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      ...projects.flatMap((p) => ['--project', p]),
      '--reporter=default',
      '--reporter=json',
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
}

const at = Date.now()
const check = spawnSync(
  NODE,
  [join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', join(ROOT, 'tsconfig.json')],
  { cwd: ROOT, stdio: 'inherit' },
)
console.log(`类型检查：用时 ${((Date.now() - at) / 1000).toFixed(0)} 秒`)
if (check.status !== 0) total.failed += 1

suite('内置数据库', ['contract', 'server', 'web', 'structure', 'e2e'], false)
if (process.env.TEST_DATABASE_URL) suite('外部数据库', ['server'], true)
else console.log('没有设置 TEST_DATABASE_URL：只在内置 PostgreSQL 上运行')

console.log(`全部用时 ${((Date.now() - begun) / 1000).toFixed(0)} 秒`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed ? 1 : 0)
