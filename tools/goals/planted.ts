import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { findBrowser } from '../browser.mjs'
import { SMOKE } from '../size.ts'
import type { Result } from './client.ts'
import { PROJECTS, STORY_MS, Telling } from './telling.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDER = join(import.meta.dirname, 'planted')
/** Which faults were seen, each with the digest of what was told then (docs/decisions/0687). */
const SEEN = join(FOLDER, 'seen.json')
/** Copies of the project in which a fault is planted and its story told, at once. */
const COPIES = 2
const browser = await findBrowser()
/** The fault whose story is the shortest. */
const ONE = 'k01-known-waits-like-all.patch'

/** A believable fault: what it is, the story that must see it, and the change that makes it. */
interface Planted {
  name: string
  what: string
  story: string[]
  /** Paths of the files that it changes. */
  touches: string[]
}
/** Words of a line, those in quotation marks as one. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
function plantedIn(file: string): Planted {
  const text = readFileSync(join(FOLDER, file), 'utf8')
  const [what = '', story = ''] = text.split('\n')
  if (!what.startsWith('# ') || !story.startsWith('# story: '))
    throw new Error(`${file} does not say what it is and which story sees it`)
  return {
    name: file.replace(/\.patch$/, ''),
    what: what.slice(2),
    story: wordsOf(story.slice('# story: '.length)),
    touches: [...text.matchAll(/^\+\+\+ b\/(\S+)/gm)].map(([, path]) => path!),
  }
}

const readSeen = (): Record<string, string> =>
  existsSync(SEEN) ? (JSON.parse(readFileSync(SEEN, 'utf8')) as Record<string, string>) : {}
/** The fault, what it changes and the story that must see it, as they stand. */
function digestOf({ name, story, touches }: Planted): string {
  const hash = createHash('sha256')
  for (const file of [
    join(FOLDER, `${name}.patch`),
    ...[story[0]!, ...touches].map((path) => join(ROOT, path)),
  ])
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}
/** Written after each, so that a run that is ended has not been for nothing; names that are gone go. */
function noteSeen(p: Planted, isSeen: boolean): void {
  const all = new Set(readdirSync(FOLDER).map((file) => file.replace(/\.patch$/, '')))
  const seen = Object.fromEntries(
    Object.entries(readSeen()).filter(([name]) => name !== p.name && all.has(name)),
  )
  if (isSeen) seen[p.name] = digestOf(p)
  const sorted = Object.fromEntries(Object.entries(seen).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(SEEN, `${JSON.stringify(sorted, null, 2)}\n`)
}

/** The sources as they stand here, with the same parts: whoever is killed leaves nothing behind in the project. */
function copyOf(): string {
  const copy = mkdtempSync(join(tmpdir(), 'zhuguan-planted-'))
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  for (const file of files.split('\n').filter((f) => f && existsSync(join(ROOT, f)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(ROOT, file), join(copy, file))
  }
  execFileSync('git', ['init', '-q'], { cwd: copy })
  const parts = join(copy, 'node_modules')
  mkdirSync(parts)
  for (const part of readdirSync(join(ROOT, 'node_modules')))
    if (part !== '@zhuguan' && !part.startsWith('.'))
      symlinkSync(join(ROOT, 'node_modules', part), join(parts, part))
  mkdirSync(join(parts, '@zhuguan'))
  for (const own of ['contract', 'server']) symlinkSync(join(copy, own), join(parts, '@zhuguan', own))
  const openapi = join('tools', 'openapi')
  symlinkSync(join(copy, openapi), join(parts, '@zhuguan', 'openapi'))
  // Parts in two versions: one of them lies beside its only user.
  const beside = join(openapi, 'node_modules')
  if (existsSync(join(ROOT, beside))) symlinkSync(join(ROOT, beside), join(copy, beside))
  return copy
}
const git = (copy: string, ...args: string[]): boolean => {
  try {
    execFileSync('git', ['apply', ...args], { cwd: copy, stdio: 'pipe' })
    return true
  } catch {
    return false
  }
}

const node = (copy: string, args: string[]): Promise<number | null> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: copy,
      stdio: 'ignore',
      timeout: STORY_MS,
      env: {
        ...process.env,
        ...browser.env,
        NODE_NO_WARNINGS: '1',
        CHROMIUM: browser.executablePath,
      },
    })
    child.on('close', resolve)
  })
const PARTS = { browser: ['e2e'], server: PROJECTS }
type Part = keyof typeof PARTS
const partOf = (story: readonly string[]): Part => (story[0]!.startsWith('e2e/') ? 'browser' : 'server')
interface Report {
  numPassedTests: number
  numFailedTests: number
}
/** What vitest says of some of a part's stories; undefined where they do not even begin. */
async function tellAll(copy: string, part: Part, words: readonly string[]): Promise<Report | undefined> {
  if (part === 'browser') {
    const vite = join(copy, 'node_modules', 'vite', 'bin', 'vite.js')
    if ((await node(copy, [vite, 'build', 'web', '--logLevel', 'error'])) !== 0) return undefined
  }
  const report = join(copy, 'told.json')
  rmSync(report, { force: true })
  await node(copy, [
    join(copy, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    ...PARTS[part].flatMap((p) => ['--project', p]),
    ...words,
    '--reporter=json',
    `--outputFile=${report}`,
  ])
  return existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Report) : undefined
}
type Said = 'seen' | 'lives' | 'is untold'
/** Tells a story of the copy in a set-up of its own. */
async function saidAlone(copy: string, { story }: Planted): Promise<Said> {
  const report = await tellAll(copy, partOf(story), [...story, '--bail=1'])
  if (!report || report.numPassedTests + report.numFailedTests === 0) return 'is untold'
  return report.numFailedTests > 0 ? 'seen' : 'lives'
}
/**
 * What a story says of a fault. One that lives, or whose story does not begin, is told once more with a set-up of its
 * own: the fault may be in what templates are made of, or the set-up may have failed.
 */
