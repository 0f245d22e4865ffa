import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { roomy } from '../server/testing/roomy.ts'
import { layDemoFolder } from './demo-folder.ts'
import { COMPILED, ROOT } from './prepare.mjs'

/**
 * Every row of the bench and every half of a goal runs, as small as it can be (SMOKE=1): to its end, or to its first
 * answers. No figure is judged; what no longer runs, or runs without a word, is red. One database is filled and
 * copied for each.
 */
const LANES = 2
/** A bench or a half that is still there then stands still. */
const LATE_MS = 300_000
const GOALS = join(ROOT, 'tools', 'goals', 'goal.ts')
const BENCH = join(ROOT, 'bench', 'bench.ts')

const place = mkdtempSync(join(await roomy(), 'zhuguan-smoke-'))
const folder = join(place, 'demo')
mkdirSync(folder)
// The database's own user comes by.
for (const one of [place, folder]) chmodSync(one, 0o755)
const env = {
  ...process.env,
  SMOKE: '1',
  DEMO_FOLDER: folder,
  TMPDIR: place,
  NODE_COMPILE_CACHE: COMPILED,
}
const red: string[] = []

/** Runs to its end; answers what it said. */
const run = (name: string, words: string[]): Promise<string> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, words, {
      cwd: ROOT,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // With all that it has started.
    const late = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), LATE_MS)
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (b: Buffer) => (said += b.toString()))
    child.once('exit', (code, signal) => {
      clearTimeout(late)
      if (code !== 0) red.push(`${name} (${signal ?? code}): ${said.slice(-600)}`)
      resolve(said)
    })
  })

const begun = performance.now()
const halves = execFileSync(process.execPath, [GOALS, '--halves'], { encoding: 'utf8' }).trim().split('\n')
try {
  await layDemoFolder(folder)
  const told: string[] = []
  const waiting = [...halves]
  const lane = async () => {
    for (let half = waiting.shift(); half !== undefined; half = waiting.shift()) {
      const said = await run(half, [GOALS, half])
      const line = said.split('\n').find((l) => l.startsWith(`SMOKE ${half} `))
      if (line) told.push(half)
      console.log(line ?? `${half}: nothing`)
    }
  }
  const bench = run('bench', [BENCH]).then(() => console.log(`bench ${seconds()}`))
  await Promise.all([bench, ...Array.from({ length: LANES }, lane)])
  const silent = halves.filter((half) => !told.includes(half))
  if (silent.length) red.push(`goals without a smoke: ${silent.join(', ')}`)
} finally {
  rmSync(place, { recursive: true, force: true })
}
function seconds(): string {
  return `${((performance.now() - begun) / 1_000).toFixed(0)} s`
}
for (const why of red) console.error(why)
console.log(
  `smoke: every row of the bench and ${halves.length} halves of goals, ${red.length} red, ${seconds()}`,
)
process.exit(red.length ? 1 : 0)
