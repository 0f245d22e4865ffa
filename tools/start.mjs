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
// Ctrl-C reaches the whole group; the server closes in order and this process waits for it.
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    server.kill(signal)
    web?.kill(signal)
  })
}
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
