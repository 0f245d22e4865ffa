import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { SMOKE, sized } from '../size.ts'
import { begun, endAll } from './begun.ts'
import { heard as answers, type Result } from './client.ts'

/** `npm run goal -- G-01 …`: the goals of docs/figures.md, each with its control, each ending with its line. */
const SEED = Number(process.env.SEED ?? 20_261_121)
const TIMES = process.env.TIMES ? Number(process.env.TIMES) : undefined
const ROOT = join(import.meta.dirname, '..', '..')

/** Goals whose harness is a story of the suite; its control is the test called so. */
function story(pattern: string, file = 'authorization'): Result {
  // The suite tells it beside the smoke.
  if (SMOKE) return { value: 'told by the suite', ok: true }
  const report = join(mkdtempSync(join(tmpdir(), 'zhuguan-goal-')), 'report.json')
  const { status } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--project',
      'server',
      file,
      '-t',
      pattern,
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    { cwd: ROOT, stdio: 'ignore' },
  )
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number
    numFailedTests: number
  }
  return {
    value: `stories ${numPassedTests} passed, ${numFailedTests} failed`,
    ok: status === 0 && numPassedTests > 0,
  }
}

/** What is asked of the product, and the halves of how it is found out, one after the other. */
interface Goal {
  target: string
  halves: (() => Promise<Result> | Result)[]
}
const GOALS: Record<string, Goal> = {
  'G-01': {
    target: '0 wrong allows, 0 wrong denials, 0 foreign words',
    halves: [
      () =>
        story(
          'session gets in|session that ended|as every role|sibling branch|records that are deleted|control',
        ),
      async () => (await import('./matrix.ts')).matrix(SEED),
    ],
  },
  'G-02': {
    target: '0 findings, 0 foreign rows',
    halves: [
      () => story('in the database', 'kept-apart'),
      async () => (await import('./isolation.ts')).isolation(SEED),
    ],
  },
  'G-03': { target: '≥ 90 cases, 0 succeed', halves: [async () => (await import('./holes.ts')).holes()] },
  'G-04': {
    target: '0 HTTP 5xx, 0 leaks, 0 partial writes, 0 outside the schema',
    halves: [async () => (await import('./bad-input.ts')).badInput(SEED, sized(TIMES ?? 200, 1))],
  },
  'G-07': { target: 'difference 0', halves: [() => story('every endpoint has a rule')] },
  'G-08': {
    target: '0 lost, 0 doubled, 0 half-done; up again at once 20 of 20',
    halves: [
      async () => (await import('./kills.ts')).kills(sized(20, 1)),
      async () => (await import('./interleavings.ts')).killedGoods(SEED),
      async () => (await import('./begin-again.ts')).beginAgain(sized(20, 1)),
    ],
  },
  'G-09': {
    target: 'never exits, 503 ≤ 1 s, back ≤ 2 s, 0 lost; each way to stop leaves nothing',
    halves: [
      async () => (await import('./outages.ts')).outages(sized(10, 1)),
      async () => (await import('./stops.ts')).stops(),
    ],
  },
  'G-11': {
    target: 'reads go on, writes refused clearly, 0 lost, 0 half, back by itself',
    halves: [async () => (await import('./disks.ts')).disks()],
  },
  'G-12': {
    target: 'answered ≤ 16.5 s, no job twice, no immortal session',
    halves: [async () => (await import('./adrift.ts')).adrift()],
  },
  'G-13': {
    target: '20,000 sent thrice = 20,000 rows; 20 keys × 50 at once = 20 effects; 2,000 nodes thrice = 2,000',
    halves: [
      async () => (await import('./once.ts')).once(SEED),
      async () => (await import('./repeats.ts')).repeats(),
      async () => (await import('./waybills.ts')).waybills(SEED),
    ],
  },
  'G-14': {
    target: 'no failed request, heap ≤ +5 %',
    halves: [async () => (await import('./soak.ts')).soak(SEED)],
  },
  'G-15': {
    target: 'goodput ≥ 80 % of peak, refusals ≤ 50 ms with 503 or 429 and Retry-After',
    halves: [async () => (await import('./overload.ts')).overload()],
  },
  'G-16': {
    target: 'others always served, 10,000 idle ≤ 300 MB',
    halves: [async () => (await import('./slow.ts')).slow()],
  },
  'G-17': {
    target: 'exactly one winner, 0 lost updates',
    halves: [async () => (await import('./races.ts')).races(SEED)],
  },
  'G-18': {
    target: '100,000 equal to the last digit',
    halves: [async () => (await import('./money.ts')).money(SEED, sized(TIMES ?? 100_000, 500))],
  },
  'G-19': {
    target: 'revoked ≤ 1 s, streams ≤ 5 s, nothing told',
    halves: [async () => (await import('./sessions.ts')).sessions()],
  },
  'G-20': { target: '60 payloads: 0 run', halves: [async () => (await import('./scripts.ts')).scripts()] },
  'G-21': {
    target: '500 names, 60 hostile files: 0 escapes; hostile workbooks: no stop over 100 ms',
    halves: [
      async () => (await import('./uploads.ts')).uploads(SEED),
      async () =>
        (await import('./workbooks.ts')).workbooks(SEED, sized(Number(process.env.WORKBOOKS ?? 500), 3)),
    ],
  },
  'G-22': { target: '0 let in', halves: [async () => (await import('./signatures.ts')).signatures(SEED)] },
  'G-23': {
    target: '0 open, dead ≤ 5 s after revocation',
    halves: [async () => (await import('./video-addresses.ts')).videoAddresses(SEED)],
  },
  'G-24': {
    target: 'checksums equal, ≥ 8 broken backups refused, both releases serve',
    halves: [async () => (await import('./comeback.ts')).comeback()],
  },
  'G-25': { target: '400 of 400 found', halves: [async () => (await import('./chain.ts')).chain(SEED)] },
  'G-26': {
    target: 'lockfile complete, allowed licences only, no compiler needed',
    halves: [async () => (await import('./supply.ts')).supply()],
  },
  'G-27': { target: '0 unmasked', halves: [async () => (await import('./privacy.ts')).privacy()] },
  'G-28': {
    target: 'all refused with a clear sentence',
    halves: [async () => (await import('./defaults.ts')).defaults()],
  },
  'G-30': {
    target: '≥ 84 faults, each turns its story red',
    halves: [async () => (await import('./planted.ts')).planted(process.env.PLANTED?.split(','))],
  },
  'G-31': {
    target: 'books of the story equal, 0 differences',
    halves: [
      async () => (await import('./owed.ts')).owed(SEED, sized(Number(process.env.LIVES ?? 1_000), 2)),
    ],
  },
}

