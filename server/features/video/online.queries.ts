import { alarmType } from '@zhuguan/contract/features/alarms/alarms.record.ts'
import { tidinessResult } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { SiteOnline } from '@zhuguan/contract/features/video/video.record.ts'

import { found, invalid } from '../../kit/refuse.ts'
import { float8, int4, row, text, uuid } from '../../kit/row.ts'
import { hasPlace, siteScope } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { addDays, startOfDay } from '../../kit/shanghai.ts'
import type { Scope, Tx } from '../../kit/tx.ts'
import { camerasAt, type Moments, spansOf, unheardParts } from '../devices/watched.reads.ts'
import { onlineOf } from './online.ts'

const MAX_DAYS = 31

interface Asked {
  site_id: string
  from: string
  to: string
}

async function siteInReach(tx: Tx, scope: Scope, site: string): Promise<string> {
  const where = siteScope(scope).add((p) => `w.id = ${p}::uuid`, site)
  const { rows } = await tx.query(
    'video.site',
    row({ ws_name: text }),
    `SELECT w.ws_name FROM sites w WHERE ${where.text}`,
    where.values,
  )
  return found(rows[0]).ws_name
}

/** Alarms that say a camera was skewed, unless somebody found them wrong. */
async function skewsOf(tx: Tx, tenant: string, site: string, devices: string[], { from, to }: Moments) {
  const { rows } = await tx.query(
    'video.skews',
    row({ id: uuid, device: uuid, from: float8, to: float8.null }),
    `SELECT a.id, a.device_id AS device, extract(epoch FROM a.at)::float8 AS from,
       extract(epoch FROM a.closed_at)::float8 AS to
     FROM alarms a
     WHERE a.tenant_id = $1 AND a.site_id = $2 AND a.device_id = ANY ($3::uuid[])
       AND a.type = '${alarmType.code.cameraproblem}' AND a.verdict <> 'wrong' AND a.at < to_timestamp($5)
       AND (a.closed_at IS NULL OR a.closed_at > to_timestamp($4))
     ORDER BY a.at, a.id`,
    [tenant, site, devices, from, to],
  )
  return rows
}

async function skewedChecks(tx: Tx, tenant: string, site: string, devices: string[], { from, to }: Moments) {
  const { rows } = await tx.query(
    'video.skewedchecks',
    row({ device: uuid, n: int4 }),
    `SELECT t.device_id AS device, count(*)::int AS n
     FROM tidiness_checks t
     WHERE t.tenant_id = $1 AND t.site_id = $2 AND t.device_id = ANY ($3::uuid[])
       AND t.result = ${tidinessResult.code.skewed} AND t.at >= to_timestamp($4) AND t.at < to_timestamp($5)
     GROUP BY 1`,
    [tenant, site, devices, from, to],
  )
  return new Map(rows.map((r) => [r.device, r.n]))
}

/** The states of a site's cameras on some days. */
export async function siteOnline(call: Call, { site_id, from, to }: Asked): Promise<SiteOnline> {
  if (from > to) throw invalid('from', '开始日期不能晚于结束日期')
  if (addDays(from, MAX_DAYS - 1) < to) throw invalid('from', `一次最多看 ${MAX_DAYS} 天`)
  const { scope, tenant, id } = call.user
  const siteName = await call.read((tx) => siteInReach(tx, scope, site_id))
  const now = call.now().getTime() / 1000
  const period = {
    from: startOfDay(from).getTime() / 1000,
    to: Math.min(now, startOfDay(addDays(to, 1)).getTime() / 1000),
  }
  // What has left the site since may be anywhere in the group: its time here still belongs to the site.
  const anywhere = call.within({ tenant, user: id, bcs: null, sites: null })
  return anywhere.read(async (tx) => {
    const stays = await camerasAt(tx, tenant, site_id, period)
    const devices = [...new Set(stays.map((s) => s.id))]
    return onlineOf({
      siteName,
      days: { from, to },
      now,
      stays: stays.map((s) => ({
        ...s,
        here: s.site === site_id,
        reachable: s.bc !== null && hasPlace(scope, s.bc, s.site),
      })),
      spans: await spansOf(tx, tenant, devices, period),
      unheard: await unheardParts(tx, period),
      skews: await skewsOf(tx, tenant, site_id, devices, period),
      checks: await skewedChecks(tx, tenant, site_id, devices, period),
    })
  })
}
