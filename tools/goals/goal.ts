import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { adrift } from './adrift.ts'
import { badInput } from './bad-input.ts'
import { chain } from './chain.ts'
import type { Result } from './client.ts'
import { comeback } from './comeback.ts'
import { defaults } from './defaults.ts'
import { disks } from './disks.ts'
import { holes } from './holes.ts'
import { killedGoods } from './interleavings.ts'
import { isolation } from './isolation.ts'
import { kills } from './kills.ts'
import { matrix } from './matrix.ts'
import { money } from './money.ts'
import { once } from './once.ts'
import { outages } from './outages.ts'
import { overload } from './overload.ts'
import { owed } from './owed.ts'
import { planted } from './planted.ts'
import { privacy } from './privacy.ts'
import { races } from './races.ts'
import { repeats } from './repeats.ts'
import { scripts } from './scripts.ts'
import { sessions } from './sessions.ts'
import { signatures } from './signatures.ts'
import { slow } from './slow.ts'
import { soak } from './soak.ts'
import { supply } from './supply.ts'
import { uploads } from './uploads.ts'
import { videoAddresses } from './video-addresses.ts'
import { waybills } from './waybills.ts'
import { workbooks } from './workbooks.ts'

/** `npm run goal -- G-01 …`: the goals of docs/figures.md, each with its control, each ending with its line. */
const SEED = Number(process.env.SEED ?? 20_261_121)
const ROOT = join(import.meta.dirname, '..', '..')

/** Goals whose harness is a story of the suite; its control is the test called so. */
function story(pattern: string): { value: string; ok: boolean } {
  const file = join(mkdtempSync(join(tmpdir(), 'zhuguan-goal-')), 'report.json')
  const { status } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--project',
      'server',
      'authorization',
      '-t',
      pattern,
      '--reporter=json',
      `--outputFile=${file}`,
    ],
    { cwd: ROOT, stdio: 'ignore' },
  )
  const report = JSON.parse(readFileSync(file, 'utf8')) as { numPassedTests: number; numFailedTests: number }
  return {
    value: `stories ${report.numPassedTests} passed, ${report.numFailedTests} failed`,
    ok: status === 0 && report.numPassedTests > 0,
  }
}

type Outcome = { value: string; ok: boolean }
/** The halves of one goal, one after the other. */
async function each(...halves: (() => Promise<Outcome> | Outcome)[]): Promise<Outcome> {
  const values: string[] = []
  let ok = true
  for (const half of halves) {
    const heard = await half()
    values.push(heard.value)
    ok &&= heard.ok
  }
  return { value: values.join('; '), ok }
}

const GOALS: Record<string, { target: string; run: () => Promise<Result> | Result }> = {
  'G-01': {
    target: '0 wrong allows, 0 wrong denials, 0 foreign words',
    run: () =>
      each(
        () =>
          story(
            'session gets in|session that ended|as every role|sibling branch|records that are deleted|control',
          ),
        () => matrix(SEED),
      ),
  },
  'G-02': {
    target: '0 findings, 0 foreign rows',
    run: async () => {
      const [catalog, mixed] = [story('in the database'), await isolation(SEED)]
      return { value: `${catalog.value}; ${mixed.value}`, ok: catalog.ok && mixed.ok }
    },
  },
  'G-03': { target: '≥ 90 cases, 0 succeed', run: () => holes() },
  'G-04': {
    target: '0 HTTP 5xx, 0 leaks, 0 partial writes, 0 outside the schema',
    run: () => badInput(SEED, Number(process.env.TIMES ?? 200)),
  },
  'G-07': { target: 'difference 0', run: () => story('every endpoint has a rule') },
  'G-08': {
    target: '0 lost, 0 doubled, 0 half-done',
    run: () =>
      each(
        () => kills(20),
        () => killedGoods(SEED),
      ),
  },
  'G-09': { target: 'never exits, 503 ≤ 1 s, back ≤ 2 s, 0 lost', run: () => outages(10) },
  'G-11': {
    target: 'reads go on, writes refused clearly, 0 lost, 0 half, back by itself',
    run: () => disks(),
  },
  'G-12': { target: 'answered ≤ 16.5 s, no job twice, no immortal session', run: () => adrift() },
  'G-13': {
    target: '20,000 sent thrice = 20,000 rows; 20 keys × 50 at once = 20 effects; 2,000 nodes thrice = 2,000',
    run: () =>
      each(
        () => once(SEED),
        repeats,
        () => waybills(SEED),
      ),
  },
  'G-14': { target: 'no failed request, heap ≤ +5 %', run: () => soak(SEED) },
  'G-15': {
    target: 'goodput ≥ 80 % of peak, refusals ≤ 50 ms with 503 or 429 and Retry-After',
    run: () => overload(),
  },
  'G-16': { target: 'others always served, 10,000 idle ≤ 300 MB', run: () => slow() },
  'G-17': { target: 'exactly one winner, 0 lost updates', run: () => races(SEED) },
  'G-18': {
    target: '100,000 equal to the last digit',
    run: () => money(SEED, Number(process.env.TIMES ?? 100_000)),
  },
  'G-19': { target: 'revoked ≤ 1 s, streams ≤ 5 s, nothing told', run: () => sessions() },
  'G-20': { target: '60 payloads: 0 run', run: () => scripts() },
  'G-21': {
    target: '500 names, 60 hostile files: 0 escapes; hostile workbooks: no stop over 100 ms',
    run: () =>
      each(
        () => uploads(SEED),
        () => workbooks(SEED, Number(process.env.WORKBOOKS ?? 500)),
      ),
  },
  'G-22': { target: '0 let in', run: () => signatures(SEED) },
  'G-23': { target: '0 open, dead ≤ 5 s after revocation', run: () => videoAddresses(SEED) },
  'G-24': {
    target: 'checksums equal, ≥ 8 broken backups refused, both releases serve',
    run: () => comeback(),
  },
  'G-25': { target: '200 of 200 found', run: () => chain(SEED) },
  'G-26': {
    target: 'lockfile complete, allowed licences only, no compiler needed',
    run: () => supply(),
  },
  'G-27': { target: '0 unmasked', run: () => privacy() },
  'G-30': {
    target: '≥ 84 faults, each turns its story red',
    run: () => planted(process.env.PLANTED?.split(',')),
  },
  'G-31': {
    target: 'books of the story equal, 0 differences',
    run: () => owed(SEED, Number(process.env.LIVES ?? 1_000)),
  },
  'G-28': { target: 'all refused with a clear sentence', run: () => defaults() },
}

const wanted = process.argv.slice(2)
let failed = false
console.log(`seed ${SEED}`)
for (const id of wanted.length ? wanted : Object.keys(GOALS)) {
  const goal = GOALS[id]
  if (!goal) {
    console.log(`GOAL ${id} value=unknown target=none FAIL`)
    failed = true
    continue
  }
  const { value, ok, skipped } = await goal.run()
  failed ||= !ok
  const verdict = ok ? 'PASS' : 'FAIL'
  const said = skipped ? `SKIPPED, ${skipped}` : verdict
  console.log(`GOAL ${id} value=${value} target=${goal.target} ${said}`)
}
process.exit(failed ? 1 : 0)
