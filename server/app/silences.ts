import type { Database } from '../database/connect.ts'
import { keepHearing, silentTenants, watchSilence } from '../features/devices/heartbeats.service.ts'
import { SYSTEM } from '../features/session/access.reads.ts'

const WATCH_MS = 15_000

/** Every group's silent devices in transactions of their own, so that a broker's thousand cameras hold up nobody else's. */
export function watchSilences(
  db: Database,
  now: () => Date,
  resting: () => boolean,
  warn: (error: unknown) => void,
  everyMs = WATCH_MS,
): { close(): void } {
  let watching = false
  async function watch(): Promise<void> {
    const at = now()
    await db.tx(SYSTEM, (tx) => keepHearing(tx))
    if (resting()) return
    const tenants = await db.tx(SYSTEM, (tx) => silentTenants(tx, at), { readOnly: true })
    for (const tenant of tenants) {
      try {
        while ((await db.tx(SYSTEM, (tx) => watchSilence(tx, at, tenant))) > 0);
      } catch (error) {
        warn(error)
      }
    }
  }
  const tick = () => {
    if (watching) return
    watching = true
    watch()
      .catch(warn)
      .finally(() => {
        watching = false
      })
  }
  // Whether the server heard anything before is asked before anything is heard.
  tick()
  const timer = setInterval(tick, everyMs)
  return { close: () => clearInterval(timer) }
}