/** A half that has begun is watched until it has heard so many answers, or for so long, if it does not end before. */
const ENOUGH = 40
const WATCHED_MS = 3_000
const LOOK_MS = 50
async function watched(): Promise<'begun'> {
  await begun
  const from = performance.now()
  while (answers() < ENOUGH && performance.now() - from < WATCHED_MS)
    await new Promise((done) => setTimeout(done, LOOK_MS))
  return 'begun'
}
/** Small enough to run to their end. */
const TO_THE_END = ['G-08/0', 'G-21/1', 'G-22/0', 'G-25/0']
/**
 * With SMOKE=1: one half as small as it can be (`G-08/2`), to its end or to its first answers, whichever comes first.
 * What it finds is judged by nobody; that it runs is.
 */
async function smoke(word: string): Promise<void> {
  const [id, half] = word.split('/') as [string, string]
  const from = performance.now()
  const whole = Promise.resolve(GOALS[id]!.halves[Number(half)]!())
  const ended = await (TO_THE_END.includes(word) ? whole : Promise.race([whole, watched()])).catch(
    async (error: Error) => {
      await endAll()
      throw error
    },
  )
  process.on('unhandledRejection', () => {})
  const how = ended === 'begun' ? ended : 'ended'
  console.log(`SMOKE ${word} ${how} ${((performance.now() - from) / 1_000).toFixed(1)} s`)
  if (ended === 'begun') await endAll()
}

async function judge(id: string): Promise<boolean> {
  const goal = GOALS[id]
  if (!goal) {
    console.log(`GOAL ${id} value=unknown target=none FAIL`)
    return false
  }
  const heard: Result[] = []
  for (const half of goal.halves) heard.push(await half())
  const ok = heard.every((h) => h.ok)
  const skipped = heard.find((h) => h.skipped)?.skipped
  const verdict = ok ? 'PASS' : 'FAIL'
  const said = skipped ? `SKIPPED, ${skipped}` : verdict
  console.log(`GOAL ${id} value=${heard.map((h) => h.value).join('; ')} target=${goal.target} ${said}`)
  return ok
}

const wanted = process.argv.slice(2)
let failed = false
if (wanted[0] === '--halves')
  for (const [id, { halves }] of Object.entries(GOALS))
    for (const half of halves.keys()) console.log(`${id}/${half}`)
else if (SMOKE) for (const word of wanted) await smoke(word)
else {
  console.log(`seed ${SEED}`)
  for (const id of wanted.length ? wanted : Object.keys(GOALS)) failed = !(await judge(id)) || failed
}
process.exit(failed ? 1 : 0)
