import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from '../server/kit/paths.ts'
import { OF_STORIES, owes } from '../server/testing/tenant-rule.ts'
import { settle } from './structure/debts.ts'

/**
 * The server's statements as people review them: server/database/statements/<room>.sql holds the shortest text of each
 * that stories ran. `npm test` writes the files (not where CI is set) and judges every text that ran; `npm run
 * statements` runs the stories for it alone.
 */
const SERVER = join(ROOT, 'server')
const KEPT = join(SERVER, 'database', 'statements')
/** Where the stories' clock stands in both, so that a text that depends on the day stays what it is. */
const CLOCK = '2027-01-01T00:10:00+08:00'

/** A statement's name: the first argument of a call, or the name of a page's statement. `${…}` is a hole in it. */
const NAMED = new RegExp(
  [
    String.raw`(?<=[\w>])\(\s*(?:'([a-z]{2,}\.[a-z]+)'|${'`'}([a-z]{2,}\.[^${'`'}\s]*|\$\{p\.name\}\.\w+)${'`'})\s*,`,
    String.raw`\bname: '([a-z]{2,}\.[a-z]+)',`,
  ].join('|'),
  'g',
)
/** Looks like a name and is none; and what only a replica's stories ask, which need PostgreSQL's own programs. */
const OTHER = new Set(['index.html', 'begin.read', 'place.primary', 'place.replica'])
const roomOf = (path: string): string => /^(?:features\/)?([^/.]+)/.exec(path)![1]!

/** The names in sources, by their path in server/, with the room in which each stands. */
export function namesIn(files: readonly (readonly [path: string, text: string])[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const [path, text] of files)
    for (const [, literal, holed, page] of text.matchAll(NAMED)) {
      const name = literal ?? holed ?? page!
      if (!OTHER.has(name)) names.set(name, roomOf(path))
    }
  return names
}
const sources = () =>
  (readdirSync(SERVER, { recursive: true }) as string[])
    .filter(
      (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !/^(testing|node_modules)/.test(path),
    )
    .map((path) => [path, readFileSync(join(SERVER, path), 'utf8')] as const)

const hasHole = (name: string) => name.includes('${')
const patternOf = (name: string) =>
  new RegExp(
    `^${name
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replaceAll('.', '\\.'))
      .join('.+')}$`,
  )

/** Names that no story ran. */
export function unranOf(names: ReadonlyMap<string, string>, ran: Iterable<string>): string[] {
  const all = new Set(ran)
  return [...names.keys()]
    .filter((name) => (hasHole(name) ? ![...all].some((n) => patternOf(name).test(n)) : !all.has(name)))
    .sort()
}

type Texts = ReadonlyMap<string, ReadonlySet<string>>
/** The texts that ran, by name, as the processes of the stories wrote them down. */
function ranIn(folder: string): Texts {
  const texts = new Map<string, Set<string>>()
  for (const file of readdirSync(folder))
    for (const line of readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean)) {
      const { name, text } = JSON.parse(line) as { name: string; text: string }
      texts.set(name, (texts.get(name) ?? new Set()).add(text))
    }
  return texts
}

/** The room of a name: its own, or that of the name with a hole that it fits; a page's total stands with its page. */
function roomFor(name: string, names: ReadonlyMap<string, string>): string | undefined {
  const holed = [...names.keys()].find((n) => hasHole(n) && patternOf(n).test(name))
  return names.get(name) ?? names.get(name.replace(/\.\w+$/, '')) ?? (holed && names.get(holed))
}

