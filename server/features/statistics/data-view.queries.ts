import { siteStatus, tidinessLevel } from '@zhuguan/contract/features/sites/sites.record.ts'
import type { DataView } from '@zhuguan/contract/features/statistics/data-view.record.ts'
import { pageLabel } from '@zhuguan/contract/permissions.ts'

import type { Tx } from '../../database/connect.ts'
import { reachOf } from '../../kit/reach.ts'
import { int4, row, text, uuid } from '../../kit/row.ts'
import { siteScope } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { monitor } from './monitor.queries.ts'

const { excellent, good, poor } = tidinessLevel.code
const tidyRow = row({ bc_id: uuid, city: text, excellent: int4, good: int4, poor: int4, none: int4 })

/** The big screen of the day, in the caller's reach: who may not open a list reads no name and no picture of it. */
export async function dataView(tx: Tx, call: Call, bc: string[] | undefined): Promise<DataView> {
  const where = siteScope(call.user.scope)
    .plain(`w.status = ${siteStatus.code.building}`)
    .when(bc, (p) => `w.bc_id = ANY(${p}::uuid[])`)
  const of = (level: number) => `(count(*) FILTER (WHERE w.tidiness = ${level}))::int`
  const [today, { rows: tidiness }] = await Promise.all([
    monitor(tx, call.user.scope, call.now(), bc, {
      arrivals: reachOf(call.user, pageLabel('WorkerAttend')),
      alarms: reachOf(call.user, pageLabel('AlarmEvent')),
      down: reachOf(call.user, pageLabel('DeviceList')),
    }),
    tx.query(
      'dataview.tidiness',
      tidyRow,
      `SELECT w.bc_id, c.city, ${of(excellent)} AS excellent, ${of(good)} AS good, ${of(poor)} AS poor,
         (count(*) FILTER (WHERE w.tidiness IS NULL))::int AS none
       FROM sites w
       JOIN companies c ON c.tenant_id = $1 AND c.bc_id = w.bc_id
       WHERE ${where.text}
       GROUP BY w.bc_id, c.city`,
      where.values,
    ),
  ])
  return { today, tidiness }
}
