import type { Tx } from '../../database/connect.ts'
import { type Detection, seen } from '../../kit/detection.ts'
import { uuidv7 } from '../../kit/ids.ts'

/** A stretch of recorded video that a device has put away. */
export async function fileRecordings(tx: Tx, all: readonly Detection[]): Promise<void> {
  const found = seen(all, 'recording')
  if (found.length === 0) return
  await tx.run(
    'recordings.add',
    `INSERT INTO recordings (tenant_id, id, device_id, from_at, to_at, key, bytes)
     SELECT t, i, d, to_timestamp(f), to_timestamp(e), k, b
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::float8[], $5::float8[], $6::text[],
         $7::bigint[]) AS x(t, i, d, f, e, k, b)`,
    [
      found.map((d) => d.device.tenant),
      found.map(() => uuidv7()),
      found.map((d) => d.device.id),
      found.map((d) => d.event.from),
      found.map((d) => d.event.to),
      found.map((d) => d.event.file),
      found.map((d) => d.event.bytes),
    ],
  )
}
