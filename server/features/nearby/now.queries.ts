import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import { workerType } from '@zhuguan/contract/features/workers/trades.record.ts'
import type { Place } from '@zhuguan/contract/kit/places.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int2, row, text, uuid } from '../../kit/row.ts'
import { whole } from '../../kit/scoped.ts'
import { TODAY } from '../../kit/statement.ts'
import { CITY, PLACES } from './nearby.queries.ts'

/** Where the community of each of these homes stands: the average of its homes, never the home itself. */
export async function communitiesOf(
  tx: Tx,
  tenant: string,
  sites: readonly string[],
): Promise<Map<string, Place>> {
  const { rows } = await tx.query(
    'nearby.communities',
    row({ site_id: uuid, lng: float8, lat: float8 }),
    `WITH places AS (${PLACES})
     SELECT w.id AS site_id, p.lng, p.lat
     FROM sites w ${CITY}
     JOIN places p ON p.community = w.community AND p.city = c.city
     WHERE w.tenant_id = $1 AND w.id = ANY ($2::uuid[])`,
    [tenant, sites],
  )
  return new Map(rows.map(({ site_id, ...place }) => [site_id, place]))
}

/** A community that was said: of the city, or the one where most homes are. */
export async function communityCalled(
  tx: Tx,
  tenant: string,
  { city, community }: { community: string; city: string },
): Promise<Place | undefined> {
  const { rows } = await tx.query(
    'nearby.called',
    row({ lng: float8, lat: float8 }),
    `WITH places AS (${PLACES})
     SELECT p.lng, p.lat FROM places p
     WHERE p.community = $2 AND ($3::text = '' OR p.city = $3)
     ORDER BY p.building + p.finished DESC, p.city
     LIMIT 1`,
    [tenant, community, city],
  )
  return rows[0]
}

/** The store of whoever asks, of several the first by name; of who sees a whole group it is none. */
export async function storeOf(tx: Tx, scope: Scope): Promise<(Place & { name: string }) | undefined> {
  if (whole(scope)) return undefined
  const { rows } = await tx.query(
    'nearby.store',
    row({ name: text, lng: float8, lat: float8 }),
    `SELECT s.name, s.lng, s.lat
     FROM stores s
     WHERE s.tenant_id = $1 AND (s.id = ANY ($2::uuid[]) OR s.bc_id = ANY ($3::uuid[])) AND s.status = 1
       AND NOT s.receives_orders AND s.lng IS NOT NULL AND s.lat IS NOT NULL
     ORDER BY s.id = ANY ($2::uuid[]) DESC, s.name, s.id
     LIMIT 1`,
    [scope.tenant, scope.stores ?? [], scope.bcs ?? []],
  )
  return rows[0]
}

/** Of these homes those that are being built and in which somebody has clocked in today, and of which trades. */
export async function tradesToday(tx: Tx, tenant: string, sites: readonly string[]) {
  const { rows } = await tx.query(
    'nearby.trades',
    row({ site_id: uuid, trade: int2.of(workerType) }),
    `SELECT DISTINCT y.site_id, k.w_type AS trade
     FROM attendance_days y
     JOIN sites w ON w.tenant_id = $1 AND w.id = y.site_id AND w.status = ${siteStatus.code.building}
     JOIN workers k ON k.tenant_id = $1 AND k.id = y.worker_id
     WHERE y.tenant_id = $1 AND y.day = ${TODAY} AND y.site_id = ANY ($2::uuid[])
     ORDER BY y.site_id, k.w_type`,
    [tenant, sites],
  )
  return Map.groupBy(rows, (r) => r.site_id)
}
