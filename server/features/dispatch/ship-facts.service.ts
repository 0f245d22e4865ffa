import { deliveryMethod } from '@zhuguan/contract/features/orders/orders.record.ts'

import type { Tx } from '../../database/connect.ts'
import type { AtParties } from '../../kit/parties.ts'
import { refuseFar } from '../../kit/planned-day.ts'
import { invalid } from '../../kit/refuse.ts'
import { row, text } from '../../kit/row.ts'
import type { Body } from './dispatch.service.ts'

/** Whom a driver of several stops calls; where nobody is named, the manager of the note's site. */
async function contactOf(tx: Tx, tenant: string, body: Body<'ship'>) {
  if (body.contact || body.contactPhone) return body
  const { rows } = await tx.query(
    'dispatch.sitecontact',
    row({ contact: text, contactPhone: text }),
    `SELECT m.nickname AS contact, m.phone AS "contactPhone"
     FROM dispatches d
     JOIN sites w ON w.tenant_id = $1 AND w.id = d.site_id
     JOIN users m ON m.tenant_id = $1 AND m.id = w.manager_id
     WHERE d.tenant_id = $1 AND d.id = $2`,
    [tenant, body.id],
  )
  return { ...body, ...rows[0] }
}

/** The goods that are shipped, with whom to call; what cannot be meant is refused. */
export async function shippable(tx: Tx, { call }: AtParties, body: Body<'ship'>): Promise<Body<'ship'>> {
  refuseFar(call, 'plannedOn', '预计到达', body.plannedOn)
  const { pickup, trip } = deliveryMethod.code
  if (body.method === pickup && body.pickupUntil !== null) {
    refuseFar(call, 'pickupUntil', '最晚自提', body.pickupUntil)
    if (body.pickupUntil < body.plannedOn) throw invalid('pickupUntil', '最晚自提不能早于预计到达')
  }
  if (body.method !== trip || body.trip_id === null) return body
  const named = await contactOf(tx, call.user.tenant, body)
  if (!named.contact) throw invalid('contact', '集中配送要填联系人，司机到了要找人')
  if (!named.contactPhone) throw invalid('contactPhone', '集中配送要填联系电话，司机到了要打电话')
  return named
}
