import type { Tx } from '../../database/connect.ts'
import { type Detection, seen } from '../../kit/detection.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { tellSites } from '../live/live.bulk.ts'

/** A stranger on a site. */
export async function fileVisits(tx: Tx, all: readonly Detection[]): Promise<void> {
  const found = seen(all, 'visitor').map((d) => ({ ...d, id: uuidv7() }))
  if (found.length === 0) return
  await tx.run(
    'visits.add',
    `INSERT INTO visits (tenant_id, id, bc_id, site_id, device_id, at, seconds, picture, similarity)
     SELECT t, i, b, s, d, to_timestamp(a), n, p, m
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::float8[], $7::int[],
         $8::text[], $9::real[]) AS x(t, i, b, s, d, a, n, p, m)`,
    [
      found.map((d) => d.device.tenant),
      found.map((d) => d.id),
      found.map((d) => d.device.bc),
      found.map((d) => d.device.site),
      found.map((d) => d.device.id),
      found.map((d) => d.event.at),
      found.map((d) => d.event.seconds),
      found.map((d) => d.event.picture ?? null),
      found.map((d) => d.event.similarity ?? null),
    ],
  )
  await tellSites(
    tx,
    found.map((d) => ({
      tenant: d.device.tenant,
      bc: d.device.bc,
      site: d.device.site,
      kind: 'visitor',
      at: d.event.at,
      title: `陌生人来访，停留 ${Math.max(1, Math.round(d.event.seconds / 60))} 分钟`,
      actor: d.device.sn,
      ref: d.id,
      picture: d.event.picture ?? null,
    })),
  )
}
