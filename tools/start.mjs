import { spawn } from 'node:child_process'
import { join } from 'node:path'

import { BUNDLE, COMPILED, NODE, prepare, ROOT } from './prepare.mjs'

const dev = process.argv.includes('--dev')
// Pages and server run from their sources then: there is nothing to build.
prepare({ build: !dev })
const PAGES_PORT = process.env.PAGES_PORT ?? '5173'
// The server tells people, mails and links the address at which the pages follow their sources.
const pages = dev
  ? { PAGES_PORT, PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${PAGES_PORT}` }
  : {}
const program = dev ? ['--watch', join(ROOT, 'server', 'main.ts')] : [BUNDLE]
const server = spawn(NODE, program, {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, ...pages, NODE_NO_WARNINGS: '1', NODE_COMPILE_CACHE: COMPILED },
})
const web = dev
  ? spawn(NODE, [join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js'), 'web', '--logLevel', 'warn'], {
      cwd: ROOT,
      stdio: 'inherit',
      env: { ...process.env, ...pages },
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
// Without its pages the server has nothing to show: a port that is taken ends both, in Vite's own words.
web?.on('exit', (code) => code && server.kill('SIGTERM'))
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
