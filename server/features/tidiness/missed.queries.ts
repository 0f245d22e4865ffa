import { deviceStatus, deviceType } from '@zhuguan/contract/features/devices/devices.record.ts'
import { siteStatus } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { tidinessApi } from '@zhuguan/contract/features/tidiness/tidiness.api.ts'
import { type MissedCheck, SCHEDULE_GRACE } from '@zhuguan/contract/features/tidiness/tidiness.record.ts'
import type { QueryOf } from '@zhuguan/contract/kit/api.ts'

import type { Scope, Tx } from '../../database/connect.ts'
import { float8, int4, row, text, uuid } from '../../kit/row.ts'
import { siteScope } from '../../kit/scoped.ts'
import { epoch } from '../../kit/statement.ts'
import { restDaySql, settingSql } from '../settings/settings.reads.ts'

/** So many are told of; who has more has not begun to look. */
const MOST = 1_000
const LOCAL = `(:now AT TIME ZONE 'Asia/Shanghai')`
const GRACE = `interval '${SCHEDULE_GRACE} minutes'`

/**
 * A device cannot be told to look: its branch says when its cameras should, and this says where nobody did. A patrol's
 * own verdict is one too. Of sites under construction with a camera, on working days, when the time to do it is over.
 */
export async function missedChecks(
  tx: Tx,
  scope: Scope,
  q: QueryOf<(typeof tidinessApi)['missed']>,
): Promise<MissedCheck[]> {
  const where = siteScope(scope)
    .when(q.bc_id, (p) => `w.bc_id = ANY(${p}::uuid[])`)
    .plain(`w.status = ${siteStatus.code.building}`)
  const { rows } = await tx.query(
    'tidiness.missed',
    row<MissedCheck>({
      time: text,
      site_id: uuid,
      siteName: text,
      bc_id: uuid,
      bc_name: text,
      cameras: int4,
      online: int4,
      lastAt: float8.null,
    }),
    `SELECT x.time, w.id AS site_id, w.ws_name AS "siteName", w.bc_id, c.bc_name, d.cameras, d.online,
       (SELECT ${epoch('max(l.at)')} FROM tidiness_checks l WHERE l.tenant_id = $1 AND l.site_id = w.id) AS "lastAt"
     FROM sites w
     JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS cameras,
         (count(*) FILTER (WHERE v.device_status = ${deviceStatus.code.online}))::int AS online
       FROM devices v
       WHERE v.tenant_id = $1 AND v.site_id = w.id AND v.type = '${deviceType.code.camera}'
         AND v.deleted_at IS NULL) d
     CROSS JOIN LATERAL jsonb_array_elements_text(${settingSql('tidinessTimes', '$1', 'w.bc_id')}) x(time)
     CROSS JOIN LATERAL (
       SELECT (${LOCAL}::date + x.time::time) AT TIME ZONE 'Asia/Shanghai' AS due) m
     WHERE ${where.text} AND d.cameras > 0 AND m.due + ${GRACE} <= :now
       AND NOT ${restDaySql('$1', 'w.bc_id', `${LOCAL}::date`)}
       AND NOT EXISTS (SELECT 1 FROM tidiness_checks t
         WHERE t.tenant_id = $1 AND t.site_id = w.id AND t.at >= m.due - ${GRACE} AND t.at <= m.due + ${GRACE})
     ORDER BY x.time DESC, c.bc_name, w.ws_name, w.id
     LIMIT ${MOST}`,
    where.values,
  )
  return rows
}
