import type { Database } from '../database/connect.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import type { KnownDevice } from './device-book.ts'

interface Taken {
  key: string
  kind: 'clip' | 'picture'
  bytes: number
  at: Date
}
/** A file of a device, under the site where it stands. */
export const nameFile = (
  db: Database,
  device: KnownDevice,
  { key, kind, bytes, at }: Taken,
): Promise<unknown> =>
  db.tx(SYSTEM, (tx) =>
    tx.run(
      'ingest.file',
      `INSERT INTO files (key, tenant_id, bc_id, site_id, device_id, kind, bytes, at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [key, device.tenant, device.bc, device.site, device.id, kind, bytes, at],
    ),
  )
