import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { PAGES } from '../../contract/pages.ts'
import { PERMISSIONS } from '../../contract/permissions.ts'
import { LOCKS } from '../../server/database/locks.ts'
import { ROOT, sources } from './sources.ts'

const all = sources(/\.tsx?$/)
const isIndex = (path: string): boolean => /\/index\.tsx?$/.test(path)
/** File names that stand more than once in a tree. */
function twice(paths: readonly string[], tree: string): string[] {
  // contract/api.ts is the whole API and contract/kit/api.ts what an API is: the design names both.
  const names = paths
    .filter((path) => path.startsWith(`${tree}/`) && path !== 'contract/api.ts')
    .map((path) => path.split('/').at(-1)!)
  return names.filter((name, i) => names.indexOf(name) !== i)
}
const saysUrl = (text: string): boolean => /['"`]\/(user|osmcore|dsmcore|mkscore)\//.test(text)

test('the rules find what is planted', () => {
  expect(isIndex('web/kit/index.ts')).toBe(true)
  expect(isIndex('web/kit/indexes.ts')).toBe(false)
  expect(twice(['web/a/x.ts', 'web/b/x.ts', 'server/x.ts'], 'web')).toEqual(['x.ts'])
  expect(saysUrl("fetch('/osmcore/api/site')")).toBe(true)
  expect(saysUrl("go('/SiteInfo')")).toBe(false)
})

test('no index files, and a file name is unique in its tree', () => {
  expect(all.length).toBeGreaterThan(560)
  expect(all.filter(isIndex)).toEqual([])
  for (const tree of ['contract', 'server', 'web']) expect(twice(all, tree)).toEqual([])
})

test('no URL of ours is written in web/: it calls the contract', () => {
  const pages = all.filter((path) => path.startsWith('web/') && !/\.test\.|vite\.config/.test(path))
  expect(pages.length).toBeGreaterThan(130)
  expect(pages.filter((path) => saysUrl(readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
})

/** Pages without a file that is named for them, and such files without a page. */
function unpaired(names: readonly string[], paths: readonly string[]): string[] {
  const files = paths.flatMap((path) => /^web\/features\/[^/]+\/(\w+)Page\.tsx$/.exec(path)?.[1] ?? [])
  return [...names.filter((n) => !files.includes(n)), ...files.filter((f) => !names.includes(f))]
}

test('every page has a file that is named for it, and every such file is a page', () => {
  expect(unpaired(['AlarmEvent', 'Lost'], ['web/features/a/AlarmEventPage.tsx'])).toEqual(['Lost'])
  expect(unpaired([], ['web/features/a/StrayPage.tsx'])).toEqual(['Stray'])
  // The sign-in form is a document of its own.
  const names = Object.keys(PAGES).filter((name) => name !== 'Login')
  expect(names.length).toBeGreaterThan(25)
  expect(unpaired(names, all)).toEqual([])
})

/** Documents that a file names and that are not in this repository. */
const absent = (text: string): string[] =>
  [...text.matchAll(/\w[\w./-]*\.md\b/g)]
    .map(([name]) => name)
    .filter((name) => !existsSync(join(ROOT, name)))

test('a comment cites only documents that are in this repository', () => {
  expect(absent('as docs/states.md says')).toEqual([])
  expect(absent('as rules.md says')).toEqual(['rules.md'])
  const found = sources(/\.(tsx?|mjs|css)$/)
    .filter((path) => path !== 'tools/structure/structure.test.ts')
    .flatMap((path) => absent(readFileSync(join(ROOT, path), 'utf8')).map((name) => `${path}: ${name}`))
  expect(found).toEqual([])
})

const decisions = new Set(
  readdirSync(join(ROOT, 'docs', 'decisions')).map((name) => /^\d{4}/.exec(name)?.[0] ?? ''),
)
/** Decisions that a text cites by number and that nobody wrote. */
const undecided = (text: string): string[] =>
  [...text.matchAll(/\bdecisions?[ /](\d{4})\b/g)].map(([, n]) => n!).filter((n) => !decisions.has(n))
/** Sources that a document names and that are not in this repository; `noun` stands for any noun. */
function unwritten(text: string, paths: readonly string[]): string[] {
  const named = [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|sql))`/g)].map(([, path]) => path!)
  return named.filter(
    (path) =>
      !/\bnoun\b|\/features\/noun\/|\bNoun|\bXPage/.test(path) &&
      !paths.some((known) => known === path || known.endsWith(`${path.startsWith('.') ? '' : '/'}${path}`)),
  )
}

test('decisions are cited that exist, and documents name sources that exist', () => {
  expect(undecided('as decision 0001 says, and docs/decisions/0171-x.md')).toEqual([])
  expect(undecided('as decision 9999 says')).toEqual(['9999'])
  expect(unwritten('see `a/b.ts`, `noun.api.ts` and `.queries.ts`, not `c.ts`', ['x/a/b.ts'])).toEqual([
    '.queries.ts',
    'c.ts',
  ])
  const guides = ['', 'docs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  )
  expect(guides.length).toBeGreaterThan(8)
  const texts = [
    ...guides,
    ...readdirSync(join(ROOT, 'docs', 'decisions')).map((name) => `docs/decisions/${name}`),
    ...sources(/\.(tsx?|mjs|css)$/).filter((path) => path !== 'tools/structure/structure.test.ts'),
  ]
  expect(
    texts.flatMap((path) => undecided(readFileSync(join(ROOT, path), 'utf8')).map((n) => `${path}: ${n}`)),
  ).toEqual([])
  const paths = sources(/\.(tsx?|mjs|sql)$/)
  // A decision tells of its day; the guides tell of today.
  expect(
    guides.flatMap((path) =>
      unwritten(readFileSync(join(ROOT, path), 'utf8'), paths).map((name) => `${path}: ${name}`),
    ),
  ).toEqual([])
})

const saysLock = (text: string): boolean => /\b724_?0\d\d\b/.test(text)

test('advisory locks have their numbers in one list, each its own', () => {
  expect(saysLock("'SELECT pg_advisory_lock(724010)'")).toBe(true)
  const found = all.filter(
    (path) =>
      path.startsWith('server/') &&
      !/\.test\.ts$|^server\/testing\//.test(path) &&
      saysLock(readFileSync(join(ROOT, path), 'utf8')),
  )
  expect(found).toEqual(['server/database/locks.ts'])
  const numbers = Object.values(LOCKS)
  expect(new Set(numbers).size).toBe(numbers.length)
})

const saysSql = (text: string): boolean => /\btx\.(query|run|last|send)\(/.test(text)

test('routes translate: statements stand in queries, reads and services', () => {
  expect(saysSql("call.read((tx) => tx.query('a.b', one, 'SELECT 1'))")).toBe(true)
  expect(saysSql('call.read((tx) => alarmDetails(tx, scope, id))')).toBe(false)
  const routes = all.filter((path) => path.endsWith('.routes.ts'))
  expect(routes.length).toBeGreaterThan(20)
  // Signing in works on several transactions of nobody yet: its statements stand where each is ended.
  expect(routes.filter((path) => saysSql(readFileSync(join(ROOT, path), 'utf8')))).toEqual([
    'server/features/session/session.routes.ts',
  ])
})

/** Permissions that a page asks for by name and that nobody can be given. */
const ungrantable = (text: string): string[] =>
  [...text.matchAll(/\bneeds(?:=|: )["']([^"']+)["']|\bmay\('([^']+)'\)|hasPermission\(\w+, '([^']+)'\)/g)]
    .map(([, granted, may, has]) => granted ?? may ?? has!)
    .filter((label) => !Object.hasOwn(PERMISSIONS, label))

test('a page asks only for permissions that exist', () => {
  expect(ungrantable('<Granted needs="site:adds">')).toEqual(['site:adds'])
  expect(ungrantable("{ needs: 'site:add', key: 'add' }")).toEqual([])
  const found = all
    .filter((path) => path.startsWith('web/') && !path.includes('.test.'))
    .flatMap((path) =>
      ungrantable(readFileSync(join(ROOT, path), 'utf8')).map((label) => `${path}: ${label}`),
    )
  expect(found).toEqual([])
})
