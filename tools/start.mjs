import { spawn } from 'node:child_process'
import { join } from 'node:path'

import { BUNDLE, COMPILED, NODE, prepare, ROOT } from './prepare.mjs'

const dev = process.argv.includes('--dev')
prepare()
const program = dev ? ['--watch', join(ROOT, 'server', 'main.ts')] : [BUNDLE]
const server = spawn(NODE, program, {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, NODE_NO_WARNINGS: '1', NODE_COMPILE_CACHE: COMPILED },
})
const web = dev
  ? spawn(NODE, [join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js'), 'web'], {
      cwd: ROOT,
      stdio: 'inherit',
    })
  : undefined
// Whoever tells only this process means both; told twice, the server does the same once.
const stop = (signal) => {
  server.kill(signal)
  web?.kill(signal)
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal))
// npm ends without a word to whom it started.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop('SIGTERM')
  }, 500)
}
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