async function seenBy(copy: string, p: Planted, telling?: Telling): Promise<Said> {
  if (telling && partOf(p.story) === 'server' && (await telling.tell(p)).failed > 0) return 'seen'
  return saidAlone(copy, p)
}
/** Whether a story, told in its own words of a copy without a fault, is green; one that did not begin is told alone. */
async function isGreen(copy: string, p: Planted, telling: Telling): Promise<boolean> {
  if (partOf(p.story) === 'server') {
    const { passed, failed, why } = await telling.tell({ ...p, touches: [] })
    if (failed > 0) console.error(`${p.story.join(' ')} is red without a fault: ${why}`)
    if (passed + failed > 0) return failed === 0
  }
  return (await saidAlone(copy, p)) === 'lives'
}

async function inTurn<T>(
  list: readonly T[],
  copies: readonly string[],
  work: (copy: string, one: T) => Promise<void>,
) {
  const left = [...list]
  await Promise.all(
    copies.map(async (copy) => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) await work(copy, one)
    }),
  )
}

/** With SMOKE=1 every fault applies, and one of them is told. */
async function smoke(): Promise<Result> {
  const all = readdirSync(FOLDER).filter((file) => file.endsWith('.patch'))
  const copy = copyOf()
  try {
    const wrong = all.filter((file) => !git(copy, '--check', join(FOLDER, file)))
    if (wrong.length) throw new Error(`no longer apply: ${wrong.join(', ')}`)
    const one = plantedIn(ONE)
    git(copy, join(FOLDER, ONE))
    const said = await seenBy(copy, one)
    if (said !== 'seen') throw new Error(`${ONE} ${said}: ${one.what}`)
    return { value: `${all.length} faults apply, one is seen`, ok: true }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/**
 * Believable faults planted in rules, one at a time: each must turn its story red. One that no longer applies is red
 * too. The control is the story itself: before its first fault it is told of the same copy, in the same words, by the
 * same process, and is green; so is the last one of a copy when its fault is gone.
 *
 * With `PLANTED` those of these beginnings, without it all. Whoever was seen and has not changed since, nor what it
 * changes, nor its story, is not told again, unless `PLANTED` names it or `AGAIN` is set.
 */
export async function planted(only: readonly string[] = []): Promise<Result> {
  if (SMOKE) return smoke()
  const every = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.patch') && (only.length === 0 || only.some((o) => file.startsWith(o))))
    .sort()
    .map(plantedIn)
  const before = only.length || process.env.AGAIN ? {} : readSeen()
  const all = every.filter((p) => before[p.name] !== digestOf(p))
  const kept = every.length - all.length
  const copies = Array.from({ length: COPIES }, copyOf)
  const tellings = new Map(copies.map((copy) => [copy, new Telling(copy)]))
  /** Whether each story was green without a fault; the words of the story are the key. */
  const clean = new Map<string, Promise<boolean>>()
  const cleanly = (copy: string, p: Planted): Promise<boolean> => {
    const words = p.story.join(' ')
    const said = clean.get(words) ?? isGreen(copy, p, tellings.get(copy)!)
    clean.set(words, said)
    return said
  }
  const wrong: string[] = []
  const last = new Map<string, Planted>()
  async function judge(copy: string, p: Planted): Promise<Said | 'no longer applies' | 'has a red story'> {
    if (!(await cleanly(copy, p))) return 'has a red story'
    const patch = join(FOLDER, `${p.name}.patch`)
    if (!git(copy, patch)) return 'no longer applies'
    const said = await seenBy(copy, p, tellings.get(copy))
    git(copy, '-R', patch)
    last.set(copy, p)
    return said
  }
  try {
    await inTurn(all, copies, async (copy, p) => {
      const said = await judge(copy, p)
      noteSeen(p, said === 'seen')
      if (said !== 'seen') wrong.push(`${p.name} ${said}: ${p.what} (${p.story.join(' ')})`)
      console.error(said === 'seen' ? `${p.name} seen` : wrong.at(-1))
    })
    for (const [copy, p] of last)
      if (partOf(p.story) === 'server' && (await tellings.get(copy)!.tell(p)).failed > 0) {
        wrong.push(`control: ${p.story[0]} is still red when ${p.name} is gone`)
        console.error(wrong.at(-1))
      }
  } finally {
    for (const one of tellings.values()) await one.close()
    for (const copy of copies) rmSync(copy, { recursive: true, force: true })
  }
  const told = `${all.length} told: ${all.length - wrong.length} seen`
  return {
    value: `${every.length} faults, ${kept} seen before and unchanged, ${told}`,
    ok: wrong.length === 0,
  }
}