const WIDTH = 120
/** Where a line may be parted: behind a comma, before a word that begins a clause, otherwise between two words. */
const PARTINGS = [
  /, /g,
  / (?=(?:FROM|WHERE|AND|OR|(?:LEFT |CROSS )?JOIN|ON|CASE|WHEN|ELSE|ORDER BY)\b)/g,
  / /g,
]
/** Never inside of a literal. */
const isOutside = (before: string): boolean => (before.match(/'/g)?.length ?? 0) % 2 === 0
function parted(line: string): string[] {
  if (line.length <= WIDTH) return [line]
  const indent = /^ */.exec(line)![0]
  for (const parting of PARTINGS) {
    const at = [...line.matchAll(parting)]
      .map((m) => m.index + m[0].length)
      .findLast((i) => i <= WIDTH && i > indent.length && isOutside(line.slice(0, i)))
    if (at) return [line.slice(0, at).trimEnd(), ...parted(`${indent}  ${line.slice(at)}`)]
  }
  return [line]
}
/** As it stands in the sources, beginning at the left, no line wider than people read. */
export function laidOut(text: string): string {
  const [first = '', ...rest] = text.trim().split('\n')
  const indents = rest.filter((line) => line.trim()).map((line) => /^ */.exec(line)![0].length)
  const least = Math.min(...indents)
  return [first, ...rest.map((line) => line.slice(least).trimEnd())]
    .filter(Boolean)
    .flatMap(parted)
    .join('\n')
}

/** The shortest text of a statement that filters compose; of equals always the same one. */
export const shortest = (texts: Iterable<string>): string =>
  [...texts].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0]!

/** The files as they ought to be. */
function written(names: ReadonlyMap<string, string>, ran: Texts): Map<string, string> {
  const files = new Map<string, string[]>()
  for (const name of [...ran.keys()].sort()) {
    const room = roomFor(name, names)
    if (!room) continue
    const block = `-- ${name}\n${laidOut(shortest(ran.get(name)!))};\n`
    files.set(`${room}.sql`, [...(files.get(`${room}.sql`) ?? []), block])
  }
  return new Map([...files].map(([file, blocks]) => [file, blocks.join('\n')]))
}

/** How far a statement is from naming its tenant: the one of its texts that owes most. */
const owedBy = (ran: Texts): Record<string, number> =>
  Object.fromEntries(
    [...ran].map(([name, texts]) => [name, Math.max(...[...texts].map((text) => owes(name, text)))]),
  )

/** So many statements that only a race or a busy machine runs may be missed in one run; more are somebody's doing. */
const FEW = 2
/** Names whose text is kept, since some run of the stories has run it. */
const keptNames = (): string[] =>
  (existsSync(KEPT) ? readdirSync(KEPT) : []).flatMap((file) =>
    [...readFileSync(join(KEPT, file), 'utf8').matchAll(/^-- (\S+)$/gm)].map(([, name]) => name!),
  )
/** What no story ran: wrong, but for few that have run before (docs/decisions/0675). */
export function missed(
  names: ReadonlyMap<string, string>,
  ran: Iterable<string>,
  before: readonly string[],
): { wrong: string[]; only: string[] } {
  const all = unranOf(names, ran)
  const fresh = new Set(unranOf(names, before))
  const only = all.filter((name) => !fresh.has(name))
  return only.length <= FEW
    ? { wrong: all.filter((name) => fresh.has(name)), only }
    : { wrong: all, only: [] }
}

/** What is wrong with what ran, in sentences. */
function judged(names: ReadonlyMap<string, string>, ran: Texts): string[] {
  const { only, wrong: unran } = missed(names, ran.keys(), keptNames())
  const wrong = unran.map((name) => `no story ran the statement ${name}`)
  for (const name of only) console.log(`no story ran the statement ${name} this time; one did before`)
  console.log(`statements: ${names.size} names, ${wrong.length} that no story ran`)
  for (const name of ran.keys())
    if (!roomFor(name, names) && !OF_STORIES.test(name) && !OTHER.has(name))
      wrong.push(`the statement ${name} ran, and no source has the name: write it as 'noun.verb'`)
  return [
    ...wrong,
    ...settle('tenants', owedBy(ran)).map((grew) => `a statement does not name its tenant: ${grew}`),
  ]
}

/** Names of kept files that tell of texts that are gone. They are read by people; nobody waits for them. */
function stale(files: ReadonlyMap<string, string>): string[] {
  const kept = existsSync(KEPT) ? readdirSync(KEPT) : []
  return [...new Set([...kept, ...files.keys()])].filter(
    (file) => !kept.includes(file) || readFileSync(join(KEPT, file), 'utf8') !== files.get(file),
  )
}
function rewrite(files: ReadonlyMap<string, string>): void {
  rmSync(KEPT, { recursive: true, force: true })
  mkdirSync(KEPT, { recursive: true })
  for (const [file, text] of files) writeFileSync(join(KEPT, file), text)
}

function runStories(folder: string): boolean {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { TEST_DATABASE_URL: _none, ...env } = process.env
  const { status } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--project', 'server'],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...env, NODE_NO_WARNINGS: '1', STATEMENTS_RAN: folder, TEST_CLOCK: CLOCK },
    },
  )
  return status === 0
}

if (import.meta.main) {
  // What ran in `npm test` is judged; without a folder the stories run first, and what they ran is written down.
  const [given] = process.argv.slice(2)
  const folder = given ?? join(ROOT, '.tmp', 'statements')
  if (!given && !runStories(folder)) process.exit(1)
  const names = namesIn(sources())
  const ran = ranIn(folder)
  const wrong = judged(names, ran)
  for (const line of wrong) console.log(line)
  const files = written(names, ran)
  const behind = stale(files)
  if (!process.env.CI) rewrite(files)
  else if (behind.length)
    console.log(
      `server/database/statements: ${behind.join(', ')} differ from what ran (npm test writes them)`,
    )
  process.exit(wrong.length ? 1 : 0)
}
