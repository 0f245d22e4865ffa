import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { findBrowser } from '../browser.mjs'
import type { Result } from './client.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDER = join(import.meta.dirname, 'planted')
/** Copies of the project in which a fault is planted and its story told, at once. */
const COPIES = 2
const STORY_MS = 300_000
const browser = await findBrowser()
const SHOWN = 40

/** A believable fault: what it is, the story that must see it, and the change that makes it. */
interface Planted {
  name: string
  what: string
  story: string[]
}
/** Words of a line, those in quotation marks as one. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
function plantedIn(file: string): Planted {
  const [what = '', story = ''] = readFileSync(join(FOLDER, file), 'utf8').split('\n')
  if (!what.startsWith('# ') || !story.startsWith('# story: '))
    throw new Error(`${file} does not say what it is and which story sees it`)
  return {
    name: file.replace(/\.patch$/, ''),
    what: what.slice(2),
    story: wordsOf(story.slice('# story: '.length)),
  }
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
  symlinkSync(join(copy, 'tools', 'openapi'), join(parts, '@zhuguan', 'openapi'))
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
      env: { ...process.env, ...browser.env, NODE_NO_WARNINGS: '1', CHROMIUM: browser.executablePath },
    })
    child.on('close', resolve)
  })
/** How many tests of a story were told and failed; none at all where it does not even begin. */
async function tell(copy: string, story: readonly string[]): Promise<{ passed: number; failed: number }> {
  const inBrowser = story[0]!.startsWith('e2e/')
  if (inBrowser) {
    const vite = join(copy, 'node_modules', 'vite', 'bin', 'vite.js')
    if ((await node(copy, [vite, 'build', 'web', '--logLevel', 'error'])) !== 0)
      return { passed: 0, failed: 0 }
  }
  const report = join(copy, 'told.json')
  rmSync(report, { force: true })
  await node(copy, [
    join(copy, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    ...(inBrowser ? ['e2e'] : ['contract', 'server', 'web']).flatMap((p) => ['--project', p]),
    ...story,
    '--bail=1',
    '--reporter=json',
    `--outputFile=${report}`,
  ])
  if (!existsSync(report)) return { passed: 0, failed: 0 }
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<
    string,
    number
  >
  return { passed: numPassedTests!, failed: numFailedTests! }
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

/**
 * Believable faults planted in rules, one at a time: each must turn its story red. One that no longer applies is red
 * too. The stories as they stand are the control: they are green.
 */
export async function planted(only: readonly string[] = []): Promise<Result> {
  const all = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.patch') && (only.length === 0 || only.some((o) => file.startsWith(o))))
    .sort()
    .map(plantedIn)
  const copies = Array.from({ length: COPIES }, copyOf)
  const wrong: string[] = []
  try {
    const stories = new Map(all.map((p) => [p.story.join(' '), p.story]))
    await inTurn([...stories], copies, async (copy, [words, story]) => {
      const { failed, passed } = await tell(copy, story)
      if (failed || !passed) wrong.push(`control: ${words} told ${passed}, failed ${failed} without a fault`)
    })
    await inTurn(all, copies, async (copy, p) => {
      const patch = join(FOLDER, `${p.name}.patch`)
      if (!git(copy, patch)) {
        wrong.push(`${p.name} no longer applies: ${p.what}`)
        return
      }
      const { failed } = await tell(copy, p.story)
      if (!failed) wrong.push(`${p.name} lives: ${p.what} (${p.story.join(' ')})`)
      git(copy, '-R', patch)
    })
  } finally {
    for (const copy of copies) rmSync(copy, { recursive: true, force: true })
  }
  for (const line of wrong.slice(0, SHOWN)) console.error(line)
  return { value: `${all.length} faults, ${all.length - wrong.length} seen`, ok: wrong.length === 0 }
}
