import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { NODE, ROOT } from './prepare.mjs'

const bin = (...path) => join(ROOT, 'node_modules', ...path)
/** What is asked of the text, and how the answer counts. */
const STEPS = {
  types: { run: [bin('typescript', 'bin', 'tsc'), '-p', 'tsconfig.json', '--listFiles'], count: types },
  lint: { run: [bin('oxlint', 'bin', 'oxlint'), '--type-aware'], count: /Found [\s\S]*/ },
  format: { run: [bin('oxfmt', 'bin', 'oxfmt'), '--check', '.'], count: /Finished .*/ },
  unused: {
    run: [bin('knip', 'bin', 'knip.js'), '--no-config-hints'],
    count: (out) => `${out.split('\n').filter((l) => /:\d+:\d+/.test(l)).length} unused`,
  },
  structure: {
    run: [bin('vitest', 'vitest.mjs'), 'run', '--project', 'structure', '--project', 'contract'],
    count: owed,
  },
}
/** Files that were type-checked; the list itself is not shown. */
function types(out) {
  return `${out.split('\n').filter((l) => l.startsWith(ROOT) && !l.includes('node_modules')).length} files`
}
/** What the structure's rules saw, and what is owed. */
function owed(out) {
  return [...out.matchAll(/^.*?((?:imports|writes|wide|casts|riddles): .*)$/gm)].map((m) => m[1]).join('; ')
}

function step(name, env) {
  const { run, count } = STEPS[name]
  const at = Date.now()
  return new Promise((done) => {
    const child = spawn(NODE, run, {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_NO_WARNINGS: '1', NO_COLOR: '1', ...env },
    })
    let out = ''
    child.stdout.on('data', (d) => (out += d))
    child.stderr.on('data', (d) => (out += d))
    child.on('close', (code) => {
      const told =
        typeof count === 'function' ? count(out) : (count.exec(out)?.[0] ?? '').replaceAll('\n', ' ')
      const shown = out
        .split('\n')
        .filter((l) => !l.startsWith('/'))
        .join('\n')
      if (code !== 0) console.log(shown)
      console.log(`${code === 0 ? '✓' : '✗'} ${name}: ${told} (${((Date.now() - at) / 1000).toFixed(0)} s)`)
      done(code === 0)
    })
  })
}

/** Runs the steps, two at a time; answers how many failed. `pay`: debts that became less are written down. */
export async function check({ steps = Object.keys(STEPS), pay = false } = {}) {
  const left = [...steps]
  let failed = 0
  const worker = async () => {
    for (let name = left.shift(); name; name = left.shift())
      if (!(await step(name, pay ? { PAY_DEBTS: '1' } : {}))) failed += 1
  }
  await Promise.all([worker(), worker()])
  return failed
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const begun = Date.now()
  const failed = await check({ pay: true })
  console.log(`check: ${((Date.now() - begun) / 1000).toFixed(0)} s, ${failed} failing`)
  process.exit(failed ? 1 : 0)
}
