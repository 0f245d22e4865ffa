import type { ordersApi } from '@zhuguan/contract/features/orders/orders.api.ts'
import type { BodyOf } from '@zhuguan/contract/kit/api.ts'

import type { Tx } from '../../database/connect.ts'
import { checkDay } from '../../kit/planned-day.ts'
import { found } from '../../kit/refuse.ts'
import { row, uuid } from '../../kit/row.ts'
import { siteScope } from '../../kit/scoped.ts'
import type { Call } from '../../kit/serve.ts'
import { tell } from '../live/live.service.ts'

/** 可以到货: whoever leads a site says when it can take goods and where they are unloaded; the last word counts. */
export async function sayReady(tx: Tx, call: Call, body: BodyOf<(typeof ordersApi)['ready']>): Promise<void> {
  const { nickname, scope, tenant } = call.user
  const where = siteScope(scope).add((p) => `w.id = ${p}::uuid`, body.site_id)
  const { rows } = await tx.query(
    'orders.readysite',
    row({ bc_id: uuid }),
    `SELECT w.bc_id FROM sites w WHERE ${where.text}`,
    where.values,
  )
  const { bc_id } = found(rows[0])
  checkDay(call, 'readyOn', '可以到货的日期', body.readyOn)
  await tx.run(
    'orders.ready',
    `INSERT INTO site_arrivals AS a (tenant_id, site_id, bc_id, ready_on, place, user_name, at)
     VALUES ($1, $2, $3, $4, $5, $6, :now)
     ON CONFLICT (tenant_id, site_id) DO UPDATE
     SET ready_on = $4, place = $5, user_name = $6, at = :now, version = a.version + 1`,
    [tenant, body.site_id, bc_id, body.readyOn, body.place, nickname],
  )
  await call.log(tx, {
    action: '可以到货',
    object: 'order',
    objectId: body.site_id,
    after: { site_id: body.site_id, readyOn: body.readyOn, place: body.place },
  })
  const title = `可以到货：${body.readyOn}${body.place ? `，${body.place}` : ''}`
  tell(tx, call, {
    topic: 'order',
    bc: bc_id,
    site: body.site_id,
    id: body.site_id,
    line: { kind: 'delivery', title },
  })
}
