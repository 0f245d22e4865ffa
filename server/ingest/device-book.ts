import type { Database } from '../database/connect.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import { float8, row, text, type RowOf, uuid } from '../kit/row.ts'
import { unseal } from '../kit/secret.ts'

const knownDevice = row({
  id: uuid,
  sn: text,
  tenant: uuid,
  bc: uuid.null,
  site: uuid.null,
  /** When it was bound to the site, in seconds; null where it stands on none. */
  since: float8.null,
  type: text,
  secret: text,
})
export type KnownDevice = RowOf<typeof knownDevice>
const KEEP_MS = 30_000
const MAX_KEPT = 20_000

/**
 * sn → the devices that groups have stocked under it, nearly always one: which of them speaks is said by its secret alone
 * (docs/decisions/0122). Kept for seconds and forgotten when any server announces a change of it.
 */
export function deviceBook(
  db: Database,
  secretKey: Buffer,
  now: () => Date,
  /** Told of a device whose secret was sealed with another key: until it has a new one it is nobody. */
  unreadable: (sn: string) => void = () => {},
) {
  const kept = new Map<string, { devices: readonly KnownDevice[]; until: number }>()
  let hearing = false
  // Counts what was forgotten, so that a row read before a change is not kept after it.
  let changes = 0
  const listeners = new Set<(sn?: string) => void>()
  const forget = (sn?: string) => {
    changes += 1
    if (sn) kept.delete(sn)
    else kept.clear()
    for (const listener of listeners) listener(sn)
  }
  const channel = db.listen(
    'devices',
    forget,
    () => {
      hearing = false
      forget()
    },
    () => {
      hearing = true
      forget()
    },
  )
  return {
    /** Told of every device that any server changed; without a number, that it may be any of them. */
    onChange(listener: (sn?: string) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** The remembered values, without asking anybody. */
    peek(sn: string): readonly KnownDevice[] | undefined {
      const hit = kept.get(sn)
      return hit && hearing && hit.until > now().getTime() ? hit.devices : undefined
    },
    async find(sn: string): Promise<readonly KnownDevice[]> {
      const hit = this.peek(sn)
      if (hit) return hit
      const before = changes
      const { rows } = await db.tx(
        SYSTEM,
        (tx) =>
          tx.query(
            'ingest.device',
            knownDevice,
            `SELECT d.id, d.sn, d.tenant_id AS tenant, d.bc_id AS bc, d.site_id AS site, d.type, d.secret,
               extract(epoch FROM s.from_at)::float8 AS since
             FROM serial_numbers n
             JOIN devices d ON d.tenant_id = n.tenant_id AND d.sn = n.sn AND d.deleted_at IS NULL
             LEFT JOIN device_stands s ON s.tenant_id = d.tenant_id AND s.device_id = d.id AND s.to_at IS NULL
             WHERE n.sn = $1
             ORDER BY d.id`,
            [sn],
          ),
        { readOnly: true },
      )
      if (rows.length === 0) return []
      const devices = rows.flatMap((row) => {
        try {
          return [{ ...row, secret: unseal(secretKey, row.secret) }]
        } catch {
          unreadable(row.sn)
          return []
        }
      })
      if (before !== changes) return devices
      if (kept.size >= MAX_KEPT) kept.clear()
      kept.set(sn, { devices, until: now().getTime() + KEEP_MS })
      return devices
    },
    close: () => channel.close(),
  }
}
export type DeviceBook = ReturnType<typeof deviceBook>
