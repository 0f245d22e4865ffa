import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import { SKEWED } from '@zhuguan/contract/features/tidiness/tidiness.actions.ts'
import { tidinessSource } from '@zhuguan/contract/features/tidiness/tidiness.record.ts'
import type { Code } from '@zhuguan/contract/kit/codes.ts'

import type { Tx } from '../../database/connect.ts'
import { type Detection, seen } from '../../kit/detection.ts'
import { uuidv7 } from '../../kit/ids.ts'
import { Refused } from '../../kit/refuse.ts'
import { there } from '../../kit/row.ts'
import type { Call } from '../../kit/serve.ts'
import { rememberPictures, skewedCameras, skewedThen } from '../alarms/alarms.detections.ts'
import { noteTidiness } from '../attendance/attendance.service.ts'
import { announceAll, tellSites } from '../live/live.bulk.ts'
import { tell } from '../live/live.service.ts'

const { skewed } = tidinessResult.code
/** Two verdicts on one picture say nearly the same time of it: so much of the site's checks is looked through. */
const NEAR = `interval '1 day'`

/** Checks as they come. What a camera saw while it was skewed is 4 and leaves the averages. */
export async function fileTidiness(tx: Tx, all: readonly Detection[]): Promise<void> {
  const found = seen(all, 'tidiness')
  if (found.length === 0) return
  const checks = (
    await Promise.all(
      [...Map.groupBy(found, (d) => d.device.tenant)].map(async ([tenant, theirs]) => {
        const wrong = await skewedThen(
          tx,
          tenant,
          theirs.map((d) => ({ device: d.device.id, at: d.event.at })),
        )
        return theirs.map((d, i) => ({ ...d, id: uuidv7(), result: wrong.has(i) ? skewed : d.event.result }))
      }),
    )
  ).flat()
  await tx.run(
    'tidiness.checks',
    `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, device_id, at, picture, result, confidence, replaced)
     SELECT t, i, b, s, d, to_timestamp(a), p, r, c, EXISTS (
       SELECT 1
       FROM tidiness_checks k
       WHERE k.tenant_id = t AND k.site_id = s AND k.picture = p AND k.source = '${tidinessSource.code.patrol}'
         AND k.at BETWEEN to_timestamp(a) - ${NEAR} AND to_timestamp(a) + ${NEAR})
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::float8[], $7::text[],
         $8::smallint[], $9::real[]) AS x(t, i, b, s, d, a, p, r, c)`,
    [
      checks.map((c) => c.device.tenant),
      checks.map((c) => c.id),
      checks.map((c) => c.device.bc),
      checks.map((c) => c.device.site),
      checks.map((c) => c.device.id),
      checks.map((c) => c.event.at),
      checks.map((c) => c.event.picture ?? null),
      checks.map((c) => c.result),
      checks.map((c) => c.event.confidence ?? null),
    ],
  )
  const places = [...new Map(checks.map((c) => [c.device.site, c.device])).values()]
  await showNewest(tx, places)
  noteTidiness(
    tx,
    places.map((p) => ({ tenant: p.tenant, site: p.site })),
  )
  await rememberPictures(tx, checks)
  await tellSites(
    tx,
    checks.map((c) => ({
      tenant: c.device.tenant,
      bc: c.device.bc,
      site: c.device.site,
      kind: 'tidiness',
      at: c.event.at,
      title: `整洁度：${tidinessResult.label(c.result)}`,
      actor: c.device.sn,
      ref: c.id,
      picture: c.event.picture ?? null,
    })),
  )
  await announceAll(
    tx,
    checks.map((c) => ({
      tenant: c.device.tenant,
      bc: c.device.bc,
      site: c.device.site,
      topic: 'tidiness',
      what: 'changed',
      id: c.device.site,
    })),
  )
}

/** A person's verdict on a patrol about a camera's still. */
export async function fileLook(
  tx: Tx,
  call: Call,
  look: {
    site: { id: string; bc_id: string }
    device: string
    picture: string
    at: Date
    result: Code<typeof tidinessResult>
  },
): Promise<void> {
  const { tenant } = call.user
  if (look.result !== skewed && (await isSkewed(tx, look.device))) throw new Refused(SKEWED)
  const id = call.newId()
  await tx.run(
    'tidiness.look',
    `INSERT INTO tidiness_checks (tenant_id, id, bc_id, site_id, device_id, at, picture, result, source)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '${tidinessSource.code.patrol}')`,
    [tenant, id, look.site.bc_id, look.site.id, look.device, look.at, look.picture, look.result],
  )
  await countAlone(tx, tenant, id)
  await showNewest(tx, [{ tenant, site: look.site.id }])
  noteTidiness(tx, [{ tenant, site: look.site.id }])
  tell(tx, call, { topic: 'tidiness', bc: look.site.bc_id, site: look.site.id, id })
}

/** What a person said of a picture counts; what was said of the same picture before does not any more. */
export const countAlone = (tx: Tx, tenant: string, check: string) =>
  tx.run(
    'tidiness.alone',
    `UPDATE tidiness_checks t SET replaced = t.id <> $2
     FROM tidiness_checks k
     WHERE k.tenant_id = $1 AND k.id = $2 AND t.tenant_id = $1 AND t.site_id = k.site_id AND t.picture = k.picture
       AND t.at BETWEEN k.at - ${NEAR} AND k.at + ${NEAR} AND t.replaced <> (t.id <> $2)`,
    [tenant, check],
  )

/**
 * A site shows its newest verdict that is one, or none. Its row is locked first, so that of two changes at once the
 * newest check wins, whoever commits last.
 */
export async function showNewest(tx: Tx, places: readonly { tenant: string; site: string }[]): Promise<void> {
  const keys = [places.map((p) => p.tenant), places.map((p) => p.site)]
  await tx.query(
    'tidiness.places',
    there,
    `SELECT 1
     FROM sites w
     JOIN unnest($1::uuid[], $2::uuid[]) AS k(tenant, site) ON w.tenant_id = k.tenant AND w.id = k.site
     ORDER BY w.id FOR NO KEY UPDATE OF w`,
    keys,
  )
  await tx.run(
    'tidiness.sites',
    `UPDATE sites w SET tidiness = n.result FROM unnest($1::uuid[], $2::uuid[]) AS k(tenant, site)
     LEFT JOIN LATERAL (
       SELECT t.result
       FROM tidiness_checks t
       WHERE t.tenant_id = k.tenant AND t.site_id = k.site AND t.result <> ${skewed} AND NOT t.replaced
       ORDER BY t.at DESC, t.id DESC
       LIMIT 1) n ON true
     WHERE w.tenant_id = k.tenant AND w.id = k.site AND w.tidiness IS DISTINCT FROM n.result`,
    keys,
  )
}

/** Whether an alarm says that this camera looks elsewhere. */
export const isSkewed = async (tx: Tx, device: string | null): Promise<boolean> =>
  device !== null && (await skewedCameras(tx, [device])).has(device)
