// Runs on the Node that the machine has (20 or newer), before anything is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
/** The Node that the project brings itself. */
export const NODE = join(
  ROOT,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
)

/** The server as one file: it starts in a third of the time of its sources. */
export const BUNDLE = join(ROOT, 'server', 'dist', 'server.js')
/** What Node has compiled once; a folder of its own, so that it goes with node_modules. */
export const COMPILED = join(ROOT, 'node_modules', '.cache', 'zhuguan')

const mtime = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0)
const newest = (folder) =>
  readdirSync(folder, { withFileTypes: true }).reduce(
    (max, e) =>
      e.name === 'dist' || e.name === 'node_modules'
        ? max
        : Math.max(max, e.isDirectory() ? newest(join(folder, e.name)) : mtime(join(folder, e.name))),
    0,
  )

/** `mode`: tools are installed also where NODE_ENV says production, pages built for production also where it does not. */
function run(file, args, title, mode) {
  const begun = Date.now()
  console.log(`${title} …`)
  const { status } = spawnSync(file, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NODE_ENV: mode, PATH: `${dirname(NODE)}:${process.env.PATH}` },
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    console.error(`${title} failed`)
    process.exit(status ?? 1)
  }
  console.log(`${title}: done in ${((Date.now() - begun) / 1000).toFixed(1)} s`)
}

/** Installs what is missing and, unless only that is wanted, builds what is stale. */
export function prepare({ build = true } = {}) {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    console.error(`Node 20 or newer is needed, this is ${process.versions.node}`)
    process.exit(1)
  }
  const stamp = mtime(join(ROOT, 'node_modules', '.package-lock.json'))
  if (!existsSync(NODE) || stamp < mtime(join(ROOT, 'package-lock.json')))
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], 'Installing packages', 'development')
  if (!build) return
  const installed = mtime(join(ROOT, 'node_modules', '.package-lock.json'))
  const built = mtime(join(ROOT, 'web', 'dist', 'index.html'))
  if (built < Math.max(newest(join(ROOT, 'web')), newest(join(ROOT, 'contract'))))
    run(
      NODE,
      [join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', 'web', '--logLevel', 'warn'],
      'Building the pages',
      'production',
    )
  const bundled = mtime(BUNDLE)
  if (bundled < Math.max(newest(join(ROOT, 'server')), newest(join(ROOT, 'contract')), installed))
    run(NODE, [join(ROOT, 'tools', 'bundle.ts')], 'Building the server', 'production')
}
