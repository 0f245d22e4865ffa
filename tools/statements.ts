import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

import { format } from 'sql-formatter'

import { ROOT } from '../server/kit/paths.ts'
import { OF_STORIES, owes } from '../server/testing/tenant-rule.ts'

/**
 * The server's statements as people review them: server/database/statements/<room>.sql holds the texts that its stories
 * ran, formatted. `npm run statements` runs the stories and writes the files; `npm test` compares.
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

/** The texts that ran, by name, as the processes of the stories wrote them down. */
function ranIn(folder: string): Map<string, Set<string>> {
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

const pretty = (text: string): string =>
  format(text, {
    language: 'postgresql',
    paramTypes: { numbered: ['$'], named: [':'] },
    expressionWidth: 90,
  })
    // The formatter takes FROM inside extract() for a clause, and gives every count of rows a line of its own.
    .replace(/extract\(\s+(\w+)\s+FROM\s+([^()]+?)\s+\)/g, 'extract($1 FROM $2)')
    .replace(/\b(LIMIT|OFFSET)\s+/g, '$1 ')

/**
 * What a statement that filters compose is reviewed by: its shortest and its longest text, and the one that owes its
 * tenant more than both (docs/decisions/0181).
 */
export function bounded(
  texts: Iterable<string>,
  owed: (text: string) => number = () => 0,
): [which: string, text: string][] {
  const sorted = [...texts].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  if (sorted.length < 2) return [['', sorted[0]!]]
  const [shortest, longest] = [sorted[0]!, sorted.at(-1)!]
  const worst = Math.max(...sorted.map(owed))
  const owing = Math.max(owed(shortest), owed(longest)) < worst && sorted.find((text) => owed(text) === worst)
  return [
    [', shortest', shortest],
    ...(owing ? ([[', owing', owing]] as [string, string][]) : []),
    [', longest', longest],
  ]
}

/** The files as they ought to be. */
function written(
  names: ReadonlyMap<string, string>,
  ran: ReadonlyMap<string, Set<string>>,
): Map<string, string> {
  const files = new Map<string, string[]>()
  for (const name of [...ran.keys()].sort()) {
    const room = roomFor(name, names)
    if (!room) continue
    const blocks = bounded(new Set([...ran.get(name)!].map(pretty)), (text) => owes(name, text)).map(
      ([which, text]) => `-- ${name}${which}\n${text};\n`,
    )
    files.set(`${room}.sql`, [...(files.get(`${room}.sql`) ?? []), ...blocks])
  }
  return new Map([...files].map(([file, blocks]) => [file, blocks.join('\n')]))
}

/** What is wrong with what ran, in sentences. */
function compared(folder: string): string[] {
  const names = namesIn(sources())
  const ran = ranIn(folder)
  const wrong = unranOf(names, ran.keys()).map((name) => `没有任何故事运行过语句 ${name}`)
  console.log(`语句：${names.size} 个名字，${wrong.length} 个没有故事运行`)
  for (const name of ran.keys())
    if (!roomFor(name, names) && !OF_STORIES.test(name) && !OTHER.has(name))
      wrong.push(`运行过语句 ${name}，源码里却找不到这个名字：写成 'noun.verb'`)
  const files = written(names, ran)
  const kept = existsSync(KEPT) ? readdirSync(KEPT) : []
  for (const file of new Set([...kept, ...files.keys()])) {
    const text = kept.includes(file) ? readFileSync(join(KEPT, file), 'utf8') : ''
    if (text !== (files.get(file) ?? ''))
      wrong.push(
        `${relative(ROOT, join(KEPT, file))} 与运行过的语句不同：运行 npm run statements，看过以后一起提交`,
      )
  }
  return wrong
}

function rewrite(folder: string): void {
  rmSync(KEPT, { recursive: true, force: true })
  mkdirSync(KEPT, { recursive: true })
  for (const [file, text] of written(namesIn(sources()), ranIn(folder))) writeFileSync(join(KEPT, file), text)
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
  // What ran in `npm test` is compared, or written; without a folder the stories run first.
  const [command = 'write', given] = process.argv.slice(2)
  const folder = given ?? join(ROOT, '.tmp', 'statements')
  if (!given && !runStories(folder)) process.exit(1)
  if (command === 'write') rewrite(folder)
  const wrong = compared(folder)
  for (const line of wrong) console.log(line)
  process.exit(wrong.length ? 1 : 0)
}
