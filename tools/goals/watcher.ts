import { setTimeout as pause } from 'node:timers/promises'

/**
 * A process that asks a server how it is, every few milliseconds, and says when it had to wait longer than ever. Apart
 * from whoever makes the server work: what packs a workbook stands still itself meanwhile. Environment: URL_OF_SERVER.
 */
export interface Waited {
  ms: number
  /** How late the process's own clock was meanwhile: what the machine kept everybody waiting for; not in `ms`. */
  lateMs: number
}

const EVERY_MS = 5
let longest = 0
let lateMs = 0
let ticked = performance.now()
setInterval(() => {
  lateMs = Math.max(lateMs, performance.now() - ticked - EVERY_MS)
  ticked = performance.now()
}, EVERY_MS)
// A new watch begins.
process.on('message', () => (longest = 0))
process.on('disconnect', () => process.exit(0))
for (;;) {
  lateMs = 0
  const from = performance.now()
  await fetch(`${process.env.URL_OF_SERVER!}/healthz`).then((r) => r.text())
  const ms = performance.now() - from - lateMs
  if (ms > longest) {
    longest = ms
    process.send!({ ms, lateMs } satisfies Waited)
  }
  await pause(EVERY_MS)
}
