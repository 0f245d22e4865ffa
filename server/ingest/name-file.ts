import type { Database } from '../database/connect.ts'
import type { KeptFilm } from '../features/recordings/read-film.ts'
import { SYSTEM } from '../features/session/access.reads.ts'
import type { KnownDevice } from './device-book.ts'

interface Taken {
  key: string
  kind: 'clip' | 'picture'
  /** The clip's own words about itself. */
  film?: KeptFilm
  bytes: number
  at: Date
}
/** A file of a device, under the site where it stands. */
export const nameFile = (
  db: Database,
  device: KnownDevice,
  { key, kind, film, bytes, at }: Taken,
): Promise<unknown> =>
  db.tx(SYSTEM, (tx) =>
    tx.run(
      'ingest.file',
      `INSERT INTO files (key, tenant_id, bc_id, site_id, device_id, kind, bytes, at, film_seconds, film_format)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        key,
        device.tenant,
        device.bc,
        device.site,
        device.id,
        kind,
        bytes,
        at,
        film?.seconds ?? null,
        film?.format ?? null,
      ],
    ),
  )
